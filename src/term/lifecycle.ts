import {constants} from 'node:os';
import type {ReadStream, WriteStream} from 'node:tty';
import {jobState} from './job-control.ts';
import {writeToTerminal} from './modes.ts';

/** Interval between checks whether our parent is still there, ms: each wakes an idle processor. */
const parentInterval = 5000;

/** Time limit for the last save, ms: once the terminal is gone, the program must exit within two seconds. */
const exitTimeout = 1500;
const terminalGoneCode = 128 + constants.signals.SIGHUP;
const exitSignals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

type LifecycleOptions = {
	readonly stdin: ReadStream;
	readonly stdout: WriteStream;
	/** Closes the screen (Ink's unmount); not called if the terminal is gone or the program has crashed. */
	readonly endScreen: () => void;
	/** Restores the terminal, as `createRestore` says. */
	readonly restore: () => void;
	/** Saves what the user typed to disk. */
	readonly save: () => Promise<void>;
	/** What to print after a normal exit, in whole lines; called once everything is saved. */
	readonly closingNote: () => string;
	/** Writes a crash report and returns the text to print. */
	readonly report: (error: unknown) => string;
	readonly suspend: () => void;
	/** The program continues after it was stopped from outside. */
	readonly continued: () => void;
};

export type Lifecycle = {
	leave(code: number): void;
	/** Exits after a bug: restores, saves, reports, exits with 1. */
	crash(error: unknown): void;
	terminalGone(): void;
};

/**
 * Handles every way the program can end: normally, by a signal (128 + its number), because the terminal is
 * gone (129), or by a bug (1). Each restores the terminal, then saves, then exits within 2 s. Further signals don't cut
 * this short.
 */
export function startLifecycle(options: LifecycleOptions): Lifecycle {
	const {stdin, stdout, endScreen, restore, save, closingNote, report} = options;
	let isLeaving = false;

	function finish(code: number, message: () => string): void {
		restore();
		const exit = () => {
			printError(message());
			end(code);
		};
		// Keeps its reference: it must end the program even if nothing else is pending.
		setTimeout(exit, exitTimeout);
		save().then(exit, exit);
	}

	function printError(message: string): void {
		if (message !== '' && !(process.stderr.isTTY && isInBackground())) writeToTerminal(2, message);
	}

	function end(code: number): void {
		// After the other exit listeners, the exit still waits for calls under way, such as a read from a disk that doesn't
		// answer. From then on a signal ends it.
		process.once('exit', () => {
			for (const signal of exitSignals) process.removeAllListeners(signal);
		});
		if (isInBackground()) endInBackground(code);
		else process.exit(code);
	}

	function leave(code: number, hasTerminal = true): void {
		if (isLeaving) return;
		isLeaving = true;
		if (hasTerminal && !isInBackground()) {
			try {
				endScreen();
			} catch (error) {
				const text = report(error);
				finish(1, () => text);
				return;
			}
		}
		finish(code, code === 0 ? closingNote : () => '');
	}

	function crash(error: unknown): void {
		if (isTerminalGone(error)) {
			terminalGone();
			return;
		}
		restore();
		const text = report(error);
		if (isLeaving) {
			printError(text);
			end(1);
		}
		isLeaving = true;
		finish(1, () => text);
	}

	for (const signal of exitSignals)
		process.on(signal, () => leave(128 + constants.signals[signal], signal !== 'SIGHUP'));
	process.on('SIGTSTP', options.suspend);
	process.on('SIGCONT', options.continued);
	// Without a listener, Node would open its inspector to anyone who may send signals.
	process.on('SIGUSR1', () => {});
	process.on('uncaughtException', crash);
	process.on('unhandledRejection', crash);
	const terminalGone = () => leave(terminalGoneCode, false);
	stdin.on('end', terminalGone).on('close', terminalGone).on('error', terminalGone);
	stdout.on('error', terminalGone);
	// No signal reports that our parent was killed and a shell around it has taken the terminal back. A parent that merely
	// exited leaves the terminal to us.
	const parent = process.ppid;
	const watch = () => {
		if (process.ppid !== parent && isInBackground()) terminalGone();
	};
	setInterval(watch, parentInterval).unref();
	process.stderr.on('error', () => {});
	return {leave, crash, terminalGone};
}

function isInBackground(): boolean {
	return jobState() === 'background';
}

/** Ends by a signal: an exit would reset the terminal's line discipline, which the shell has set. */
function endInBackground(code: number): void {
	const signal = code === terminalGoneCode ? 'SIGHUP' : 'SIGTERM';
	process.removeAllListeners(signal);
	process.kill(process.pid, signal);
}

function isTerminalGone(error: unknown): boolean {
	const code = (error as NodeJS.ErrnoException | undefined)?.code;
	return code === 'EIO' || code === 'EPIPE';
}

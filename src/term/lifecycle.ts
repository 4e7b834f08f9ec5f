import {constants} from 'node:os';
import type {ReadStream, WriteStream} from 'node:tty';
import {writeToTerminal} from './modes.ts';

/** Time limit for the last save, ms: once the terminal is gone, the program must exit within two seconds. */
const exitTimeout = 1500;
const terminalGoneCode = 128 + constants.signals.SIGHUP;
export const exitSignals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

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
	/** Whether another program, or the shell, has the terminal. */
	readonly isAway: () => boolean;
};

export type Lifecycle = {
	leave(code: number): void;
	/** Exits after a bug: restores, saves, reports, exits with 1. */
	crash(error: unknown): void;
};

/**
 * Handles every way the program can end: normally, by a signal (128 + its number), because the terminal is
 * gone (129), or by a bug (1). Each restores the terminal, then saves, then exits within 2 s. Further signals don't cut
 * this short.
 */
export function startLifecycle(options: LifecycleOptions): Lifecycle {
	const {stdin, stdout, endScreen, restore, save, closingNote, report, isAway} = options;
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
		if (message !== '') writeToTerminal(2, message);
	}

	function end(code: number): void {
		// After the other exit listeners, the exit still waits for calls under way, such as a read from a disk that doesn't
		// answer. From then on a signal ends it.
		process.once('exit', () => {
			for (const signal of exitSignals) process.removeAllListeners(signal);
			// An exit would reset the terminal's line discipline, which another program has set.
			if (code === terminalGoneCode) process.kill(process.pid, 'SIGHUP');
			else if (isAway()) process.kill(process.pid, 'SIGTERM');
		});
		process.exit(code);
	}

	function leave(code: number, hasTerminal = true): void {
		if (isLeaving) return;
		isLeaving = true;
		if (hasTerminal && !isAway()) {
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
	// Without a listener, Node would open its inspector to anyone who may send signals.
	process.on('SIGUSR1', () => {});
	process.on('uncaughtException', crash);
	process.on('unhandledRejection', crash);
	const terminalGone = () => leave(terminalGoneCode, false);
	stdin.on('end', terminalGone).on('close', terminalGone).on('error', terminalGone);
	stdout.on('error', terminalGone);
	process.stderr.on('error', () => {});
	return {leave, crash};
}

function isTerminalGone(error: unknown): boolean {
	const code = (error as NodeJS.ErrnoException | undefined)?.code;
	return code === 'EIO' || code === 'EPIPE';
}

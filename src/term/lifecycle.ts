import {constants} from 'node:os';
import type {ReadStream, WriteStream} from 'node:tty';
import type {JobState} from './job-state.ts';
import {writeToTerminal} from './restore.ts';
import {watchParent} from './watch-parent.ts';

/** How long the last saving may take, ms: with the terminal gone the program must be gone within two seconds. */
const savingTime = 1500;
const terminalGone = 128 + constants.signals.SIGHUP;
const deadly = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

export type LifecycleOptions = {
	readonly stdin: ReadStream;
	readonly stdout: WriteStream;
	/** Ends the screen in order (Ink's unmount); not called when the terminal is gone or the program broken. */
	readonly endScreen: () => void;
	/** Gives the terminal back: idempotent; resolves when the terminal has read all of it. */
	readonly restore: () => Promise<void>;
	readonly jobState: () => JobState;
	/** Brings what the user typed to disk. */
	readonly save: () => Promise<void>;
	/** The words for a crash; writes its report. */
	readonly report: (error: unknown) => string;
	readonly suspend: () => void;
	/** The program goes on after it was stopped from outside. */
	readonly resumed: () => void;
};

export type Lifecycle = {
	/** Leaves in order, with an exit code. */
	leave(code: number): void;
	/** Leaves because of a bug: restores, saves, reports, exits with 1. */
	crash(error: unknown): void;
	/** Leaves because the terminal is gone. */
	gone(): void;
};

/**
 * Every way the program can end goes through here: by its own will, by a signal (128 + its number), because the
 * terminal is gone (129), by a bug (1). Each restores the terminal first, then saves, then exits within 2 s, whether or
 * not the terminal reads. A second signal exits at once.
 */
export function startLifecycle(options: LifecycleOptions): Lifecycle {
	const {stdin, stdout, endScreen, restore, jobState, save, report} = options;
	const isInBackground = () => jobState() === 'background';
	let isLeaving = false;

	function finish(code: number, words: string): void {
		const restored = restore();
		const exit = () => {
			say(words);
			end(code);
		};
		// Not unreferenced: it must end the program even when nothing else is left that would.
		setTimeout(exit, savingTime);
		Promise.allSettled([save(), restored]).then(exit);
	}

	function say(words: string): void {
		if (words !== '' && !(process.stderr.isTTY && isInBackground())) writeToTerminal(2, words);
	}

	function end(code: number): void {
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
				finish(1, report(error));
				return;
			}
		}
		finish(code, '');
	}

	function crash(error: unknown): void {
		if (isTerminalGone(error)) {
			leave(terminalGone, false);
			return;
		}
		restore();
		const words = report(error);
		if (isLeaving) {
			say(words);
			end(1);
		}
		isLeaving = true;
		finish(1, words);
	}

	for (const signal of deadly)
		process.on(signal, () => {
			const code = 128 + constants.signals[signal];
			if (isLeaving) end(code);
			leave(code, signal !== 'SIGHUP');
		});
	process.on('SIGTSTP', options.suspend);
	process.on('SIGCONT', options.resumed);
	// Without a listener Node would open its inspector to whoever may send signals.
	process.on('SIGUSR1', () => {});
	process.on('uncaughtException', crash);
	process.on('unhandledRejection', crash);
	const gone = () => leave(terminalGone, false);
	stdin.on('end', gone).on('close', gone).on('error', gone);
	stdout.on('error', gone);
	watchParent(gone);
	process.stderr.on('error', () => {});
	return {leave, crash, gone};
}

/**
 * Node sets the terminal's line discipline at each exit, which stops a job in the background, or undoes what the shell
 * has set. So there the program ends by a signal.
 */
function endInBackground(code: number): void {
	const signal = code === terminalGone ? 'SIGHUP' : 'SIGTERM';
	// Others clean up then: what the embedded service has started ends too.
	process.emit('exit', code);
	process.removeAllListeners(signal);
	process.kill(process.pid, signal);
}

function isTerminalGone(error: unknown): boolean {
	const code = (error as NodeJS.ErrnoException | undefined)?.code;
	return code === 'EIO' || code === 'EPIPE';
}

import {exitCodes, InterruptedError} from './errors.ts';
import {cliStrings} from './strings.ts';

/** The command's output can't be written, so it is incomplete. */
class OutputError extends Error {
	override readonly name = 'OutputError';

	constructor(cause: NodeJS.ErrnoException) {
		super(cliStrings.run.unwritable(reasons[cause.code ?? ''] ?? cause.code), {cause});
	}
}

const reasons: Readonly<Record<string, string>> = cliStrings.run.unwritableReasons;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const bugs = ['uncaughtException', 'unhandledRejection'] as const;

/** How long a command may take to close after a bug, ms. */
const closingTime = 5_000;
/**
 * How long signals don't end a command that is closing, ms. The embedded service may take two seconds to end its
 * agents, and npm sends a Ctrl+C once more.
 */
const undisturbedTime = 3_000;

/**
 * Combines signals, a broken stdout and errors that nobody caught into one abort signal. A command that doesn't close
 * is ended by a later signal. `report`: called with a bug after which the command can't be closed.
 */
export function watchInterrupts(report: (bug: Error) => void) {
	const controller = new AbortController();
	let isOutputClosed = false;
	let failure: Error | undefined;
	let isOver = false;
	let closingSince: number | undefined;
	controller.signal.addEventListener('abort', () => {
		closingSince = performance.now();
	});
	const onSignal = () => {
		controller.abort(new InterruptedError());
		if (closingSince === undefined || performance.now() - closingSince < undisturbedTime) return;
		// After the other exit listeners, the exit waits for calls under way: from then on a signal ends it.
		process.once('exit', stop);
		process.exit(exitCodes.interrupted);
	};
	const onOutputError = (error: NodeJS.ErrnoException) => {
		isOutputClosed ||= ['EPIPE', 'EIO', 'ECONNRESET'].includes(error.code ?? '');
		if (!isOutputClosed) failure ??= new OutputError(error);
		controller.abort(failure ?? new InterruptedError());
	};
	const onBug = (error: unknown) => {
		const bug = error instanceof Error ? error : new Error(String(error));
		failure ??= bug;
		controller.abort(bug);
		// Work that the bug interrupted may never end, even when nothing is left that runs.
		const exit = () => {
			if (isOver) process.exit();
			report(bug);
			process.exit(exitCodes.refused);
		};
		setTimeout(exit, closingTime).unref();
		process.once('beforeExit', exit);
	};
	const stop = () => {
		isOver = true;
		for (const name of signals) process.off(name, onSignal);
		for (const name of bugs) process.off(name, onBug);
	};
	for (const name of signals) process.on(name, onSignal);
	for (const name of bugs) process.on(name, onBug);
	process.stdout.on('error', onOutputError);
	return {
		signal: controller.signal,
		/** True once stdout's reader has exited (`quarterdeck ... | head`). */
		isOutputClosed: () => isOutputClosed,
		/** Throws the external failure that ended the command: an uncaught error, or stdout on a full disk. */
		checkFailure() {
			if (failure) throw failure;
		},
		stop,
	};
}

/** Resolves when the signal is aborted, at once if it already is. */
export function untilAborted(signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve(), {once: true});
	});
}

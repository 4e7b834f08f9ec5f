import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes, InterruptedError} from './errors.ts';
import {cliStrings} from './strings.ts';
import type {System} from './system.ts';

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
 * Calls `abort` for each signal, and for an error that nobody caught, which it calls a bug. A program that doesn't
 * close is ended by a later signal. `report`: called with a bug after which it can't be closed. Returns the function
 * that stops watching.
 */
export function watchProcess(
	abort: (reason: InterruptedError | Error) => void,
	report: (bug: Error) => void,
): () => void {
	let isOver = false;
	let closingSince: number | undefined;
	const onSignal = () => {
		abort(new InterruptedError());
		closingSince ??= performance.now();
		if (performance.now() - closingSince < undisturbedTime) return;
		// After the other exit listeners, the exit waits for calls under way: from then on a signal ends it.
		process.once('exit', stop);
		process.exit(exitCodes.interrupted);
	};
	const onBug = (error: unknown) => {
		const bug = error instanceof Error ? error : new Error(String(error));
		abort(bug);
		closingSince ??= performance.now();
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
	return stop;
}

/** Combines what ends the program, and a broken stdout, into one abort signal. `report`: see `watchProcess`. */
export function watchInterrupts({stdout, watch}: System, report: (bug: Error) => void) {
	const controller = new AbortController();
	let isOutputClosed = false;
	let failure: Error | undefined;
	const stop = watch(reason => {
		if (!(reason instanceof InterruptedError)) failure ??= reason;
		controller.abort(reason);
	}, report);
	stdout.on('error', (error: NodeJS.ErrnoException) => {
		isOutputClosed ||= ['EPIPE', 'EIO', 'ECONNRESET'].includes(error.code ?? '');
		if (!isOutputClosed) failure ??= new OutputError(error);
		controller.abort(failure ?? new InterruptedError());
	});
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

/** Runs a command for at most the seconds that `flag` sets, if any; after that, prints `timedOut` and returns 124. */
export async function withTimeout(
	context: CommandContext,
	run: (context: CommandContext) => Promise<ExitCode>,
	timedOut: (seconds: number) => string,
	flag = 'timeout',
): Promise<ExitCode> {
	const seconds = context.flags.count(flag);
	if (seconds === undefined) return run(context);
	const ending = new AbortController();
	const cancel = context.clock.after(seconds * 1000, () => ending.abort());
	try {
		return await run({...context, signal: AbortSignal.any([context.signal, ending.signal])});
	} catch (error) {
		if (!ending.signal.aborted || context.signal.aborted) throw error;
		context.output.note(timedOut(seconds));
		return exitCodes.timedOut;
	} finally {
		cancel();
	}
}

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

/**
 * Combines signals and a broken stdout into one abort signal. A second signal ends the process immediately.
 */
export function watchInterrupts() {
	const controller = new AbortController();
	let isUnread = false;
	let failure: OutputError | undefined;
	const onSignal = () => {
		if (controller.signal.aborted) process.exit(exitCodes.interrupted);
		controller.abort(new InterruptedError());
	};
	const onOutputError = (error: NodeJS.ErrnoException) => {
		isUnread ||= ['EPIPE', 'EIO', 'ECONNRESET'].includes(error.code ?? '');
		if (!isUnread) failure ??= new OutputError(error);
		controller.abort(failure ?? new InterruptedError());
	};
	for (const name of signals) process.on(name, onSignal);
	process.stdout.on('error', onOutputError);
	return {
		signal: controller.signal,
		/** True once stdout's reader has exited (`quarterdeck ... | head`). */
		isUnread: () => isUnread,
		/** Throws if stdout could not be written, such as on a full disk. */
		checkOutput() {
			if (failure) throw failure;
		},
		stop() {
			for (const name of signals) process.off(name, onSignal);
		},
	};
}

/** Resolves when the signal is aborted, at once if it already is. */
export function untilAborted(signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve(), {once: true});
	});
}

import {exitCodes} from './exit-codes.ts';
import {InterruptedError} from './interrupted-error.ts';

/** What can end a command before it is done. */
export type Interrupts = {
	readonly signal: AbortSignal;
	/** The reader of stdout has gone (`quarterdeck ... | head`). */
	isUnread(): boolean;
	stop(): void;
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Turns signals and a closed stdout into one abort signal. A second signal ends the process at once. */
export function watchInterrupts(): Interrupts {
	const controller = new AbortController();
	let isUnread = false;
	const onSignal = () => {
		if (controller.signal.aborted) process.exit(exitCodes.interrupted);
		controller.abort(new InterruptedError());
	};
	const onOutputError = (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
		isUnread = true;
		controller.abort(new InterruptedError());
	};
	for (const name of signals) process.on(name, onSignal);
	process.stdout.on('error', onOutputError);
	// A closed stderr loses words only.
	process.stderr.on('error', () => undefined);
	return {
		signal: controller.signal,
		isUnread: () => isUnread,
		stop() {
			for (const name of signals) process.off(name, onSignal);
		},
	};
}

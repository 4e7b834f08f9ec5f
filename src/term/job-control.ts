/** Ink's own suspension (`useApp().suspendTerminal`): gives the terminal up, runs the callback, draws all again. */
export type SuspendTerminal = (callback: () => Promise<void> | void) => Promise<void>;

/** Ctrl+Z and its kin: one suspension at a time, whoever asks for it. */
export class JobControl {
	#suspendTerminal: SuspendTerminal | undefined;
	#isSuspended = false;
	readonly #stop: () => void;
	readonly #failed: (error: unknown) => void;

	/** `stop` stops the process and comes back when it goes on. */
	constructor(stop: () => void, failed: (error: unknown) => void) {
		this.#stop = stop;
		this.#failed = failed;
	}

	/** The mounted screen says how it is suspended; the returned function takes that back. */
	attach(suspendTerminal: SuspendTerminal): () => void {
		this.#suspendTerminal = suspendTerminal;
		return () => {
			this.#suspendTerminal = undefined;
		};
	}

	/** Stops the program until the shell lets it go on. Before there is a screen it does nothing. */
	suspend(): void {
		this.#during(this.#stop);
	}

	/** Stopped and let go on from outside: the shell may have used the terminal, so all is set and drawn again. */
	resumed(): void {
		this.#during(() => {});
	}

	#during(run: () => void): void {
		if (this.#isSuspended || !this.#suspendTerminal) return;
		this.#isSuspended = true;
		this.#suspendTerminal(run)
			.catch(this.#failed)
			.finally(() => {
				this.#isSuspended = false;
			});
	}
}

/**
 * Stops the whole job, as the terminal would. SIGTSTP in its default meaning, not SIGSTOP: where no shell could let
 * the job go on again (an orphaned group: the terminal runs us directly), the kernel ignores it instead of stopping
 * the program for ever. Comes back when the job goes on.
 */
export function stopJob(): void {
	const listeners = process.listeners('SIGTSTP');
	process.removeAllListeners('SIGTSTP');
	try {
		process.kill(0, 'SIGTSTP');
	} finally {
		for (const listener of listeners) process.on('SIGTSTP', listener);
	}
}

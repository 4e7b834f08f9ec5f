/** Ink's own suspension (`useApp().suspendTerminal`): gives the terminal up, runs the callback, draws all again. */
export type SuspendTerminal = (callback: () => Promise<void> | void) => Promise<void>;

/** The signal that we go on comes this soon after our own stop, ms. */
const ownContinue = 1000;

/** Who has the terminal: the screen, a program we started, or the shell. One hand-over at a time, whoever asks. */
export class JobControl {
	#suspendTerminal: SuspendTerminal | undefined;
	/** The hand-over under way, the giving and taking back included. */
	#current: Promise<void> | undefined;
	/** Somebody else has the terminal at this moment. */
	#isAway = false;
	#wentOnAt = Number.NEGATIVE_INFINITY;
	readonly #stop: () => void;
	readonly #failed: (error: unknown) => void;

	/** `stop` stops the job and comes back when it goes on. */
	constructor(stop: () => void, failed: (error: unknown) => void) {
		this.#stop = () => {
			stop();
			this.#wentOnAt = performance.now();
		};
		this.#failed = failed;
	}

	/** The mounted screen says how it is suspended; the returned function takes that back. */
	attach(suspendTerminal: SuspendTerminal): () => void {
		this.#suspendTerminal = suspendTerminal;
		return () => {
			this.#suspendTerminal = undefined;
		};
	}

	/** Ctrl+Z: stops the job until the shell lets it go on. Before there is a screen it does nothing. */
	suspend(): void {
		// A program we started has the terminal and is stopped itself: the shell waits for us to stop too.
		if (this.#isAway) this.#stop();
		else this.handOver(this.#stop).catch(this.#failed);
	}

	/** Stopped and let go on from outside: the shell may have used the terminal, so all is set and drawn again. */
	resumed(): void {
		const isOurs = performance.now() - this.#wentOnAt < ownContinue;
		if (!isOurs && !this.#isAway) this.handOver(() => {}).catch(this.#failed);
	}

	/** Gives the terminal to `run` for as long as it lasts, after any hand-over under way. Rejects with what it throws. */
	async handOver(run: () => Promise<void> | void): Promise<void> {
		while (this.#current) await this.#current.catch(() => {});
		if (!this.#suspendTerminal) return;
		this.#current = this.#suspendTerminal(async () => {
			this.#isAway = true;
			try {
				await run();
			} finally {
				this.#isAway = false;
			}
		});
		try {
			await this.#current;
		} finally {
			this.#current = undefined;
		}
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

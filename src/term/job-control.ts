import type {JobState} from './job-state.ts';

/** Ink's own suspension (`useApp().suspendTerminal`): gives the terminal up, runs the callback, draws all again. */
export type SuspendTerminal = (callback: () => Promise<void> | void) => Promise<void>;

/** SIGTSTP is the user's Ctrl+Z; SIGTTOU tells the shell that a background job wants its terminal. */
export type StopSignal = 'SIGTSTP' | 'SIGTTOU';

/** The signal that we go on comes this soon after our own stop, ms. */
const ownContinue = 1000;
/** How long a job that goes on in the background runs before it stops again, ms: signals sent along are handled first. */
const backgroundPause = 250;

export type JobControlOptions = {
	/** Stops the job and comes back when it goes on; at once where nothing can stop it. */
	readonly stop: (signal: StopSignal) => void;
	readonly state: () => JobState;
	/** The program may not go on: what the user typed goes to disk. */
	readonly stopping: () => void;
	/** The shell has taken the terminal: nothing must be read until `regained`. */
	readonly lost: () => void;
	readonly regained: () => void;
	readonly failed: (error: unknown) => void;
};

/** Who has the terminal: the screen, a program we started, or the shell. One hand-over at a time, whoever asks. */
export class JobControl {
	readonly #options: JobControlOptions;
	#suspendTerminal: SuspendTerminal | undefined;
	/** The hand-over under way, the giving and taking back included. */
	#current: Promise<void> | undefined;
	/** Somebody else has the terminal at this moment. */
	#isAway = false;
	/** The shell has it. */
	#isInShell = false;
	#isEnding = false;
	#wentOnAt = Number.NEGATIVE_INFINITY;

	constructor(options: JobControlOptions) {
		this.#options = options;
	}

	/** The shell has the terminal: not a byte may be written to it. */
	get isInShell(): boolean {
		return this.#isInShell;
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
		// In the background we stop anyway.
		if (this.#isInShell) return;
		// A program we started has the terminal and is stopped itself: the shell waits for us to stop too.
		if (this.#isAway) this.#stop('SIGTSTP');
		else this.handOver(() => this.#leaveToShell('SIGTSTP')).catch(this.#options.failed);
	}

	/** Stopped and let go on from outside: the shell may have used the terminal, so all is set and drawn again. */
	resumed(): void {
		const isOurs = performance.now() - this.#wentOnAt < ownContinue;
		if (isOurs || this.#isAway || this.#isInShell) return;
		if (this.#options.state() === 'background') this.lost();
		else this.redraw();
	}

	/** The shell has taken the terminal without our doing: waits for it, then draws all again. */
	lost(): void {
		if (this.#isInShell || this.#isEnding) return;
		this.untilForeground()
			.then(() => this.redraw())
			.catch(this.#options.failed);
	}

	redraw(): void {
		this.handOver(() => {}).catch(this.#options.failed);
	}

	/** Resolves at once in the foreground; in the background the job stops until the shell brings it back. */
	async untilForeground(): Promise<void> {
		if (this.#options.state() === 'background') await this.#leaveToShell();
	}

	/** The program ends: it must not stop any more. */
	end(): void {
		this.#isEnding = true;
		this.#isInShell = false;
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

	/** Stops, by `signal` at once or else when it has to, until the job is in the foreground. */
	async #leaveToShell(signal?: StopSignal): Promise<void> {
		const {state, lost, regained} = this.#options;
		this.#isInShell = true;
		lost();
		if (signal) this.#stop(signal);
		while (state() === 'background') {
			await new Promise(resolve => setTimeout(resolve, backgroundPause));
			// Whoever ends the program does so without the terminal.
			if (this.#isEnding) return new Promise(() => {});
			if (state() === 'background') this.#stop('SIGTTOU');
		}
		this.#isInShell = false;
		regained();
	}

	#stop(signal: StopSignal): void {
		this.#options.stopping();
		this.#options.stop(signal);
		this.#wentOnAt = performance.now();
	}
}

/**
 * Stops the whole job, as the terminal would. By signals that stop in their default meaning, not SIGSTOP: where no
 * shell could let the job go on again (an orphaned group: the terminal runs us directly), the kernel ignores them
 * instead of stopping the program for ever. Comes back when the job goes on.
 */
export function stopJob(signal: StopSignal): void {
	const listeners = process.listeners(signal);
	process.removeAllListeners(signal);
	try {
		process.kill(0, signal);
	} finally {
		for (const listener of listeners) process.on(signal, listener);
	}
}

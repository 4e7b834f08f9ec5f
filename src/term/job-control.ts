import type {JobState} from './job-state.ts';

/** Ink's `useApp().suspendTerminal`: releases the terminal, runs the callback, redraws everything. */
export type SuspendTerminal = (callback: () => Promise<void> | void) => Promise<void>;

/** SIGTSTP is the user's Ctrl+Z; SIGTTOU tells the shell that a background job wants the terminal. */
export type StopSignal = 'SIGTSTP' | 'SIGTTOU';

/** A SIGCONT within this time (ms) follows our own stop. */
const ownContinueWindow = 1000;
/** How long a job continued in the background handles signals before it stops again, ms. */
const backgroundPause = 250;

export type JobControlOptions = {
	/** Stops the job and returns when it continues, or immediately where nothing can stop it. */
	readonly stop: (signal: StopSignal) => void;
	readonly state: () => JobState;
	/** Called before each stop, as the job may never continue: saves what the user typed. */
	readonly stopping: () => void;
	/** The shell has taken the terminal: read nothing until `regained`. */
	readonly lost: () => void;
	readonly regained: () => void;
	readonly failed: (error: unknown) => void;
};

/**
 * Tracks who has the terminal: the screen, a program we started, or the shell. Runs one hand-over at a time.
 */
export class JobControl {
	readonly #options: JobControlOptions;
	#suspendTerminal: SuspendTerminal | undefined;
	/** The hand-over in progress, including releasing and reclaiming the terminal. */
	#current: Promise<void> | undefined;
	/** Another program has the terminal. */
	#isAway = false;
	/** The shell has the terminal. */
	#isInShell = false;
	#isEnding = false;
	#continuedAt = Number.NEGATIVE_INFINITY;

	constructor(options: JobControlOptions) {
		this.#options = options;
	}

	/** The shell has the terminal: nothing may be written to it. */
	get isInShell(): boolean {
		return this.#isInShell;
	}

	/** Another program, or the shell, has the terminal: the screen isn't visible. */
	get isAway(): boolean {
		return this.#isAway || this.#isInShell;
	}

	/** Registers how the mounted screen is suspended; the returned function unregisters it. */
	attach(suspendTerminal: SuspendTerminal): () => void {
		this.#suspendTerminal = suspendTerminal;
		return () => {
			this.#suspendTerminal = undefined;
		};
	}

	/** Ctrl+Z: stops the job until the shell continues it. Does nothing before the screen is mounted. */
	suspend(): void {
		// In the background the job stops anyway.
		if (this.#isInShell) return;
		// A program we started has the terminal and stops too; the shell waits until we stop as well.
		if (this.#isAway) this.#stop('SIGTSTP');
		else this.handOver(() => this.#leaveToShell('SIGTSTP')).catch(this.#options.failed);
	}

	/** Redraws, as others may have changed what the terminal shows: after the job was stopped from outside, for one. */
	resumed(): void {
		const isOurs = performance.now() - this.#continuedAt < ownContinueWindow;
		if (isOurs || this.#isAway || this.#isInShell) return;
		if (this.#options.state() === 'background') this.lost();
		else this.redraw();
	}

	/** The shell took the terminal on its own: waits to get it back, then redraws everything. */
	lost(): void {
		if (this.#isInShell || this.#isEnding) return;
		this.untilForeground()
			.then(() => this.redraw())
			.catch(this.#options.failed);
	}

	redraw(): void {
		this.handOver(() => {}).catch(this.#options.failed);
	}

	/** Resolves in the foreground; in the background, stops the job until the shell brings it back. */
	async untilForeground(): Promise<void> {
		if (this.#options.state() === 'background') await this.#leaveToShell();
	}

	/** The program is exiting and must not stop anymore. */
	end(): void {
		this.#isEnding = true;
		this.#isInShell = false;
	}

	/** Gives the terminal to `run`, after any hand-over in progress. Rejects with what `run` throws. */
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

	/** Stops the job until it is in the foreground: first with `signal` if given, later only while in the background. */
	async #leaveToShell(signal?: StopSignal): Promise<void> {
		const {state, lost, regained} = this.#options;
		this.#isInShell = true;
		lost();
		if (signal) this.#stop(signal);
		while (state() === 'background') {
			await new Promise(resolve => setTimeout(resolve, backgroundPause));
			// Never resolves: the code that ends the program does so without the terminal.
			if (this.#isEnding) return new Promise(() => {});
			if (state() === 'background') this.#stop('SIGTTOU');
		}
		this.#isInShell = false;
		regained();
	}

	#stop(signal: StopSignal): void {
		this.#options.stopping();
		this.#options.stop(signal);
		this.#continuedAt = performance.now();
	}
}

/**
 * Stops the whole job, as the terminal would; returns when it continues. Uses signals that stop by default,
 * not SIGSTOP: where no shell could continue the job (an orphaned group: the terminal runs us directly), the
 * kernel ignores them instead of stopping the program forever.
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

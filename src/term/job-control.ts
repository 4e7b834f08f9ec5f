import {readFileSync} from 'node:fs';

/** Ink's `useApp().suspendTerminal`: releases the terminal, runs the callback, redraws everything. */
export type SuspendTerminal = (callback: () => Promise<void> | void) => Promise<void>;

/** A SIGCONT within this time (ms) follows our own stop. */
const ownContinueWindow = 1000;
/** How long a job continued in the background handles signals before it stops again, ms. */
const backgroundPause = 250;

type JobControlOptions = {
	/** Stops the job and returns when it continues, or immediately where nothing can stop it. */
	readonly stop: () => void;
	readonly state: () => JobState;
	/** Called before each stop, as the job may never continue: saves what the user typed. */
	readonly stopping: () => void;
	readonly failed: (error: unknown) => void;
};

/** Gives the terminal to the shell, or to a program we started. Runs one hand-over at a time. */
export class JobControl {
	readonly #options: JobControlOptions;
	#suspendTerminal: SuspendTerminal | undefined;
	/** The hand-over in progress, including releasing and reclaiming the terminal. */
	#current: Promise<void> | undefined;
	#isAway = false;
	#isEnding = false;
	#continuedAt = Number.NEGATIVE_INFINITY;

	constructor(options: JobControlOptions) {
		this.#options = options;
	}

	/** Another program, or the shell, has the terminal: the screen isn't visible. */
	get isAway(): boolean {
		return this.#isAway;
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
		// A program we started has the terminal and stops too; the shell waits until we stop as well.
		if (this.#isAway) this.#stop();
		else this.#leaveToShell(() => this.#stop());
	}

	/** Redraws after the job was stopped from outside, as the shell may have changed what the terminal shows. */
	continued(): void {
		const isOurs = performance.now() - this.#continuedAt < ownContinueWindow;
		if (!isOurs && !this.#isAway) this.redraw();
	}

	/** Draws everything again, once we are in the foreground. */
	redraw(): void {
		this.#leaveToShell(() => {});
	}

	/** Resolves in the foreground; in the background, stops the job until the shell brings it back. */
	async untilForeground(): Promise<void> {
		while (this.#options.state() === 'background') {
			await new Promise(resolve => setTimeout(resolve, backgroundPause));
			// Never resolves: the code that ends the program does so without the terminal.
			if (this.#isEnding) return new Promise(() => {});
			if (this.#options.state() === 'background') this.#stop();
		}
	}

	/** The program is exiting and must not stop anymore. */
	end(): void {
		this.#isEnding = true;
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

	#leaveToShell(stop: () => void): void {
		const run = async () => {
			stop();
			await this.untilForeground();
		};
		this.handOver(run).catch(this.#options.failed);
	}

	#stop(): void {
		this.#options.stopping();
		this.#options.stop();
		this.#continuedAt = performance.now();
	}
}

/**
 * Stops the whole job, as the terminal would; returns when it continues. Not by SIGSTOP: where no shell could continue
 * the job (an orphaned group: the terminal runs us directly), the kernel ignores SIGTSTP.
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

/** Our side of the shell's job control; `undefined` without a terminal or if the system doesn't say. */
type JobState = 'foreground' | 'background' | undefined;

/** Reads the state from the kernel, or runs `ps` where the kernel has no such file (macOS, BSD): call it rarely. */
export function jobState(): JobState {
	const [group = 0, foreground = 0] = readGroups();
	if (foreground <= 0) return undefined;
	return group === foreground ? 'foreground' : 'background';
}

/** Our process group, and the one that has the terminal: 0 or -1 without a terminal. */
function readGroups(): readonly number[] {
	if (process.platform === 'win32') return [];
	try {
		if (process.platform !== 'linux') return askPs();
		const stat = readFileSync('/proc/self/stat', 'latin1');
		// proc(5): after the name, which may contain anything.
		const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return [Number(group), Number(foreground)];
	} catch {
		return [];
	}
}

function askPs(): readonly number[] {
	const {execFileSync} = process.getBuiltinModule('node:child_process');
	const line = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], {
		encoding: 'latin1',
		stdio: ['ignore', 'pipe', 'ignore'],
		timeout: 1000,
	});
	return line.trim().split(/\s+/).map(Number);
}

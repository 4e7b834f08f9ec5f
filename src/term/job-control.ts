import {closeSync, constants, openSync, readSync} from 'node:fs';

/** Ink's `useApp().suspendTerminal`: releases the terminal, runs the callback, redraws everything. */
export type SuspendTerminal = (callback: () => Promise<void> | void) => Promise<void>;

/**
 * Stops the whole job until the shell brings it to the foreground: if it continues in the background, the kernel stops it
 * again, as `stty` may not set the terminal there. No shell could continue a job that the terminal runs directly, but
 * SIGTSTP doesn't stop it.
 */
const stop = 'before=$(stty -g); kill -TSTP 0; stty "$before"';

type JobControlOptions = {
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

	constructor(options: JobControlOptions) {
		this.#options = options;
		process.on('SIGTSTP', this.suspend);
		process.on('SIGCONT', () => this.redraw());
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
	readonly suspend = (): void => {
		this.#leave(async () => {
			this.#options.stopping();
			await runScript(stop);
		});
	};

	/** Draws everything again: the shell or another program may have changed what the terminal shows. */
	redraw(): void {
		if (!this.#isAway) this.#leave(() => {});
	}

	/** Gives the terminal to `run`, after any hand-over in progress. Rejects with what `run` throws. */
	async handOver(run: () => Promise<void> | void): Promise<void> {
		while (this.#current) await this.#current.catch(() => {});
		if (!this.#suspendTerminal) return;
		this.#current = this.#suspendTerminal(async () => {
			this.#isAway = true;
			// Stops us together with the other program.
			process.off('SIGTSTP', this.suspend);
			try {
				await run();
			} finally {
				// A signal that ended the program may have been for us, too.
				await new Promise(setImmediate);
				process.on('SIGTSTP', this.suspend);
				this.#isAway = false;
			}
		});
		try {
			await this.#current;
		} finally {
			this.#current = undefined;
		}
	}

	#leave(run: () => Promise<void> | void): void {
		this.handOver(run).catch(this.#options.failed);
	}
}

/**
 * Returns in the foreground: the kernel stops a job that reads from the terminal in the background (`quarterdeck &`). What
 * it read is the first byte of a line that was typed before; mostly there is none.
 */
export function untilForeground(): Buffer {
	const byte = Buffer.alloc(1);
	try {
		const terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK);
		try {
			return byte.subarray(0, readSync(terminal, byte));
		} finally {
			closeSync(terminal);
		}
	} catch {
		return byte.subarray(0, 0);
	}
}

/** Resolves when the script has ended, or couldn't start; never if a signal ended it, which ends us, too. */
function runScript(script: string): Promise<void> {
	const {spawn} = process.getBuiltinModule('node:child_process');
	return new Promise(resolve => {
		const child = spawn('sh', ['-c', script], {stdio: ['inherit', 'ignore', 'ignore']});
		child.once('error', () => resolve());
		child.once('exit', (_, signal) => {
			if (signal === null) resolve();
		});
	});
}

import {runSliced} from '../../api/run-sliced.ts';
import {onNextWrite} from '../../db/file/watch-file.ts';
import type {Clock} from '../../domain/clock.ts';
import {removeStream, type Stream, type StreamPhase, type StreamStore} from '../../state/stream.ts';
import {NoTranscriptError, TranscriptError} from '../../transcripts/transcript-file.ts';
import {problemOf} from '../core/problem.ts';
import type {SessionFollower} from '../messages/open-sessions.ts';
import {TranscriptWindow} from './transcript-window.ts';

type TranscriptFollowerOptions = {
	readonly sessionId: string;
	readonly path: string;
	readonly clock: Clock;
	readonly streams: StreamStore;
};

/** Time between two reads of the file, in case its folder can't be watched, and delay after a write, ms. */
const interval = 2_000;
const settleDelay = 50;

/** Keeps the stream of a session outside the service up to date, from its transcript. Makes no requests. */
export class TranscriptFollower implements SessionFollower {
	readonly #options: TranscriptFollowerOptions;
	readonly #ending = new AbortController();
	#shown: Stream | undefined;
	#window: TranscriptWindow | undefined;
	#phase: StreamPhase = {name: 'loading'};
	#cancelWatch = () => {};
	#cancelTimer = () => {};
	/** Whether the user has left the newest messages: what they read stays in memory. */
	#isReadingOlder = false;
	#loadingOlder: Promise<void> | undefined;

	constructor(options: TranscriptFollowerOptions) {
		this.#options = options;
		this.#read();
	}

	kick(): void {
		this.#read();
	}

	refresh(): void {
		this.#read();
	}

	setFocused(): void {}

	loadOlder(): Promise<void> {
		this.#isReadingOlder = true;
		return this.#loadOlder();
	}

	loadNewer(): void {
		this.#change(window => window.newer());
	}

	showMessage(id: string): void {
		this.#isReadingOlder = true;
		this.#change(window => window.goTo(id));
	}

	showNewest(): void {
		this.#isReadingOlder = false;
		this.#change(window => window.goToEnd());
	}

	/** A transcript has no gaps. */
	async fillGap(): Promise<void> {}

	async readRest(): Promise<void> {}

	async close(): Promise<void> {
		this.#ending.abort();
		this.#cancelWaits();
		this.#window?.close();
		this.#window = undefined;
		removeStream(this.#options.streams, this.#shown);
	}

	/** Reads what was written, and again after the next write. */
	#read(): void {
		const {path, clock} = this.#options;
		this.#cancelWaits();
		this.#cancelWatch = onNextWrite(path, () => {
			this.#cancelWatch = clock.after(settleDelay, () => this.#read());
		});
		this.#cancelTimer = clock.after(interval, () => this.#read());
		if (this.#window) this.#try(() => this.#update());
		else this.#open();
	}

	#cancelWaits(): void {
		this.#cancelWatch();
		this.#cancelTimer();
	}

	#update(): void {
		const isChanged = this.#window?.update(this.#isReadingOlder);
		if (isChanged === undefined) this.#open();
		else if (isChanged || this.#phase.name !== 'ready') this.#show({name: 'ready'});
	}

	/** Opens the file, or the one that has replaced it, and shows its end. */
	#open(): void {
		this.#window?.close();
		this.#window = undefined;
		this.#isReadingOlder = false;
		this.#try(() => {
			this.#window = new TranscriptWindow(this.#options.path);
			this.#show({name: 'ready'});
		});
		void this.#loadOlder();
	}

	async #loadOlder(): Promise<void> {
		const window = this.#window;
		if (!window) return;
		this.#loadingOlder ??= runSliced(this.#older(window), this.#options.clock.now, this.#ending)
			.catch(error => {
				if (!this.#ending.signal.aborted) throw error;
			})
			.finally(() => {
				this.#loadingOlder = undefined;
			});
		await this.#loadingOlder;
	}

	*#older(window: TranscriptWindow): Generator<void> {
		const steps = window.older();
		for (let isOver = false; !isOver && window === this.#window; ) {
			this.#try(() => {
				isOver = steps.next().done === true;
			});
			yield;
		}
		if (window === this.#window) this.#show(this.#phase);
	}

	/** Changes what is shown, if there is a file to read. */
	#change(change: (window: TranscriptWindow) => void): void {
		const window = this.#window;
		if (!window) return;
		this.#try(() => {
			change(window);
			this.#show({name: 'ready'});
		});
	}

	#try(run: () => void): void {
		try {
			run();
		} catch (error) {
			if (!(error instanceof TranscriptError)) throw error;
			const problem = {
				...problemOf(error, this.#options.clock.now()),
				isMissing: error instanceof NoTranscriptError,
			};
			const phase = this.#phase;
			if (phase.name !== 'failed' || phase.problem.what !== problem.what)
				this.#show({name: 'failed', problem});
		}
	}

	#show(phase: StreamPhase): void {
		if (this.#ending.signal.aborted) return;
		this.#phase = phase;
		const {sessionId, path, clock, streams} = this.#options;
		const {hasOlder = false, hasNewer = false, unreadable = 0} = this.#window ?? {};
		const shown: Stream = {
			sessionId,
			entries: this.#window?.entries() ?? [],
			hasOlder,
			hasNewer,
			phase,
			readAt: clock.now(),
			transcript: {path, unreadable},
		};
		this.#shown = shown;
		streams.setState(({open}) => ({open: new Map(open).set(sessionId, shown)}));
	}
}

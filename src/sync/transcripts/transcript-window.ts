import type {StreamEntry} from '../../state/stream.ts';
import {type Lines, TranscriptFile, type TranscriptLine} from '../../transcripts/transcript-file.ts';
import {messageIn} from '../../transcripts/transcript-line.ts';

export type TranscriptEntry = StreamEntry & {readonly kind: 'message'};

/** Messages to load at a time, and maximum numbers of messages, of bytes of their lines, and of unreadable lines. */
const step = 200;
const maxEntries = 2000;
const maxBytes = 48 * 1024 * 1024;
const maxUnreadable = 10_000;
/** Maximum bytes to read in one go, while the user waits. */
const maxAtOnce = 8 * 1024 * 1024;

type Loaded = {readonly entry: TranscriptEntry; readonly line: TranscriptLine};

/** Consecutive messages of a transcript. The id of a message is the offset of its line in the file. */
export class TranscriptWindow {
	readonly #file: TranscriptFile;
	#loaded: readonly Loaded[] = [];
	/** Offsets of the lines so far that could not be read. */
	readonly #unreadable = new Set<number>();
	/** The bytes that the window covers. */
	#start: number;
	#end: number;

	/** Starts with the last lines. Throws `TranscriptError`. */
	constructor(path: string) {
		this.#file = new TranscriptFile(path);
		this.#start = this.#file.end;
		this.#end = this.#file.end;
		try {
			this.#addOlder();
		} catch (error) {
			this.#file.close();
			throw error;
		}
	}

	entries(): readonly TranscriptEntry[] {
		return this.#loaded.map(({entry}) => entry);
	}

	/** Number of lines so far that could not be read. */
	get unreadable(): number {
		return this.#unreadable.size;
	}

	get hasOlder(): boolean {
		return this.#start > 0;
	}

	get hasNewer(): boolean {
		return this.#end < this.#file.end;
	}

	/** Loads older messages, a block of the file with each step, of at most about `maxBytes`. */
	*older(maxBytes = Number.POSITIVE_INFINITY): Generator<void> {
		const [before, end] = [this.#loaded.length, this.#start];
		while (this.hasOlder && this.#loaded.length < before + step && end - this.#start < maxBytes) {
			this.#addOlder();
			yield;
		}
		// The user scrolls away from these.
		this.#drop('newest');
	}

	/** Loads newer messages, at most about `limit`. */
	newer(limit = step): void {
		const [before, start] = [this.#loaded.length, this.#end];
		const isEnough = () => this.#loaded.length >= before + limit || this.#end - start >= maxAtOnce;
		while (this.hasNewer && !isEnough()) this.#addNewer();
		this.#drop('oldest');
	}

	/** Shows the messages around one of them; does nothing if no line begins there. */
	goTo(id: string): void {
		const offset = Number(id);
		const isLoaded = this.#loaded.some(({entry}) => entry.id === id);
		if (isLoaded || !/^\d{1,16}$/.test(id) || !this.#file.isLineStart(offset)) return;
		this.#startAt(offset);
		this.newer();
		for (const _ of this.older(maxAtOnce));
	}

	goToEnd(): void {
		if (this.hasNewer) {
			this.#startAt(this.#file.end);
			for (const _ of this.older(maxAtOnce));
		} else this.#drop('oldest', step);
	}

	/**
	 * Reads what was added to the file. Returns whether anything was; undefined if the file was replaced.
	 * `isReadingOlder`: keeps the messages that the user reads, even if there is no room for new ones then.
	 */
	update(isReadingOlder: boolean): boolean | undefined {
		const wasAtEnd = !this.hasNewer;
		const before = this.#file.end;
		if (!this.#file.update()) return undefined;
		if (this.#file.end === before) return false;
		if (!isReadingOlder && this.#file.end - this.#end > maxAtOnce) this.goToEnd();
		else if (wasAtEnd && !(isReadingOlder && this.#isFull())) this.newer(Number.POSITIVE_INFINITY);
		return true;
	}

	close(): void {
		this.#file.close();
	}

	#startAt(offset: number): void {
		this.#loaded = [];
		this.#start = offset;
		this.#end = offset;
	}

	#addOlder(): void {
		const lines = this.#file.before(this.#start);
		this.#loaded = [...this.#read(lines), ...this.#loaded];
		this.#start = lines.start;
	}

	#addNewer(): void {
		const lines = this.#file.from(this.#end);
		this.#loaded = [...this.#loaded, ...this.#read(lines)];
		// The file may have been shortened since.
		this.#end = lines.end > this.#end ? lines.end : this.#file.end;
		if (this.#loaded.length > 2 * maxEntries) this.#drop('oldest');
	}

	#read({lines}: Lines): Loaded[] {
		return lines.flatMap((line): Loaded[] => {
			const entry = entryOf(line);
			if (entry === 'unreadable') {
				if (this.#unreadable.size < maxUnreadable) this.#unreadable.add(line.offset);
				return [];
			}
			return entry ? [{entry, line}] : [];
		});
	}

	#isFull(): boolean {
		return this.#fitting('newest', maxEntries) < this.#loaded.length || this.#loaded.length >= maxEntries;
	}

	/** Drops messages at one end until the others fit into memory. */
	#drop(end: 'oldest' | 'newest', limit = maxEntries): void {
		const count = this.#fitting(end === 'oldest' ? 'newest' : 'oldest', limit);
		if (count === this.#loaded.length) return;
		if (end === 'oldest') {
			this.#loaded = this.#loaded.slice(-count);
			this.#start = this.#loaded[0]?.line.offset ?? this.#start;
		} else {
			this.#loaded = this.#loaded.slice(0, count);
			this.#end = this.#loaded.at(-1)?.line.end ?? this.#end;
		}
	}

	/** How many messages fit into memory, counted from one end. */
	#fitting(from: 'oldest' | 'newest', limit: number): number {
		const ordered = from === 'oldest' ? this.#loaded : this.#loaded.toReversed();
		let bytes = 0;
		const tooMany = ordered.findIndex(({line}, index) => {
			bytes += line.end - line.offset;
			return index >= limit || (index > 0 && bytes > maxBytes);
		});
		return tooMany < 0 ? ordered.length : tooMany;
	}
}

/** The message of a line; undefined if it has none. */
export function entryOf(line: TranscriptLine): TranscriptEntry | 'unreadable' | undefined {
	const read = messageIn(line);
	return read === undefined || read === 'unreadable' ? read : {kind: 'message', ...read};
}

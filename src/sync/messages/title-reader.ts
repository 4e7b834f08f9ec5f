import {AbortError, isServiceError} from '../../api/errors.ts';
import {isStorageError} from '../../db/file/storage-error.ts';
import type {KnownSession} from '../../domain/known.ts';
import {explicitRole} from '../../domain/messages/message.ts';
import {oldestFirst, type PageOrder} from '../../domain/messages/timeline.ts';
import {firstUserWords, type RoledMessage} from '../../domain/sessions/activity.ts';
import type {EngineParts} from '../engine-parts.ts';
import {createPageReader, fullPage, type ReadPage, walk} from './listing.ts';

/** Maximum number of reads for one session's first words, and the minimum time between them, ms. */
const maxTries = 3;
const retryAfter = 60_000;
/** Pages of user messages read at most: a session with more of them keeps its id as its name. */
const maxPages = 5;
/** Messages per page where the first page holds the oldest: the first of them are often invisible. */
const oldestPage = 20;

/** Finds the first words of sessions without a title, one session at a time. */
export class TitleReader {
	readonly #options: EngineParts;
	readonly #onDone: () => void;
	/** Sessions whose first words are to be found. */
	readonly #untitled = new Set<string>();
	/** Number of reads for each session so far, and when it may be read again, Unix ms. */
	readonly #tries = new Map<string, {readonly count: number; readonly dueAt: number}>();
	#reading: {readonly id: string; readonly done: Promise<void>; readonly ending: AbortController} | undefined;

	/** `onDone` is called after each read, since the next may start. */
	constructor(options: EngineParts, onDone: () => void) {
		this.#options = options;
		this.#onDone = onDone;
	}

	/** Call when a watched session is new or has changed. */
	update(known: KnownSession): void {
		if (isUntitled(known)) this.#untitled.add(known.id);
		else this.#untitled.delete(known.id);
	}

	remove(sessionId: string): void {
		this.#untitled.delete(sessionId);
		this.#tries.delete(sessionId);
		if (this.#reading?.id === sessionId) this.#reading.ending.abort();
	}

	/** Starts the next read that is due, if none is under way. */
	next(): void {
		if (this.#reading) return;
		const now = this.#options.clock.now();
		const triesOf = (id: string) => this.#tries.get(id) ?? {count: 0, dueAt: 0};
		const id = [...this.#untitled].find(id => triesOf(id).count < maxTries && triesOf(id).dueAt <= now);
		if (id === undefined) return;
		this.#tries.set(id, {count: triesOf(id).count + 1, dueAt: now + retryAfter});
		const ending = new AbortController();
		const done = this.#read(id, ending.signal).finally(() => {
			this.#reading = undefined;
			this.#onDone();
		});
		this.#reading = {done, ending, id};
	}

	/** Aborts the read under way; resolves when it has ended. */
	async stop(): Promise<void> {
		this.#reading?.ending.abort();
		await this.#reading?.done;
	}

	async #read(sessionId: string, signal: AbortSignal): Promise<void> {
		const {registry, database} = this.#options;
		try {
			const {pageOrder} = database.messages.listing(sessionId);
			const read = createPageReader(this.#options, sessionId, {signal, priority: 'watch'});
			const title = await readFirstWords(read, pageOrder);
			const activity = registry.session(sessionId)?.activity;
			if (!activity || activity.title !== undefined) return;
			registry.setActivity(sessionId, {...activity, title, isUntitled: title === undefined});
		} catch (error) {
			// Retried later.
			if (!(error instanceof AbortError) && !isServiceError(error) && !isStorageError(error)) throw error;
		}
	}
}

/** Whether a session's first words would name it, and are still to be found. */
function isUntitled({name, session, activity}: KnownSession): boolean {
	return !name && !session?.title && activity?.title === undefined && activity?.isUntitled === false;
}

/**
 * Reads the first words of a session's first user message from the `role=user` listing; undefined if it has none or too
 * many messages.
 */
async function readFirstWords(read: ReadPage, pageOrder: PageOrder | undefined): Promise<string | undefined> {
	const isOldestFirst = pageOrder === 'oldest-first';
	let words: string | undefined;
	let count = 0;
	const limit = isOldestFirst ? oldestPage : fullPage;
	for await (const {items, isEnd} of walk(read, {role: 'user', limit})) {
		const messages = oldestFirst(items, pageOrder).map((message): RoledMessage => {
			return {message, role: explicitRole(message).role ?? 'user'};
		});
		const found = firstUserWords(messages);
		if (isOldestFirst && found !== undefined) return found;
		words = found ?? words;
		if (isEnd) break;
		if (++count === maxPages) return undefined;
	}
	return words;
}

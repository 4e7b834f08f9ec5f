import type {Database, FoundMessage} from '../db/database.ts';
import {isStorageError} from '../db/storage-error.ts';
import {bitByBit} from './bit-by-bit.ts';
import type {Clock} from './clock.ts';

/** What was found in a session so far. */
export type Finding = {
	/** Ids of all messages that hold the words, newest first. */
	readonly ids: readonly string[];
	/** The first of them that is not newer than the message the reader is at; the last when all are. */
	readonly nearest?: string;
	readonly isOver: boolean;
};

/** What was found in all sessions so far: how many messages, and the newest of them once all were counted. */
export type Searching = {
	readonly count: number;
	readonly found: readonly FoundMessage[];
	readonly isOver: boolean;
};

/**
 * Looks for words in the kept messages, in turns that never hold up a key. A new search of a kind ends the one before;
 * `told` is called at once, perhaps several times, until it is over.
 */
export type Searcher = {
	inSession(
		sessionId: string,
		words: string,
		from: string | undefined,
		told: (finding: Finding) => void,
	): void;
	endInSession(): void;
	inAll(words: string, limit: number, told: (searching: Searching) => void): void;
	endInAll(): void;
};

export function createSearcher(
	messages: Pick<Database['messages'], 'find' | 'search'>,
	clock: Clock,
): Searcher {
	let endInSession = () => {};
	let endInAll = () => {};
	return {
		inSession(sessionId, words, from, told) {
			endInSession();
			const ids: string[] = [];
			let nearest: string | undefined;
			const steps = untilUnreadable(messages.find(sessionId, words, from));
			endInSession = bitByBit(clock, steps, (done, isOver) => {
				for (const step of done) {
					nearest ??= step.ids[step.newer];
					for (const id of step.ids) ids.push(id);
				}
				if (isOver) nearest ??= ids.at(-1);
				told({ids: isOver ? ids : [...ids], isOver, ...(nearest !== undefined && {nearest})});
			});
		},
		endInSession: () => endInSession(),
		inAll(words, limit, told) {
			endInAll();
			const found: FoundMessage[] = [];
			let count = 0;
			endInAll = bitByBit(clock, untilUnreadable(messages.search(words, limit)), (done, isOver) => {
				for (const step of done) {
					count += step.added;
					found.push(...step.found);
				}
				told({count, found: [...found], isOver});
			});
		},
		endInAll: () => endInAll(),
	};
}

/** A file that can't be read holds nothing more: that it can't is told where it is kept. */
function* untilUnreadable<Step>(steps: Iterable<Step>): Generator<Step> {
	try {
		yield* steps;
	} catch (error) {
		if (!isStorageError(error)) throw error;
	}
}

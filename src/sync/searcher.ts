import type {Database, FoundMessage} from '../db/database.ts';
import {isStorageError} from '../db/storage-error.ts';
import {bitByBit} from './bit-by-bit.ts';
import type {Clock} from './clock.ts';

/** What was found in a session so far: `idAt` tells which message is meant by a number. */
export type Finding = {
	readonly count: number;
	/** The first that is not newer than the message the reader is at, once there is one; the last when all are newer. */
	readonly nearest?: number;
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
	/** The id of a message that was found in the session, the newest being number 0; absent when it is gone. */
	idAt(number: number): string | undefined;
	endInSession(): void;
	inAll(words: string, limit: number, told: (searching: Searching) => void): void;
	endInAll(): void;
};

export function createSearcher(
	messages: Pick<Database['messages'], 'find' | 'idOf' | 'search'>,
	clock: Clock,
): Searcher {
	/** What was found in the session last, as keys of messages: outside of V8's heap, where each search leaves nothing old. */
	let found: Uint32Array[] = [];
	let endInSession = () => {};
	let endInAll = () => {};
	return {
		inSession(sessionId, words, from, told) {
			endInSession();
			const parts: Uint32Array[] = [];
			found = parts;
			let count = 0;
			let nearest: number | undefined;
			const steps = untilUnreadable(messages.find(sessionId, words, from));
			endInSession = bitByBit(clock, steps, (done, isOver) => {
				for (const {keys, newer} of done) {
					if (newer < keys.length) nearest ??= count + newer;
					if (keys.length > 0) parts.push(Uint32Array.from(keys));
					count += keys.length;
				}
				if (isOver && count > 0) nearest ??= count - 1;
				told({count, isOver, ...(nearest !== undefined && {nearest})});
			});
		},
		idAt(number) {
			let at = number;
			for (const part of found) {
				const key = part[at];
				if (key !== undefined) return messages.idOf(key);
				at -= part.length;
			}
			return undefined;
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

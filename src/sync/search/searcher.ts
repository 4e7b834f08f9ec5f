import type {Database, FoundMessage} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import type {FindProgress, Found} from '../../state/view/find.ts';
import {stopOnStorageError} from '../core/safe-write.ts';
import {runInTimeSlices, typingDelay} from '../core/time-slices.ts';

export type Searcher = ReturnType<typeof createSearcher>;

/** Searches cached messages in time slices; a new search ends the previous one of its kind. */
export function createSearcher(messages: Pick<Database['messages'], 'find' | 'search'>, clock: Clock) {
	let inSession: FindInSession | undefined;
	let inAll: SearchInAll | undefined;
	return {
		/**
		 * Searches one session. The cursor starts at the message `from`, or at the newest. `onUpdate` is called
		 * immediately, possibly several times until the search is complete, and then whenever messages are written,
		 * until `endInSession`.
		 */
		inSession(
			sessionId: string,
			words: string,
			from: string | undefined,
			onUpdate: (finding: FindProgress) => void,
		): void {
			inSession?.end();
			inSession = findInSession(messages, clock, {sessionId, words, from, onUpdate});
			inSession.begin();
		},
		/**
		 * Moves the cursor to the next newer match (`1`), to the next older one (`-1`), wrapping around the ends
		 * once they are known, or to the first match that isn't newer than the cursor (`0`). Returns `undefined` if
		 * there is none.
		 */
		move: (by: 1 | 0 | -1): Found | undefined => inSession?.move(by),
		endInSession(): void {
			inSession?.end();
			inSession = undefined;
		},
		/**
		 * Searches all sessions; the newest `limit` matches can be read. `onUpdate` is called after a short delay,
		 * possibly several times until the search is complete, and whenever more matches are read.
		 */
		inAll(words: string, limit: number, onUpdate: (searching: SearchProgress) => void): void {
			inAll?.end();
			inAll = searchInAll(messages, clock, {words, limit, onUpdate});
			inAll.begin();
		},
		/** Reads more matches of the search in all sessions, if there are more to list. */
		readMore: (): void => inAll?.readMore(),
		endInAll(): void {
			inAll?.end();
			inAll = undefined;
		},
	};
}

type FindInSession = ReturnType<typeof findInSession>;

type FindRequest = {
	readonly sessionId: string;
	readonly words: string;
	readonly from: string | undefined;
	readonly onUpdate: (finding: FindProgress) => void;
};

/** How long new messages are collected before they are searched, ms. */
const collectTime = 50;

/** One search in a session. `onUpdate` is not called before `begin` or after `end`. */
function findInSession(
	messages: Pick<Database['messages'], 'find'>,
	clock: Clock,
	{sessionId, words, from, onUpdate}: FindRequest,
) {
	let isOver = false;
	let isUnreadable = false;
	let cancelCollecting: (() => void) | undefined;
	let endSteps = () => {};
	/** The number of matches reported last, if any was. */
	let reported: number | undefined;
	const matches = messages.find(sessionId, words, {from, onWritten});

	function progress(): FindProgress {
		const {count} = matches;
		const at = unlessStorageFails(() => ({newer: matches.newer, isAtCursor: matches.isAtCursor}));
		return {
			count,
			...(at ?? {newer: 0, isAtCursor: false}),
			isOver,
			isIncomplete: isUnreadable || !at || matches.isIncomplete === true,
		};
	}

	function report(): void {
		reported = matches.count;
		onUpdate(progress());
	}

	function onUnreadable(): void {
		isUnreadable = true;
	}

	function onWritten(): void {
		cancelCollecting ??= clock.after(collectTime, () => {
			cancelCollecting = undefined;
			unlessStorageFails(matches.update);
			report();
		});
	}

	function search(): void {
		endSteps = runInTimeSlices(clock, stopOnStorageError(matches.steps, onUnreadable), isLast => {
			isOver = isLast;
			// A long search collects keys first, and has nothing to show until it sorts them.
			if (isOver || matches.count !== reported) report();
		});
	}

	return {
		begin() {
			if (unlessStorageFails(() => matches.isLong)) {
				report();
				endSteps = clock.after(typingDelay, search);
			} else search();
		},
		move: (by: 1 | 0 | -1): Found | undefined =>
			unlessStorageFails(() => {
				matches.update();
				const {count, newer, isAtCursor} = matches;
				const to = by > 0 ? newer - 1 : newer + (by < 0 && isAtCursor ? 1 : 0);
				const isKnown = isOver || (to >= 0 && to < count);
				if (!isKnown || count === 0) return undefined;
				const id = matches.moveTo(by === 0 ? Math.min(to, count - 1) : (to + count) % count);
				return id === undefined ? undefined : {...progress(), id};
			}),
		end() {
			endSteps();
			cancelCollecting?.();
			matches.close();
		},
	};
}

/** Result so far of a search in all sessions: the count, and when all are counted, the newest matches. */
export type SearchProgress = {
	readonly count: number;
	/** How many of the newest matches can be read. */
	readonly listed: number;
	readonly found: readonly FoundMessage[];
	readonly isOver: boolean;
	/** The database file could not be read to its end. */
	readonly isIncomplete: boolean;
	/** Bytes of transcripts searched, unless all were. */
	readonly searchedBytes?: number;
};

type SearchInAll = ReturnType<typeof searchInAll>;

type SearchRequest = {
	readonly words: string;
	readonly limit: number;
	readonly onUpdate: (searching: SearchProgress) => void;
};

/** A search that takes less time is reported only when it is done, ms. */
const reportDelay = 100;
/** Matches read in advance, more than most screens show, and matches per step, as messages may be long. */
const pageSize = 50;
const matchesPerStep = 10;

/** One search over all sessions. `onUpdate` is not called before `begin` or after `end`. */
function searchInAll(
	messages: Pick<Database['messages'], 'search'>,
	clock: Clock,
	{words, limit, onUpdate}: SearchRequest,
) {
	const searched = messages.search(words, limit);
	const found: FoundMessage[] = [];
	let count = 0;
	let read = 0;
	let isOver = false;
	let isAtWork = false;
	let isUnreadable = false;
	let end = () => {};

	function* steps(): Generator<void> {
		for (const more of searched.steps) {
			count += more;
			yield;
		}
		yield* reading();
	}

	function* reading(): Generator<void> {
		const to = Math.min(read + pageSize, searched.listed);
		while (read < to) {
			const next = Math.min(read + matchesPerStep, to);
			found.push(...searched.read(read, next));
			read = next;
			yield;
		}
	}

	function onUnreadable(): void {
		isUnreadable = true;
	}

	function run(work: Iterable<void>): void {
		const startedAt = clock.now();
		isAtWork = true;
		end = runInTimeSlices(clock, stopOnStorageError(work, onUnreadable), isLast => {
			isAtWork = !isLast;
			isOver ||= isLast;
			if (isLast || clock.now() - startedAt >= reportDelay)
				onUpdate({
					count,
					listed: searched.listed,
					found: [...found],
					isOver,
					isIncomplete: isUnreadable,
					searchedBytes: searched.searchedBytes,
				});
		});
	}

	return {
		begin() {
			end = clock.after(typingDelay, () => run(steps()));
		},
		/** Reads more of the newest matches; does nothing if all have been read. */
		readMore() {
			if (isOver && !isAtWork && read < searched.listed) run(reading());
		},
		end: () => end(),
	};
}

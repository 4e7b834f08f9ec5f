import type {Database, FoundMessage} from '../../db/database.ts';
import type {Clock} from '../../domain/clock.ts';
import {stopOnStorageError} from '../core/safe-write.ts';
import {runInTimeSlices, typingDelay} from '../core/time-slices.ts';

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

export type SearchInAll = ReturnType<typeof searchInAll>;

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
export function searchInAll(
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

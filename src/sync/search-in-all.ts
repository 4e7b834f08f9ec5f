import type {Database, FoundMessage} from '../db/database.ts';
import type {Clock} from './clock.ts';
import {stopOnStorageError} from './stop-on-storage-error.ts';
import {runInTimeSlices, typingDelay} from './time-slices.ts';

/** What was found in all sessions so far: how many messages, and once all are counted the newest of them. */
export type SearchProgress = {
	readonly count: number;
	/** How many of the newest can be read. */
	readonly listed: number;
	/** As far as they were read. */
	readonly found: readonly FoundMessage[];
	readonly isOver: boolean;
	/** The file could not be read to its end. */
	readonly isUnread: boolean;
};

/** One search over all sessions. `onUpdate` is not called before `begin`, nor after `end`. */
export type SearchInAll = {
	begin(): void;
	/** Reads some more of the newest; does nothing when all are told. */
	readMore(): void;
	end(): void;
};

type Asked = {
	readonly words: string;
	readonly limit: number;
	readonly onUpdate: (searching: SearchProgress) => void;
};

/** What takes no longer than that, ms, is told when it is done. */
const short = 100;
/** Messages that are read before they are asked for: more than most screens show. What they say may be long. */
const page = 50;
const readAtOnce = 10;

export function searchInAll(
	messages: Pick<Database['messages'], 'search'>,
	clock: Clock,
	{words, limit, onUpdate}: Asked,
): SearchInAll {
	const searched = messages.search(words, limit);
	const found: FoundMessage[] = [];
	let count = 0;
	let read = 0;
	let isOver = false;
	let isAtWork = false;
	let isUnread = false;
	let end = () => {};

	function* steps(): Generator<void> {
		for (const more of searched.steps) {
			count += more;
			yield;
		}
		yield* reading();
	}

	function* reading(): Generator<void> {
		const to = Math.min(read + page, searched.listed);
		while (read < to) {
			const next = Math.min(read + readAtOnce, to);
			found.push(...searched.read(read, next));
			read = next;
			yield;
		}
	}

	function unreadable(): void {
		isUnread = true;
	}

	function run(work: Iterable<void>): void {
		const startedAt = clock.now();
		isAtWork = true;
		end = runInTimeSlices(clock, stopOnStorageError(work, unreadable), isLast => {
			isAtWork = !isLast;
			isOver ||= isLast;
			if (isLast || clock.now() - startedAt >= short)
				onUpdate({count, listed: searched.listed, found: [...found], isOver, isUnread});
		});
	}

	return {
		begin() {
			end = clock.after(typingDelay, () => run(steps()));
		},
		readMore() {
			if (isOver && !isAtWork && read < searched.listed) run(reading());
		},
		end: () => end(),
	};
}

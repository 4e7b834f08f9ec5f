import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import type {FindProgress, Found} from '../../state/view/find.ts';
import {stopOnStorageError} from '../core/safe-write.ts';
import {runInTimeSlices, typingDelay} from '../core/time-slices.ts';

export type FindInSession = ReturnType<typeof findInSession>;

type FindRequest = {
	readonly sessionId: string;
	readonly words: string;
	readonly from: string | undefined;
	readonly onUpdate: (finding: FindProgress) => void;
};

/** How long new messages are collected before they are searched, ms. */
const collectTime = 50;

/** One search in a session. `onUpdate` is not called before `begin` or after `end`. */
export function findInSession(
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

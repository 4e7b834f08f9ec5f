import type {Database} from '../../db/database.ts';
import {isStorageError} from '../../db/storage-error.ts';
import type {FindProgress, Found} from '../../state/find.ts';
import type {Clock} from '../core/clock.ts';
import {stopOnStorageError} from '../core/safe-write.ts';
import {runInTimeSlices, typingDelay} from '../core/time-slices.ts';

/** One search in a session. `onUpdate` is not called before `begin` or after `end`. */
export type FindInSession = {
	begin(): void;
	/** See `Searcher`. */
	move(by: 1 | 0 | -1): Found | undefined;
	end(): void;
};

type FindRequest = {
	readonly sessionId: string;
	readonly words: string;
	readonly from: string | undefined;
	readonly onUpdate: (finding: FindProgress) => void;
};

/** How long new messages are collected before they are searched, ms. */
const collectTime = 50;

export function findInSession(
	messages: Pick<Database['messages'], 'find'>,
	clock: Clock,
	{sessionId, words, from, onUpdate}: FindRequest,
): FindInSession {
	let isOver = false;
	let isUnreadable = false;
	let cancelCollecting: (() => void) | undefined;
	let endSteps = () => {};
	const matches = messages.find(sessionId, words, {from, onWritten});

	function progress(): FindProgress {
		const {count} = matches;
		const at = ifReadable(() => ({newer: matches.newer, isAtCursor: matches.isAtCursor}));
		return {
			count,
			...(at ?? {newer: 0, isAtCursor: false}),
			isOver,
			isUnread: isUnreadable || !at || matches.isUnread === true,
		};
	}

	function onUnreadable(): void {
		isUnreadable = true;
	}

	function onWritten(): void {
		cancelCollecting ??= clock.after(collectTime, () => {
			cancelCollecting = undefined;
			ifReadable(matches.update);
			onUpdate(progress());
		});
	}

	function search(): void {
		endSteps = runInTimeSlices(clock, stopOnStorageError(matches.steps, onUnreadable), isLast => {
			isOver = isLast;
			onUpdate(progress());
		});
	}

	return {
		begin() {
			if (ifReadable(() => matches.isLong)) {
				onUpdate(progress());
				endSteps = clock.after(typingDelay, search);
			} else search();
		},
		move: by =>
			ifReadable(() => {
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

/** An unreadable file is reported where it is stored, not here. */
function ifReadable<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (!isStorageError(error)) throw error;
		return undefined;
	}
}

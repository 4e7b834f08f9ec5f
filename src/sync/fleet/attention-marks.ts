import type {Database} from '../../db/database.ts';
import type {AttentionMark} from '../../domain/sessions/attention.ts';
import type {AttentionStore} from '../../state/attention.ts';
import type {Clock} from '../core/clock.ts';
import type {SafeWrite} from '../core/safe-write.ts';

/**
 * Saves the user's acknowledgments and snoozes, first to disk and then to the store, and ends each snooze on
 * time. Uses a single timer, set for the snooze that ends first.
 */
export type AttentionMarks = {
	/** Fills the store from disk, including marks that other programs wrote. */
	load(): void;
	start(): void;
	stop(): void;
	put(mark: AttentionMark): void;
	/** Removes the session's mark, as if it had never been set. */
	remove(sessionId: string): void;
};

/** Marks older than this are dropped on load, ms: the session no longer needs attention. */
const maxMarkAge = 30 * 24 * 60 * 60_000;

export function createAttentionMarks({
	database,
	store,
	safeWrite,
	clock,
	onReturn,
}: {
	readonly database: Pick<Database, 'attention'>;
	readonly store: AttentionStore;
	readonly safeWrite: SafeWrite;
	readonly clock: Clock;
	/** Called when a snooze ends. */
	readonly onReturn: (sessionId: string) => void;
}): AttentionMarks {
	let isStarted = false;
	let cancel: (() => void) | undefined;

	function scheduleNextEnd(): void {
		cancel?.();
		cancel = undefined;
		const ends = [...store.getState().marks.values()].flatMap(({until}) =>
			until === undefined ? [] : [until],
		);
		if (!isStarted || ends.length === 0) return;
		cancel = clock.after(Math.max(0, Math.min(...ends) - clock.now()), endSnoozes);
	}

	function endSnoozes(): void {
		const over = [...store.getState().marks.values()].filter(mark => isOver(mark, clock.now()));
		for (const {sessionId} of over) drop(sessionId);
		scheduleNextEnd();
		for (const {sessionId} of over) onReturn(sessionId);
	}

	function drop(sessionId: string): void {
		safeWrite(() => database.attention.remove(sessionId));
		store.setState(({marks}) => {
			const rest = new Map(marks);
			rest.delete(sessionId);
			return {marks: rest};
		});
	}

	return {
		load() {
			const now = clock.now();
			const marks = database.attention.all();
			const isPast = (mark: AttentionMark) => isOver(mark, now) || mark.at < now - maxMarkAge;
			for (const {sessionId} of marks.filter(isPast)) safeWrite(() => database.attention.remove(sessionId));
			store.setState({
				marks: new Map(marks.filter(mark => !isPast(mark)).map(mark => [mark.sessionId, mark])),
			});
			scheduleNextEnd();
		},
		start() {
			isStarted = true;
			scheduleNextEnd();
		},
		stop() {
			isStarted = false;
			cancel?.();
		},
		put(mark) {
			safeWrite(() => database.attention.put(mark));
			store.setState(({marks}) => ({marks: new Map(marks).set(mark.sessionId, mark)}));
			scheduleNextEnd();
		},
		remove(sessionId) {
			if (!store.getState().marks.has(sessionId)) return;
			drop(sessionId);
			scheduleNextEnd();
		},
	};
}

function isOver({until}: AttentionMark, now: number): boolean {
	return until !== undefined && until <= now;
}

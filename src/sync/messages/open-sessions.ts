import type {Follower} from './follower.ts';

/** Keeps one follower per session while the session is open at least once. */
export type OpenSessions = {
	/** Opens the session; the returned function closes it, once. */
	open(sessionId: string): () => void;
	get(sessionId: string): Follower | undefined;
	all(): IterableIterator<readonly [sessionId: string, Follower]>;
	/** Sets the session that the user is looking at, if any. */
	focus(sessionId: string | undefined): void;
	readonly focused: string | undefined;
	/** Closes all followers; resolves when none is polling. */
	stop(): Promise<void>;
};

/** `onClosed` is called when a session is no longer open anywhere and its last poll has ended. */
export function createOpenSessions(
	follow: (sessionId: string) => Follower,
	onClosed: (sessionId: string) => void,
): OpenSessions {
	const held = new Map<string, {readonly follower: Follower; holders: number}>();
	const closing = new Set<Promise<void>>();
	let focused: string | undefined;

	function begin(sessionId: string): void {
		const follower = follow(sessionId);
		held.set(sessionId, {follower, holders: 1});
		if (sessionId === focused) follower.setFocused(true);
	}

	/** Tracks the closing follower, so that `stop` can wait for it. */
	function close(follower: Follower, ended: () => void): void {
		const end = follower.close().then(ended);
		closing.add(end);
		void end.finally(() => closing.delete(end));
	}

	return {
		open(sessionId) {
			const known = held.get(sessionId);
			if (known) known.holders++;
			else begin(sessionId);
			let isHeld = true;
			return () => {
				const entry = held.get(sessionId);
				if (!isHeld || !entry) return;
				isHeld = false;
				if (--entry.holders > 0) return;
				held.delete(sessionId);
				close(entry.follower, () => onClosed(sessionId));
			};
		},
		get: sessionId => held.get(sessionId)?.follower,
		*all() {
			for (const [sessionId, {follower}] of held) yield [sessionId, follower] as const;
		},
		focus(sessionId) {
			if (sessionId === focused) return;
			if (focused !== undefined) held.get(focused)?.follower.setFocused(false);
			focused = sessionId;
			if (focused !== undefined) held.get(focused)?.follower.setFocused(true);
		},
		get focused() {
			return focused;
		},
		async stop() {
			for (const {follower} of held.values()) close(follower, () => {});
			held.clear();
			await Promise.all(closing);
		},
	};
}

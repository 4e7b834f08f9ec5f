import type {Follower} from './follower.ts';

/** One follower for each session that is open somewhere, until nobody holds it. */
export type OpenSessions = {
	/** Holds the session open; the answer lets it go, once. */
	open(sessionId: string): () => void;
	get(sessionId: string): Follower | undefined;
	all(): IterableIterator<readonly [sessionId: string, Follower]>;
	/** The one session that the user looks at, if any. */
	focus(sessionId: string | undefined): void;
	readonly focused: string | undefined;
	/** Closes all; resolves when none polls any more. */
	stop(): Promise<void>;
};

/** `onClosed` is told of each session that nobody holds any more, once its last poll has ended. */
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

	/** Keeps what is ending until it has ended, so that `stop` can wait for it. */
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

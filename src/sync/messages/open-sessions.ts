import type {Follower} from './follower.ts';

/** Keeps the stream of one open session up to date, wherever its messages are read from. */
export type SessionFollower = Pick<Follower, keyof Follower>;

/** Keeps one follower per session while the session is open at least once. */
export class OpenSessions {
	readonly #follow: (sessionId: string) => SessionFollower;
	readonly #onClosed: (sessionId: string) => void;
	readonly #open = new Map<string, {follower: SessionFollower; openCount: number}>();
	readonly #closing = new Set<Promise<void>>();
	#focused: string | undefined;

	/** `onClosed` is called when a session is no longer open anywhere and its last poll has ended. */
	constructor(follow: (sessionId: string) => SessionFollower, onClosed: (sessionId: string) => void) {
		this.#follow = follow;
		this.#onClosed = onClosed;
	}

	/** Opens the session; the returned function closes it, once. */
	open(sessionId: string): () => void {
		const entry = this.#open.get(sessionId);
		if (entry) entry.openCount++;
		else {
			const follower = this.#follow(sessionId);
			this.#open.set(sessionId, {follower, openCount: 1});
			if (sessionId === this.#focused) follower.setFocused(true);
		}
		let isOpen = true;
		return () => {
			const entry = this.#open.get(sessionId);
			if (!isOpen || !entry) return;
			isOpen = false;
			if (--entry.openCount > 0) return;
			this.#open.delete(sessionId);
			this.#close(entry.follower, () => this.#onClosed(sessionId));
		};
	}

	/** Replaces the follower of an open session, whose messages must now be read from elsewhere. */
	reopen(sessionId: string): void {
		const entry = this.#open.get(sessionId);
		if (!entry) return;
		this.#close(entry.follower, () => {});
		entry.follower = this.#follow(sessionId);
		if (sessionId === this.#focused) entry.follower.setFocused(true);
	}

	get(sessionId: string): SessionFollower | undefined {
		return this.#open.get(sessionId)?.follower;
	}

	*all(): IterableIterator<readonly [sessionId: string, SessionFollower]> {
		for (const [sessionId, {follower}] of this.#open) yield [sessionId, follower];
	}

	/** The session that the user is looking at, if any. */
	get focused(): string | undefined {
		return this.#focused;
	}

	focus(sessionId: string | undefined): void {
		if (sessionId === this.#focused) return;
		if (this.#focused !== undefined) this.get(this.#focused)?.setFocused(false);
		this.#focused = sessionId;
		if (sessionId !== undefined) this.get(sessionId)?.setFocused(true);
	}

	/** Closes all followers; resolves when none is polling. */
	async stop(): Promise<void> {
		for (const {follower} of this.#open.values()) this.#close(follower, () => {});
		this.#open.clear();
		await Promise.all(this.#closing);
	}

	/** Tracks the closing follower, so that `stop` can wait for it. */
	#close(follower: SessionFollower, onClosed: () => void): void {
		const closed = follower.close().then(onClosed);
		this.#closing.add(closed);
		void closed.finally(() => this.#closing.delete(closed));
	}
}

import type {Database} from '../db/database.ts';
import type {FindProgress, Found} from '../state/find.ts';
import type {Clock} from './clock.ts';
import {type FindInSession, findInSession} from './find-in-session.ts';
import {type SearchInAll, type SearchProgress, searchInAll} from './search-in-all.ts';

/** Looks for words in the kept messages, in turns that never hold up a key. A new search of a kind ends the one before. */
export type Searcher = {
	/**
	 * The cursor begins at the message `from`, or at the newest. `onUpdate` is called at once, perhaps several times until all is
	 * looked through, and then again whenever messages are written, until `endInSession`.
	 */
	inSession(
		sessionId: string,
		words: string,
		from: string | undefined,
		onUpdate: (finding: FindProgress) => void,
	): void;
	/**
	 * Moves the cursor to the next newer message that was found (`1`), the next older one (`-1`), around the ends once they are
	 * known, or to the first that is not newer than where it is (`0`). Absent when there is none.
	 */
	move(by: 1 | 0 | -1): Found | undefined;
	endInSession(): void;
	/** The newest `limit` can be read. `onUpdate` is called soon, perhaps several times, until it is over, and when more were read. */
	inAll(words: string, limit: number, onUpdate: (searching: SearchProgress) => void): void;
	/** Reads some more of what was found in all sessions, when there are more to be listed. */
	readMore(): void;
	endInAll(): void;
};

export function createSearcher(
	messages: Pick<Database['messages'], 'find' | 'search'>,
	clock: Clock,
): Searcher {
	let inSession: FindInSession | undefined;
	let inAll: SearchInAll | undefined;
	return {
		inSession(sessionId, words, from, onUpdate) {
			inSession?.end();
			inSession = findInSession(messages, clock, {sessionId, words, from, onUpdate});
			inSession.begin();
		},
		move: by => inSession?.move(by),
		endInSession() {
			inSession?.end();
			inSession = undefined;
		},
		inAll(words, limit, onUpdate) {
			inAll?.end();
			inAll = searchInAll(messages, clock, {words, limit, onUpdate});
			inAll.begin();
		},
		readMore: () => inAll?.readMore(),
		endInAll() {
			inAll?.end();
			inAll = undefined;
		},
	};
}

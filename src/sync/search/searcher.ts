import type {Database} from '../../db/database.ts';
import type {Clock} from '../../domain/clock.ts';
import type {FindProgress, Found} from '../../state/view/find.ts';
import {type FindInSession, findInSession} from './find-in-session.ts';
import {type SearchInAll, type SearchProgress, searchInAll} from './search-in-all.ts';

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

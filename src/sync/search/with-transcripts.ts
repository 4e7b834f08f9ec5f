import type {Database, FoundMessage, SearchedMessages} from '../../db/database.ts';
import {isOutsideService} from '../../domain/known.ts';
import type {Fleet} from '../../state/fleet.ts';
import {findInTranscript, searchTranscripts} from '../transcripts/search-transcripts.ts';
import {allTranscripts, transcriptIn} from '../transcripts/transcripts.ts';

type Messages = Pick<Database['messages'], 'find' | 'search' | 'matching'>;
type KnownSessions = Pick<Fleet, 'sessions' | 'signals'>;

/** Maximum bytes of transcripts to read for a search while the user types. */
const maxWhileTyping = 32 * 1024 * 1024;
/** Cached matches to read at a time while both kinds are merged. */
const pageSize = 50;

/** Searches the transcripts of sessions outside the service like cached messages. */
export function withTranscripts(
	messages: Messages,
	knownSessions: () => KnownSessions,
): Pick<Messages, 'find' | 'search'> {
	return {
		find(sessionId, words, options) {
			const known = knownSessions();
			const isOutside = isOutsideService(known.sessions.get(sessionId));
			const path = isOutside ? transcriptIn(known, sessionId) : undefined;
			return path === undefined
				? messages.find(sessionId, words, options)
				: findInTranscript(path, words, messages.matching, options);
		},
		search: (words, limit) => searchWithTranscripts(messages, knownSessions(), words, limit, maxWhileTyping),
	};
}

/**
 * Searches the cached messages and the transcripts; results come newest first. Reads about `maxBytes` of transcripts,
 * starting with those that were written last.
 */
export function searchWithTranscripts(
	messages: Messages,
	known: KnownSessions,
	words: string,
	limit: number,
	maxBytes: number,
): SearchedMessages {
	const cached = messages.search(words, limit);
	const hasOutside = [...known.sessions.values()].some(isOutsideService);
	const sources = hasOutside ? allTranscripts(known) : [];
	if (sources.length === 0) return cached;
	const outside = searchTranscripts(sources, words, limit, messages.matching, maxBytes);
	const merged: FoundMessage[] = [];
	let [cachedRead, outsideRead] = [0, 0];
	let page: FoundMessage[] = [];

	function next(): FoundMessage | undefined {
		while (page.length === 0 && cachedRead < cached.listed) {
			page = cached.read(cachedRead, cachedRead + pageSize);
			cachedRead += pageSize;
		}
		const [first] = page;
		const other = outside.found[outsideRead];
		if (!first || (other && (other.createdAt ?? 0) > (first.createdAt ?? 0))) {
			outsideRead++;
			return other;
		}
		return page.shift();
	}

	return {
		steps: {
			*[Symbol.iterator]() {
				yield* cached.steps;
				yield* outside.steps;
			},
		},
		get listed() {
			return Math.min(limit, cached.listed + outside.found.length);
		},
		get searchedBytes() {
			return outside.searched;
		},
		read(from, to) {
			while (merged.length < to) {
				const found = next();
				if (!found) break;
				merged.push(found);
			}
			return merged.slice(from, to);
		},
	};
}

import {statSync} from 'node:fs';
import type {
	Database,
	FindOptions,
	FoundMessage,
	FoundMessages,
	SearchedMessages,
} from '../../db/database.ts';
import {onNextWrite} from '../../db/file/watch-file.ts';
import {searchText, snippetOf, wholeText} from '../../db/messages/searchable.ts';
import {ifPossible} from '../../domain/if-possible.ts';
import {isOutsideService} from '../../domain/known.ts';
import type {Fleet} from '../../state/fleet.ts';
import {
	type Lines,
	TranscriptError,
	TranscriptFile,
	type TranscriptLine,
} from '../../transcripts/transcript-file.ts';
import {entryOf, type TranscriptEntry} from './transcript-window.ts';
import {allTranscripts, type TranscriptSource, transcriptIn} from './transcripts.ts';

/** Returns the indexes of the texts that match the words. */
type Match = Database['messages']['matching'];

/** Bytes of a transcript above which even the first steps of a search take longer than a frame. */
const maxQuick = 1024 * 1024;
/** Bytes to search per step, and per update after the transcript has grown. */
const searchBlock = 32 * 1024;
const maxNew = 4 * 1024 * 1024;

/** Finds the messages of a transcript that match, newest first, and those that are written meanwhile. */
function findInTranscript(
	path: string,
	words: string,
	match: Match,
	{from, onWritten = () => {}}: FindOptions = {},
): FoundMessages {
	let file: TranscriptFile | undefined;
	/** Offsets of the matches, newest first; and the bytes that have been searched. */
	let found: number[] = [];
	let [start, end] = [0, 0];
	let cursor = from === undefined ? Number.POSITIVE_INFINITY : Number(from);
	let isIncomplete = false;
	let cancelWatch = () => {};

	function attempt(run: () => void): void {
		try {
			run();
		} catch (error) {
			if (!(error instanceof TranscriptError)) throw error;
			isIncomplete = true;
		}
	}

	/** Opens the file that has replaced the one that was searched. */
	function reopen(): void {
		file?.close();
		file = undefined;
		found = [];
		isIncomplete = false;
		[start, end] = [0, 0];
		file = new TranscriptFile(path);
	}

	function* steps(): Generator<void> {
		for (const opened = file; opened && opened === file && start > 0; ) {
			attempt(() => {
				const lines = opened.before(start, searchBlock);
				found.push(...newestOffsets(lines));
				start = lines.start;
			});
			if (isIncomplete) break;
			yield;
		}
	}

	/** Offsets of the lines that match, newest first. */
	function newestOffsets({lines}: Lines): number[] {
		return matchesOf(lines, words, match)
			.map(({id}) => Number(id))
			.reverse();
	}

	/** Searches the lines that were added, and all of a file that has replaced the one that was searched. */
	function update(): void {
		let hasMore = false;
		attempt(() => {
			if (!file?.update()) reopen();
			for (const from = end; file && end < file.end && end - from < maxNew; ) {
				const lines = file.from(end);
				found.unshift(...newestOffsets(lines));
				end = Math.max(lines.end, end + 1);
			}
			hasMore = file !== undefined && end < file.end;
		});
		watch();
		// Continues without waiting for the next write.
		if (hasMore) onWritten();
	}

	function watch(): void {
		cancelWatch();
		cancelWatch = onNextWrite(path, onWritten);
	}

	const newer = () => {
		const index = found.findIndex(offset => offset <= cursor);
		return index < 0 ? found.length : index;
	};
	attempt(() => {
		file = new TranscriptFile(path);
		[start, end] = [file.end, file.end];
	});
	watch();
	return {
		steps: {[Symbol.iterator]: steps},
		get isLong() {
			return (file?.end ?? 0) > maxQuick;
		},
		get count() {
			return found.length;
		},
		get newer() {
			return newer();
		},
		get isAtCursor() {
			return found[newer()] === cursor;
		},
		get isIncomplete() {
			return isIncomplete;
		},
		moveTo(number) {
			const offset = found[number];
			if (offset === undefined) return undefined;
			cursor = offset;
			return String(offset);
		},
		update,
		close() {
			cancelWatch();
			file?.close();
			file = undefined;
		},
	};
}

/** Searches transcripts from their newest bytes back, those written last first, until `maxBytes` are searched. */
export function searchTranscripts(
	sources: readonly TranscriptSource[],
	words: string,
	limit: number,
	match: Match,
	maxBytes: number,
) {
	let found: FoundMessage[] = [];
	let left = maxBytes;
	let isCut = false;

	function* stepsIn({sessionId, path}: TranscriptSource): Generator<number> {
		const file = new TranscriptFile(path);
		try {
			let {end} = file;
			while (end > 0 && left > 0) {
				const lines = file.before(end, searchBlock);
				left -= end - lines.start;
				end = lines.start;
				const matches = matchesOf(lines.lines, words, match).map(entry => foundIn(sessionId, entry, words));
				found.push(...matches);
				if (found.length > 2 * limit) found = newestOf(found, limit);
				yield matches.length;
			}
			isCut ||= end > 0;
		} finally {
			file.close();
		}
	}

	function* steps(): Generator<number> {
		for (const source of lastWrittenFirst(sources)) {
			try {
				yield* stepsIn(source);
			} catch (error) {
				// The session's stream shows why it can't be read.
				if (!(error instanceof TranscriptError)) throw error;
			}
		}
		found = newestOf(found, limit);
	}

	return {
		/** Yields the number of new matches. */
		steps: {[Symbol.iterator]: steps},
		/** The newest matches, newest first, once the steps are done. */
		get found(): readonly FoundMessage[] {
			return found;
		},
		/** Bytes searched, unless all were. */
		get searched(): number | undefined {
			return isCut ? maxBytes - left : undefined;
		},
	};
}

function newestOf(found: readonly FoundMessage[], limit: number): FoundMessage[] {
	return found.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0)).slice(0, limit);
}

function lastWrittenFirst(sources: readonly TranscriptSource[]): readonly TranscriptSource[] {
	const writtenAt = new Map(
		sources.map(({path}) => [path, ifPossible(() => statSync(path, {throwIfNoEntry: false})?.mtimeMs) ?? 0]),
	);
	return sources.toSorted((a, b) => (writtenAt.get(b.path) ?? 0) - (writtenAt.get(a.path) ?? 0));
}

function matchesOf(lines: readonly TranscriptLine[], words: string, match: Match): TranscriptEntry[] {
	const entries = lines.flatMap(line => {
		const entry = entryOf(line);
		return entry && entry !== 'unreadable' ? [entry] : [];
	});
	return match(
		words,
		entries.map(({message}) => wholeText(message)),
	).flatMap(index => entries[index] ?? []);
}

function foundIn(sessionId: string, {id, message}: TranscriptEntry, words: string): FoundMessage {
	const {createdAt} = message;
	const snippet = snippetOf(searchText(message), words);
	return {sessionId, messageId: id, snippet, createdAt};
}

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

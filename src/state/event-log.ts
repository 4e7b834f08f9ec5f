import {createStore, type StoreApi} from 'zustand/vanilla';
import {type HookEvent, maxStoredEvents} from '../domain/sessions/signal.ts';
import {firstIndex} from './rows/table-rows.ts';

/**
 * One hook event in the log. Numbers increase by arrival; entries loaded later from before the first one have
 * negative numbers.
 */
export type LogEntry = {
	readonly number: number;
	readonly event: HookEvent;
	/** The text that filters search, lower case. */
	readonly text: string;
};

/** The part of the stored hook events that is in memory, in order of arrival. Empty while the log isn't viewed. */
export type EventLog = {
	readonly entries: readonly LogEntry[];
	/** Events older than the first entry exist on disk. */
	readonly hasOlder: boolean;
	readonly storedCount: number;
};
export type EventLogStore = StoreApi<EventLog>;

export const emptyLog: EventLog = {entries: [], hasOlder: false, storedCount: 0};

export function createEventLogStore(): EventLogStore {
	return createStore<EventLog>(() => emptyLog);
}

/** Appends new events, in order. Drops the oldest beyond the storage limit. */
export function withNewer(log: EventLog, events: readonly HookEvent[]): EventLog {
	if (events.length === 0) return log;
	const next = (log.entries.at(-1)?.number ?? -1) + 1;
	const entries = log.entries.concat(events.map((event, index) => toEntry(event, next + index)));
	return {
		hasOlder: log.hasOlder && entries.length < maxStoredEvents,
		storedCount: Math.min(log.storedCount + events.length, maxStoredEvents),
		entries: entries.length > maxStoredEvents ? entries.slice(-maxStoredEvents) : entries,
	};
}

/** Prepends the events just before the first entry, oldest first. An empty list means there are none. */
export function withOlder(log: EventLog, events: readonly HookEvent[], hasOlder: boolean): EventLog {
	const first = (log.entries[0]?.number ?? 0) - events.length;
	return {
		...log,
		hasOlder,
		entries: [...events.map((event, index) => toEntry(event, first + index)), ...log.entries],
	};
}

function toEntry(event: HookEvent, number: number): LogEntry {
	const {client, data, delivery} = event;
	const parts = [
		client,
		event.event,
		data.session_id,
		data.cwd,
		data.notification_type,
		data.message,
		data.reason,
		data.error,
		data.damaged,
		data.test && 'test',
		delivery,
	];
	return {number, event, text: parts.filter(Boolean).join(' ').toLowerCase()};
}

/** Words that must all match, and optionally a single session. */
type LogFilter = {readonly words: string; readonly sessionId?: string};

/** The entries that match a filter, out of those from number `first` to `last`. */
export type Matches = {
	readonly filter: LogFilter;
	readonly first: number;
	readonly last: number;
	readonly entries: readonly LogEntry[];
};

/**
 * Returns the matching entries. Given the previous result, only entries added since are checked, so the cost
 * of a new event doesn't depend on the log's length.
 */
export function matchLog(entries: readonly LogEntry[], filter: LogFilter, before?: Matches): Matches {
	const first = entries[0]?.number ?? 0;
	const last = entries.at(-1)?.number ?? -1;
	const isMatch = matcher(filter);
	const continues =
		before !== undefined && before.filter === filter && before.last >= first - 1 && before.first <= last;
	if (!continues) return {filter, first, last, entries: isMatch ? entries.filter(isMatch) : entries};
	if (before.first === first && before.last === last) return before;
	if (!isMatch) return {filter, first, last, entries};
	const older = entries.slice(0, Math.max(0, before.first - first)).filter(isMatch);
	const newer = entries.slice(entries.length - Math.max(0, last - before.last)).filter(isMatch);
	const known =
		before.first < first ? before.entries.slice(indexFrom(before.entries, first)) : before.entries;
	const isSame = older.length === 0 && newer.length === 0 && known.length === before.entries.length;
	return {filter, first, last, entries: isSame ? before.entries : [...older, ...known, ...newer]};
}

/** Matches the log against a filter; checks only entries added since the last call with the same filter. */
export function createLogMatcher() {
	let filter: LogFilter = {words: ''};
	let matches: Matches | undefined;
	return (entries: readonly LogEntry[], {words, sessionId}: LogFilter): readonly LogEntry[] => {
		if (filter.words !== words || filter.sessionId !== sessionId) filter = {words, sessionId};
		matches = matchLog(entries, filter, matches);
		return matches.entries;
	};
}

function matcher({words, sessionId}: LogFilter): ((entry: LogEntry) => boolean) | undefined {
	const wanted = words.toLowerCase().split(' ').filter(Boolean);
	if (wanted.length === 0 && sessionId === undefined) return undefined;
	return ({event, text}) =>
		(sessionId === undefined || event.data.session_id === sessionId) &&
		wanted.every(word => text.includes(word));
}

/** Index of the first entry with that number or a higher one; the length if there is none. */
export function indexFrom(entries: readonly LogEntry[], number: number): number {
	return firstIndex(entries.length, index => (entries[index]?.number ?? 0) < number);
}

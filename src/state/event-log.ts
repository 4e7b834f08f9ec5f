import {createStore, type StoreApi} from 'zustand/vanilla';
import {type HookEvent, maxStoredEvents} from '../domain/hook-event.ts';

/** One hook event of the log. Numbers go up by arrival; what is older than the first one loaded has negative ones. */
export type LogEntry = {
	readonly number: number;
	readonly event: HookEvent;
	/** What a filter looks in, in lower case. */
	readonly text: string;
};

/** The part of the kept hook events that is in memory, in order of arrival. Empty while nobody looks. */
export type EventLog = {
	readonly entries: readonly LogEntry[];
	/** Events on disk that are older than the first entry exist. */
	readonly hasOlder: boolean;
	/** Events kept on disk. */
	readonly kept: number;
};
export type EventLogStore = StoreApi<EventLog>;

export const emptyLog: EventLog = {entries: [], hasOlder: false, kept: 0};

export function createEventLogStore(): EventLogStore {
	return createStore<EventLog>(() => emptyLog);
}

/** The log with events that just came, in their order. The oldest go when there are more than the disk keeps. */
export function withNewer(log: EventLog, fresh: readonly HookEvent[]): EventLog {
	if (fresh.length === 0) return log;
	const next = (log.entries.at(-1)?.number ?? -1) + 1;
	const entries = log.entries.concat(fresh.map((event, index) => toEntry(event, next + index)));
	return {
		hasOlder: log.hasOlder && entries.length < maxStoredEvents,
		kept: Math.min(log.kept + fresh.length, maxStoredEvents),
		entries: entries.length > maxStoredEvents ? entries.slice(-maxStoredEvents) : entries,
	};
}

/** The log with the events just before its first one, oldest first; none means that there are no older ones. */
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

/** Words that must all be found, and the one session that is looked at. */
export type LogFilter = {readonly words: string; readonly sessionId?: string};

/** What a filter let through of the entries it has seen; `first` and `last` are numbers of those. */
export type Matches = {
	readonly filter: LogFilter;
	readonly first: number;
	readonly last: number;
	readonly entries: readonly LogEntry[];
};

/**
 * The entries that match. Given what was found before, only entries that came since are looked at, so that an event
 * that arrives costs the same in a log of any length.
 */
export function matchLog(entries: readonly LogEntry[], filter: LogFilter, before?: Matches): Matches {
	const first = entries[0]?.number ?? 0;
	const last = entries.at(-1)?.number ?? -1;
	const isMatch = matcher(filter);
	const goesOn =
		before !== undefined && before.filter === filter && before.last >= first - 1 && before.first <= last;
	if (!goesOn) return {filter, first, last, entries: isMatch ? entries.filter(isMatch) : entries};
	if (before.first === first && before.last === last) return before;
	if (!isMatch) return {filter, first, last, entries};
	const older = entries.slice(0, Math.max(0, before.first - first)).filter(isMatch);
	const newer = entries.slice(entries.length - Math.max(0, last - before.last)).filter(isMatch);
	const kept = before.first < first ? before.entries.slice(indexFrom(before.entries, first)) : before.entries;
	const isSame = older.length === 0 && newer.length === 0 && kept.length === before.entries.length;
	return {filter, first, last, entries: isSame ? before.entries : [...older, ...kept, ...newer]};
}

function matcher({words, sessionId}: LogFilter): ((entry: LogEntry) => boolean) | undefined {
	const wanted = words.toLowerCase().split(' ').filter(Boolean);
	if (wanted.length === 0 && sessionId === undefined) return undefined;
	return ({event, text}) =>
		(sessionId === undefined || event.data.session_id === sessionId) &&
		wanted.every(word => text.includes(word));
}

/** Index of the first entry with that number or a later one; the length when there is none. */
export function indexFrom(entries: readonly LogEntry[], number: number): number {
	let low = 0;
	let high = entries.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((entries[middle]?.number ?? 0) < number) low = middle + 1;
		else high = middle;
	}
	return low;
}

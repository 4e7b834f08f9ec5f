import type {StoreApi} from 'zustand/vanilla';
import {type HookEvent, maxStoredEvents} from '../domain/sessions/signal.ts';
import {remember} from './rows/remember.ts';
import {wordMatcher} from './rows/table-rows.ts';

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

/** The entries that match a filter: all of its words and, if given, its session. Remembered while both stay the same. */
export function createLogMatcher() {
	return remember(
		(entries: readonly LogEntry[], words: string, sessionId: string | undefined): readonly LogEntry[] => {
			if (words.trim() === '' && sessionId === undefined) return entries;
			const isMatch = wordMatcher(words);
			return entries.filter(
				({event, text}) => (sessionId === undefined || event.data.session_id === sessionId) && isMatch(text),
			);
		},
	);
}

/** Index of the first entry with that number or a higher one; the length if there is none. */
export function indexFrom(entries: readonly LogEntry[], number: number): number {
	const index = entries.findIndex(entry => entry.number >= number);
	return index < 0 ? entries.length : index;
}

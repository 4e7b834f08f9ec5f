import type {CachedMessage} from '../../db/database.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';

/**
 * Part of a session's cached history, read away from its newest end: after a jump, or far back. Limited in
 * size, whatever the length of the session.
 */
export type HistoryWindow = {
	/** Items in display order. */
	items(): readonly TimelineItem[];
	/** Whether the cache may hold older messages. */
	readonly hasOlder: boolean;
	/** Loads the messages just before or after the window; returns how many there were. */
	older(): number;
	newer(): number;
	/** Reads the window's part of the cache again, after messages were added to it. */
	reload(): void;
};

/** Cached messages as items: those just before a message, and those from a message on. */
export type HistorySource = {
	before(id: string, limit: number): readonly TimelineItem[];
	from(id: string, limit: number): readonly TimelineItem[];
};

const step = 200;
const maxItems = 2000;

/** Creates a history window around a cached message; `undefined` if it isn't cached. */
export function historyWindowAround(source: HistorySource, id: string): HistoryWindow | undefined {
	const found = source.from(id, step / 2);
	return found.length === 0 ? undefined : createHistoryWindow(source, [...source.before(id, step), ...found]);
}

/** Creates a history window from the given items, of which there must be at least one. */
export function createHistoryWindow(source: HistorySource, start: readonly TimelineItem[]): HistoryWindow {
	let items = start;
	let hasOlder = true;
	return {
		items: () => items,
		get hasOlder() {
			return hasOlder;
		},
		older() {
			const older = source.before(items[0]?.id ?? '', step);
			hasOlder = older.length === step;
			items = [...older, ...items].slice(0, maxItems);
			return older.length;
		},
		newer() {
			const last = items.at(-1)?.id ?? '';
			const newer = source.from(last, step + 1).filter(item => item.id !== last);
			const all = [...items, ...newer];
			if (all.length > maxItems) hasOlder = true;
			items = all.slice(-maxItems);
			return newer.length;
		},
		reload() {
			items = source.from(items[0]?.id ?? '', Math.min(maxItems, items.length + step));
			hasOlder = true;
		},
	};
}

/**
 * Returns a function that turns cached messages into items. Versions are negative and unique, to differ from
 * those of a timeline.
 */
export function createItemMapper(roleOf: (kept: CachedMessage) => TimelineItem['role']) {
	let version = 0;
	return (kept: readonly CachedMessage[]): TimelineItem[] =>
		kept.map(one => {
			const role = roleOf(one);
			return {id: one.message.id, version: --version, message: one.message, ...(role && {role})};
		});
}

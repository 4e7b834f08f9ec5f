import type {CachedMessage} from '../db/database.ts';
import type {TimelineItem} from '../domain/timeline.ts';

/**
 * A stretch of a session's kept history that is read away from its newest end: after a jump, or far back. It is in
 * memory only as far as it is read, whatever the length of the session.
 */
export type HistoryWindow = {
	/** In display order. */
	items(): readonly TimelineItem[];
	/** May the cache hold older ones? */
	readonly hasOlder: boolean;
	/** Brings the messages just before, or just after; answers how many there were. */
	older(): number;
	newer(): number;
	/** Reads its stretch of the cache again: something was put into it. */
	reload(): void;
};

/** What a history window reads: kept messages just before one, and from one on, as items. */
export type HistorySource = {
	before(id: string, limit: number): readonly TimelineItem[];
	from(id: string, limit: number): readonly TimelineItem[];
};

const step = 200;
const maxItems = 2000;

/** A history window around a kept message; `undefined` when it isn't kept. */
export function historyWindowAround(source: HistorySource, id: string): HistoryWindow | undefined {
	const found = source.from(id, step / 2);
	return found.length === 0 ? undefined : createHistoryWindow(source, [...source.before(id, step), ...found]);
}

/** A history window that begins with these items: at least one. */
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

/** Makes an item of a kept message. Its version is below zero and never used twice: those of a timeline are above. */
export function createItemMapper(roleOf: (kept: CachedMessage) => TimelineItem['role']) {
	let version = 0;
	return (kept: readonly CachedMessage[]): TimelineItem[] =>
		kept.map(one => {
			const role = roleOf(one);
			return {id: one.message.id, version: --version, message: one.message, ...(role && {role})};
		});
}

import type {KeptMessage} from '../db/database.ts';
import type {TimelineItem} from '../domain/timeline.ts';

/**
 * A stretch of a session's kept history that is read away from its newest end: after a jump, or far back. It is in
 * memory only as far as it is read, whatever the length of the session.
 */
export type Visit = {
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

/** Where a visit reads: kept messages just before one, and from one on, as items. */
export type VisitSource = {
	before(id: string, limit: number): readonly TimelineItem[];
	from(id: string, limit: number): readonly TimelineItem[];
};

const step = 200;
const mostItems = 2000;

/** A visit around a kept message; `undefined` when it isn't kept. */
export function visitAround(source: VisitSource, id: string): Visit | undefined {
	const found = source.from(id, step / 2);
	return found.length === 0 ? undefined : createVisit(source, [...source.before(id, step), ...found]);
}

/** A visit that begins with these items: at least one. */
export function createVisit(source: VisitSource, start: readonly TimelineItem[]): Visit {
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
			items = [...older, ...items].slice(0, mostItems);
			return older.length;
		},
		newer() {
			const last = items.at(-1)?.id ?? '';
			const newer = source.from(last, step + 1).filter(item => item.id !== last);
			const all = [...items, ...newer];
			if (all.length > mostItems) hasOlder = true;
			items = all.slice(-mostItems);
			return newer.length;
		},
		reload() {
			items = source.from(items[0]?.id ?? '', Math.min(mostItems, items.length + step));
			hasOlder = true;
		},
	};
}

/** Makes an item of a kept message. Its version is below zero and never used twice: those of a timeline are above. */
export function visitItems(roleOf: (kept: KeptMessage) => TimelineItem['role']) {
	let version = 0;
	return (kept: readonly KeptMessage[]): TimelineItem[] =>
		kept.map(one => {
			const role = roleOf(one);
			return {id: one.message.id, version: --version, message: one.message, ...(role && {role})};
		});
}

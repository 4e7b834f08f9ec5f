import type {CachedMessage} from '../../db/database.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';

/** Cached messages as items: those just before a message, and those from a message on. */
export type HistorySource = {
	before(id: string, limit: number): readonly TimelineItem[];
	from(id: string, limit: number): readonly TimelineItem[];
};

const step = 200;
const maxItems = 2000;

/** A part of a session's cached history away from its newest end, limited in size. */
export class HistoryWindow {
	readonly #source: HistorySource;
	#items: readonly TimelineItem[];
	#hasOlder = true;

	/** Creates a window around a cached message; `undefined` if it isn't cached. */
	static around(source: HistorySource, id: string): HistoryWindow | undefined {
		const found = source.from(id, step / 2);
		return found.length === 0 ? undefined : new HistoryWindow(source, [...source.before(id, step), ...found]);
	}

	/** Starts with these items, of which there must be at least one. */
	constructor(source: HistorySource, start: readonly TimelineItem[]) {
		this.#source = source;
		this.#items = start;
	}

	/** Items in display order. */
	items(): readonly TimelineItem[] {
		return this.#items;
	}

	/** Whether the cache may hold older messages. */
	get hasOlder(): boolean {
		return this.#hasOlder;
	}

	/** Loads the messages just before the window; returns how many there were. */
	older(): number {
		const older = this.#source.before(this.#items[0]?.id ?? '', step);
		this.#hasOlder = older.length === step;
		this.#items = [...older, ...this.#items].slice(0, maxItems);
		return older.length;
	}

	/** Loads the messages just after the window; returns how many there were. */
	newer(): number {
		const last = this.#items.at(-1)?.id ?? '';
		const newer = this.#source.from(last, step + 1).filter(item => item.id !== last);
		const all = [...this.#items, ...newer];
		if (all.length > maxItems) this.#hasOlder = true;
		this.#items = all.slice(-maxItems);
		return newer.length;
	}

	/** Reads the window's part of the cache again, after messages were added to it. */
	reload(): void {
		this.#items = this.#source.from(this.#items[0]?.id ?? '', Math.min(maxItems, this.#items.length + step));
		this.#hasOlder = true;
	}
}

/** Returns a function that converts cached messages to items, with negative versions, which no timeline has. */
export function createItemMapper(roleOf: (cached: CachedMessage) => TimelineItem['role']) {
	let version = 0;
	return (cached: readonly CachedMessage[]): TimelineItem[] =>
		cached.map(one => {
			const role = roleOf(one);
			return {id: one.message.id, version: --version, message: one.message, role};
		});
}

import type {Line} from '../cells/line.ts';
import type {RowsMemo} from './message-rows.ts';
import type {RowLook} from './tool-card.ts';

type CachedRows = {
	readonly version: number | string;
	readonly look: RowLook;
	readonly rows: readonly Line[];
	/** Layout results to reuse for the next version of the entry. */
	readonly memo: RowsMemo;
};

/** Enough for many screens of short messages: anything older has scrolled away. */
const maxEntries = 1000;

/**
 * Caches the rows of stream entries by id. Lays them out again only when the version or the look changes. Limited by
 * entries and rows; evicts the least recently used first.
 */
export class RowCache {
	readonly #cached = new Map<string, CachedRows>();
	readonly #maxRows: number;
	#rows = 0;

	constructor(maxRows = 20_000) {
		this.#maxRows = maxRows;
	}

	/** Returns the cached rows, or calls `make` with the memo of an earlier version with the same look. */
	rows(
		entry: {readonly id: string; readonly version: number | string},
		look: RowLook,
		make: (memo: RowsMemo) => readonly Line[],
	): readonly Line[] {
		const cached = this.#cached.get(entry.id);
		if (cached) this.#drop(entry.id, cached);
		const isAlike = cached !== undefined && isSameLook(cached.look, look);
		const memo: RowsMemo = (isAlike && cached.memo) || new Map();
		const current: CachedRows =
			isAlike && cached.version === entry.version
				? cached
				: {version: entry.version, look, rows: make(memo), memo};
		this.#cached.set(entry.id, current);
		this.#rows += current.rows.length;
		this.#shrink();
		return current.rows;
	}

	get size(): number {
		return this.#rows;
	}

	#drop(id: string, {rows}: CachedRows): void {
		this.#cached.delete(id);
		this.#rows -= rows.length;
	}

	/** Always keeps the newest entry, however long it is. */
	#shrink(): void {
		for (const [id, cached] of this.#cached) {
			const isWithin = this.#rows <= this.#maxRows && this.#cached.size <= maxEntries;
			if (isWithin || this.#cached.size === 1) return;
			this.#drop(id, cached);
		}
	}
}

function isSameLook(one: RowLook, other: RowLook): boolean {
	return (
		one.width === other.width &&
		one.isExpanded === other.isExpanded &&
		one.isTall === other.isTall &&
		one.folder === other.folder
	);
}

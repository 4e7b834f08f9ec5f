import type {Line} from '../cells/line.ts';
import type {RowsMemo} from './message-rows.ts';

type Made = {
	readonly version: number;
	readonly width: number;
	readonly isExpanded: boolean;
	readonly rows: readonly Line[];
	/** Layout results to reuse for the next version of the entry. */
	readonly memo: RowsMemo;
};

/** Enough for many screens of short messages: anything older has scrolled away. */
const maxEntries = 1000;

/**
 * Caches the rows of stream entries by id. Lays them out again only when the version, the width or the collapsed state
 * changes. Limited by entries and rows; evicts the least recently used first.
 */
export class RowCache {
	readonly #made = new Map<string, Made>();
	readonly #maxRows: number;
	#rows = 0;

	constructor(maxRows = 20_000) {
		this.#maxRows = maxRows;
	}

	/** Returns the cached rows, or calls `make` with the memo of an earlier version with the same look. */
	rows(
		entry: {readonly id: string; readonly version: number},
		look: {readonly width: number; readonly isExpanded: boolean},
		make: (memo: RowsMemo) => readonly Line[],
	): readonly Line[] {
		const kept = this.#made.get(entry.id);
		if (kept) this.#drop(entry.id, kept);
		const isAlike = kept?.width === look.width && kept.isExpanded === look.isExpanded;
		const memo: RowsMemo = (isAlike && kept?.memo) || new Map();
		const made: Made =
			isAlike && kept?.version === entry.version
				? kept
				: {version: entry.version, width: look.width, isExpanded: look.isExpanded, rows: make(memo), memo};
		this.#made.set(entry.id, made);
		this.#rows += made.rows.length;
		this.#shrink();
		return made.rows;
	}

	/** Number of cached rows. */
	get size(): number {
		return this.#rows;
	}

	#drop(id: string, made: Made): void {
		this.#made.delete(id);
		this.#rows -= made.rows.length;
	}

	/** Always keeps the newest entry, however long it is. */
	#shrink(): void {
		for (const [id, made] of this.#made) {
			const isWithin = this.#rows <= this.#maxRows && this.#made.size <= maxEntries;
			if (isWithin || this.#made.size === 1) return;
			this.#drop(id, made);
		}
	}
}

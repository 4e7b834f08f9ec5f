/** How much of a list is kept in memory: whichever is reached first ends the reading. */
export type ListLimits = {readonly items: number; readonly bytes: number};

/** A service may have lists without an end. The largest organization we know of has a fifth of these items. */
const listLimits: ListLimits = {items: 100_000, bytes: 64 * 1024 * 1024};

export type ListBudget = {
	/** Counts an item in; false when it no longer fits, and then nothing fits any more. */
	take(item: unknown): boolean;
	/** Items that were counted in. */
	readonly count: number;
};

export function createListBudget({items, bytes}: ListLimits = listLimits): ListBudget {
	let count = 0;
	let used = 0;
	let isFull = false;
	return {
		take(item) {
			if (isFull) return false;
			const size = memorySize(item);
			isFull = count >= items || used + size > bytes;
			if (isFull) return false;
			count++;
			used += size;
			return true;
		},
		get count() {
			return count;
		},
	};
}

/** Bytes of memory that a parsed JSON value takes, about. Values are at most as deep as the parser lets through. */
function memorySize(value: unknown): number {
	if (typeof value === 'string') return 24 + value.length;
	if (typeof value !== 'object' || value === null) return 8;
	if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + 8 + memorySize(item), 32);
	let size = 64;
	for (const [key, part] of Object.entries(value)) size += 40 + key.length + memorySize(part);
	return size;
}

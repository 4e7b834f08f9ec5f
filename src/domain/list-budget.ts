/** Memory limits for a list; reading stops when either is reached. */
export type ListLimits = {readonly items: number; readonly bytes: number};

/** Guards against endless lists. The largest known organization has a fifth of this many items. */
const listLimits: ListLimits = {items: 100_000, bytes: 64 * 1024 * 1024};

export type ListBudget = ReturnType<typeof createListBudget>;

export function createListBudget({items, bytes}: ListLimits = listLimits) {
	let count = 0;
	let used = 0;
	let isFull = false;
	return {
		/** Adds an item to the count. Returns false once an item doesn't fit, and for every later item. */
		take(item: unknown): boolean {
			if (isFull) return false;
			const size = memorySize(item);
			isFull = count >= items || used + size > bytes;
			if (isFull) return false;
			count++;
			used += size;
			return true;
		},
	};
}

/** Approximate memory size of a parsed JSON value, in bytes. Depth is bounded by the parser. */
function memorySize(value: unknown): number {
	if (typeof value === 'string') return 24 + value.length;
	if (typeof value !== 'object' || value === null) return 8;
	if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + 8 + memorySize(item), 32);
	let size = 64;
	for (const [key, part] of Object.entries(value)) size += 40 + key.length + memorySize(part);
	return size;
}

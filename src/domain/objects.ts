/** Whether two JSON values are equal. Keys set to `undefined` count as absent. */
export function isEqual(a: unknown, b: unknown): boolean {
	if (Object.is(a, b)) return true;
	if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
	if (Array.isArray(a) || Array.isArray(b)) {
		return (
			Array.isArray(a) &&
			Array.isArray(b) &&
			a.length === b.length &&
			a.every((item, index) => isEqual(item, b[index]))
		);
	}
	const left = a as Record<string, unknown>;
	const right = b as Record<string, unknown>;
	return (
		Object.keys(left).every(key => isEqual(left[key], right[key])) &&
		Object.keys(right).every(key => Object.hasOwn(left, key) || right[key] === undefined)
	);
}

/** The entry of a table under a word from outside: never a property that every object has, such as `constructor`. */
export function ownEntry<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
	return Object.hasOwn(table, word) ? table[word] : undefined;
}

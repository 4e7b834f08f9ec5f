/** The entry of a table under a word from outside: never a property that every object has, such as `constructor`. */
export function ownEntry<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
	return Object.hasOwn(table, word) ? table[word] : undefined;
}

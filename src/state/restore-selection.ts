/**
 * The selected row after a data change: the same row if it still exists, otherwise the nearest surviving
 * neighbor, preferring those below. Undefined if there is none.
 */
export function restoreSelection(
	before: readonly {readonly id: string}[],
	index: number,
	exists: (id: string) => boolean,
): string | undefined {
	for (let away = 0; away <= before.length; away++) {
		for (const at of away === 0 ? [index] : [index + away, index - away]) {
			const id = before[at]?.id;
			if (id !== undefined && exists(id)) return id;
		}
	}
	return undefined;
}

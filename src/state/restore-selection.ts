/**
 * The selected row after the data changed: the same for as long as it exists, else the nearest of its old neighbours that
 * still exists, those below it first. `undefined` when none of them does.
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

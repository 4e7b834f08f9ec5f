/** Length of a UTC day, ms. */
export const dayLength = 86_400_000;

/** A range of whole UTC days, both included, YYYY-MM-DD. */
export type DayRange = {readonly startDate: string; readonly endDate: string};

/** The UTC day of a time in Unix ms, YYYY-MM-DD. */
export function dayOf(at: number): string {
	return new Date(at).toISOString().slice(0, 10);
}

/** Whether the text is a valid calendar date, YYYY-MM-DD. */
export function isDay(text: string): boolean {
	if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
	const at = Date.parse(`${text}T00:00:00Z`);
	return !Number.isNaN(at) && dayOf(at) === text;
}

/** The range in Unix ms: `from` inclusive, `to` exclusive. */
export function spanOf({startDate, endDate}: DayRange): {from: number; to: number} {
	return {from: Date.parse(startDate), to: Date.parse(endDate) + dayLength};
}

/** Groups items by day, in day order. */
export function byDay<T>(items: readonly T[], dayOfItem: (item: T) => string): [string, T[]][] {
	const days = Map.groupBy(items, dayOfItem);
	return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Counts occurrences of each key, most frequent first. */
export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, number][] {
	const groups = [...Map.groupBy(items, keyOf)].map(([key, group]): [string, number] => [key, group.length]);
	return groups.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

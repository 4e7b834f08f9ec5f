import type {DayRange} from '../../domain/usage/range.ts';

/** What a read left out of the service's data. */
export type Gaps = {
	/** Number of items that could not be read. */
	readonly skipped: number;
	/** False if there is or may be more, but the service gives no way to reach it. */
	readonly isWhole: boolean;
	/** Set if reading stopped at a limit: says which part is shown. */
	readonly cut?: string;
};

/** Builds the note on what is missing from the data; `more` lists further notes. */
export function noteOf(gaps: readonly Gaps[], more: readonly string[] = []): {note?: string} {
	const skipped = gaps.reduce((sum, one) => sum + one.skipped, 0);
	const notes = [
		...more,
		...gaps.flatMap(({cut}) => cut ?? []),
		...(skipped > 0 ? [`${skipped} ${skipped === 1 ? 'item' : 'items'} could not be read completely`] : []),
		...(gaps.every(({isWhole, cut}) => isWhole || cut !== undefined)
			? []
			: ['the service gives no cursor to what may follow']),
	];
	return notes.length > 0 ? {note: notes.join('; ')} : {};
}

/** A note if the service has no data yet for the end of a range: around midnight UTC, its last day may be earlier. */
export function refusedDays({endDate}: DayRange, lastDay: string): string[] {
	if (endDate <= lastDay) return [];
	return [`the service refused ${endDate}: its last day is ${lastDay}, so the data ends there`];
}

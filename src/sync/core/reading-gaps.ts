import type {WalkEnd} from '../../api/pages.ts';
import type {DayRange} from '../../domain/usage/range.ts';

export const endTexts: Readonly<Record<Exclude<WalkEnd, 'end'>, string>> = {
	'no-cursor': 'the service gives no cursor to what may follow',
	'repeated-cursor': 'the service repeats a cursor or a page, so what may follow is missing',
	'empty-pages': 'the service says that there is more, but gives only empty pages',
	'too-large': 'one item is too large to read: everything after it is missing',
	full: 'there is more than fits in memory: the rest is missing',
};

/** What a read left out of the service's data. */
export type Gaps = {
	/** Number of items that can't be read. */
	readonly skipped: number;
	/** Why it ended, if there is or may be more. */
	readonly end: WalkEnd;
	/** Set if reading stopped at a limit: says which part is shown. */
	readonly cut?: string;
	readonly notes?: readonly string[];
};

/** Builds the note on what is missing from the data; `more` lists further notes. */
export function noteOf(gaps: readonly Gaps[], more: readonly string[] = []): {note?: string} {
	const skipped = gaps.reduce((sum, one) => sum + one.skipped, 0);
	const notes = [
		...more,
		...gaps.flatMap(({notes = []}) => notes),
		...gaps.flatMap(({cut}) => cut ?? []),
		...(skipped > 0 ? [`${skipped} ${skipped === 1 ? 'item' : 'items'} could not be read`] : []),
		...gaps.flatMap(({end, cut}) => (end === 'end' || cut !== undefined ? [] : endTexts[end])),
	];
	return notes.length > 0 ? {note: [...new Set(notes)].join('; ')} : {};
}

/** A note if the service has no data yet for the end of a range: around midnight UTC, its last day may be earlier. */
export function refusedDays({endDate}: DayRange, lastDay: string): string[] {
	if (endDate <= lastDay) return [];
	return [`the service refused ${endDate}: its last day is ${lastDay}, so the data ends there`];
}

import type {DayRange} from '../domain/usage/range.ts';

/** What a reading left out of what the service has. */
export type Gaps = {
	/** Items that could not be read. */
	readonly skipped: number;
	/** False when the service says that there is more and gives no way to it. */
	readonly isWhole: boolean;
	/** Reading ended because there was more than is kept: what is shown instead of all. */
	readonly cut?: string;
};

/** What was read lacks something, which is said beside it; `more` is what else there is to say. */
export function noteOf(gaps: readonly Gaps[], more: readonly string[] = []): {note?: string} {
	const skipped = gaps.reduce((sum, one) => sum + one.skipped, 0);
	const notes = [
		...more,
		...gaps.flatMap(({cut}) => cut ?? []),
		...(skipped > 0 ? [`${skipped} ${skipped === 1 ? 'item' : 'items'} could not be read`] : []),
		...(gaps.every(({isWhole, cut}) => isWhole || cut !== undefined)
			? []
			: ['the service says there is more but gives no cursor']),
	];
	return notes.length > 0 ? {note: notes.join('; ')} : {};
}

/** Days at the end of a range that the service refused: around midnight UTC its last day may be one earlier. */
export function refusedDays({endDate}: DayRange, lastDay: string): string[] {
	if (endDate <= lastDay) return [];
	return [`the service refused ${endDate}: its last day is ${lastDay}, and that is how far this goes`];
}

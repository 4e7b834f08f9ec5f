/** What a reading left out of what the service has. */
export type Gaps = {
	/** Items that could not be read. */
	readonly skipped: number;
	/** False when the service says that there is more and gives no way to it. */
	readonly isWhole: boolean;
};

/** What was read lacks something: it is told beside it. */
export function noteOf(gaps: readonly Gaps[]): {note?: string} {
	const skipped = gaps.reduce((sum, one) => sum + one.skipped, 0);
	const notes = [
		...(skipped > 0 ? [`${skipped} ${skipped === 1 ? 'item' : 'items'} could not be read`] : []),
		...(gaps.every(({isWhole}) => isWhole) ? [] : ['the service says there is more and gives no way to it']),
	];
	return notes.length > 0 ? {note: notes.join('; ')} : {};
}

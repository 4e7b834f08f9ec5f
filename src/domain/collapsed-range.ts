/** A part of a text that is shown folded: where it starts and ends, in UTF-16 units. */
export type CollapsedRange = readonly [start: number, end: number];

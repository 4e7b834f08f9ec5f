/** A collapsed range of a text: start and end, in UTF-16 code units. */
export type CollapsedRange = readonly [start: number, end: number];

/** The source of a value, displayed next to it with its age. */
export type Source = 'created' | 'updated' | 'posted' | 'hook' | 'activity' | 'memory';

/** A value with its source and the time it was learned (Unix ms). */
export type Observed<T> = {readonly value: T; readonly source: Source; readonly at: number};

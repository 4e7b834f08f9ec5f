/** Where a value comes from. The screen shows it beside the value, with its age. */
export type Source = 'created' | 'updated' | 'posted' | 'hook' | 'activity' | 'memory';

/** A value with its source and the Unix ms at which it was learned. */
export type Observed<T> = {readonly value: T; readonly source: Source; readonly at: number};

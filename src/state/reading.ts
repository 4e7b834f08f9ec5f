/** A row of the stream that stays where it is: `line` rows into the entry `id`. */
export type Anchor = {readonly id: string; readonly line: number};

/**
 * How a stream is read. `following`: the newest row is kept in sight. Otherwise the row at the top of the window stands
 * still whatever arrives; `lastSeen` is the newest entry when the reader left the end, for the count of new ones.
 */
export type Reading =
	| {readonly isFollowing: true; readonly selected?: string}
	| {readonly isFollowing: false; readonly top: Anchor; readonly selected: string; readonly lastSeen: string};

export const following: Reading = {isFollowing: true};

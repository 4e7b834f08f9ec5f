/** An anchored row of the stream: `line` rows into the entry `id`. */
export type Anchor = {readonly id: string; readonly line: number};

/**
 * Scroll state of a stream. When following, the newest row stays in view. Otherwise the top row of the window
 * stays put as messages arrive; `lastSeen` is the newest entry at the time the reader scrolled away, used to
 * count new ones.
 */
export type Reading =
	| {readonly isFollowing: true; readonly selected?: string}
	| {readonly isFollowing: false; readonly top: Anchor; readonly selected: string; readonly lastSeen: string};

export const following: Reading = {isFollowing: true};

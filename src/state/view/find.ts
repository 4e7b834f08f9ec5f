import type {View} from './view.ts';

export type Find = {
	readonly sessionId: string;
	readonly words: string;
	readonly isTyping: boolean;
	/** Number of matching messages found so far; follows messages that are added or removed. */
	readonly count: number;
	/** Number of matches newer than the reader's position. */
	readonly newer: number;
	/** The current match; absent if the reader is not at one. */
	readonly hit?: Hit;
	/** Older messages are still being searched. */
	readonly isSearching: boolean;
	/** The saved messages could not be read completely. */
	readonly isIncomplete?: boolean;
	/** Where the user was when they went to this message from a search of all sessions. */
	readonly cameFrom?: Place;
	/** The message the reader was at when the search began; absent: the newest. */
	readonly from?: string;
};

/** What was in front of the user, and how far they had scrolled. */
type Place = Pick<
	View,
	'page' | 'focus' | 'cursor' | 'shown' | 'openedFrom' | 'lastSession' | 'split' | 'scrollStates'
>;

/**
 * One match in a message: `nth` counts matches in rendering order, from 0; absent, it is the best one.
 * `isExpandedBySearch`: the search, not the user, expanded the message.
 */
export type Hit = {readonly id: string; readonly nth?: number; readonly isExpandedBySearch?: boolean};

/** Search results so far, and the search cursor, which stays on its message as others arrive. */
export type FindProgress = {
	readonly count: number;
	/** Number of matches after the cursor. */
	readonly newer: number;
	/** Whether the message at the cursor is a match. */
	readonly isAtCursor: boolean;
	/** All saved messages were searched; from then on the results follow changes. */
	readonly isOver: boolean;
	/** The file could not be read completely. */
	readonly isIncomplete: boolean;
};

export type Found = FindProgress & {readonly id: string};

/** A search result across sessions. `createdAt` is Unix ms; the snippet is raw, on one line. */
export type SearchHit = {
	readonly sessionId: string;
	readonly messageId: string;
	readonly snippet: string;
	readonly createdAt?: number;
};

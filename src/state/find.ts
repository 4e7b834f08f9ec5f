import type {Anchor} from './reading.ts';

/** What is looked for in one session. */
export type Find = {
	readonly sessionId: string;
	readonly words: string;
	/** The words are being typed. */
	readonly isTyping: boolean;
	/** How many messages hold the words, as far as they were looked through; it stays true while messages come and go. */
	readonly count: number;
	/** How many of them are newer than the one the reader is at. */
	readonly newer: number;
	/** Where the reader is; absent while that is none of them. */
	readonly hit?: Hit;
	/** It goes on: older messages are still to be looked through. */
	readonly isLooking: boolean;
	/** What is kept could not be read to its end. */
	readonly isUnread?: boolean;
	/** The message the reader was at when it began; absent: the newest. */
	readonly from?: string;
};

/**
 * One of the places in a message where words are found: `nth` in the order in which they are drawn, from 0. Unfolded: by
 * the find, not by the user.
 */
export type Hit = {readonly id: string; readonly nth: number; readonly isUnfolded?: boolean};

/** What was found in a session so far, and where the cursor is, which stays at its place whatever comes. */
export type FindProgress = {
	readonly count: number;
	/** How many of them stand after the cursor. */
	readonly newer: number;
	/** Is the message at the cursor one of them? */
	readonly isAtCursor: boolean;
	/** All that is kept was looked through: from then on it is kept true. */
	readonly isOver: boolean;
	/** The file could not be read to its end. */
	readonly isUnread: boolean;
};

/** The message that the cursor was moved to. */
export type Found = FindProgress & {readonly id: string};

/** A marked range of rows: from where it began to the row the keys move. */
export type Mark = {readonly sessionId: string; readonly from: Anchor; readonly to: Anchor};

/** What was found in all sessions. `createdAt` is Unix ms; the snippet is raw, on one line. */
export type SearchHit = {
	readonly sessionId: string;
	readonly messageId: string;
	readonly snippet: string;
	readonly createdAt?: number;
};

import type {Anchor} from './reading.ts';

/** What is looked for in one session. */
export type Find = {
	readonly sessionId: string;
	readonly words: string;
	/** The words are being typed. */
	readonly isTyping: boolean;
	/** How many messages hold the words, as far as they were looked through. */
	readonly count: number;
	/** Which of them the reader is at, the newest being number 0; -1 while there is none. */
	readonly at: number;
	/** It goes on: older messages are still to be looked through. */
	readonly isLooking: boolean;
	/** The message the reader was at when it began; absent: the newest. */
	readonly from?: string;
};

/** A marked range of rows: from where it began to the row the keys move. */
export type Mark = {readonly sessionId: string; readonly from: Anchor; readonly to: Anchor};

/** What was found in all sessions. `createdAt` is Unix ms; the snippet is raw, on one line. */
export type SearchHit = {
	readonly sessionId: string;
	readonly messageId: string;
	readonly snippet: string;
	readonly createdAt?: number;
};

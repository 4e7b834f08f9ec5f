import type {Anchor} from './reading.ts';

/** What is looked for in one session. */
export type Find = {
	readonly sessionId: string;
	readonly words: string;
	/** The words are being typed. */
	readonly isTyping: boolean;
	/** Ids of the messages that hold the words, newest first. */
	readonly hits: readonly string[];
	/** Where among the hits the reader is; -1 when there are none. */
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

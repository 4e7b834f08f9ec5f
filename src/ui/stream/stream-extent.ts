import type {Line} from '../../text/line.ts';
import type {StreamItem} from './stream-items.ts';
import type {Extent} from './viewport.ts';

/** The stream as it was drawn last: what keys move in and act on. */
export type StreamExtent = Extent & {
	readonly sessionId: string;
	readonly items: readonly StreamItem[];
	/** Columns of a row. */
	readonly width: number;
	/** Rows of an item, its lead first. */
	readonly linesAt: (index: number) => readonly Line[];
	/** What an item says, without its lead: the same array as long as nothing of it changes. */
	readonly ownLinesAt: (index: number) => readonly Line[];
	/** The lead alone: what an item does not say itself. */
	readonly leadAt: (index: number) => number;
};

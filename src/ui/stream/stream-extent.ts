import type {Line} from '../../text/line.ts';
import type {StreamItem} from './stream-items.ts';
import type {Extent} from './viewport.ts';

/** The stream as last drawn, for keys to move in and act on. */
export type StreamExtent = Extent & {
	readonly sessionId: string;
	readonly items: readonly StreamItem[];
	/** Columns of a row. */
	readonly width: number;
	/** Rows of an item, including its lead. */
	readonly linesAt: (index: number) => readonly Line[];
	/** An item's rows without its lead: the same array while the item is unchanged. */
	readonly ownLinesAt: (index: number) => readonly Line[];
	/** Number of lead rows: context that isn't part of the item itself. */
	readonly leadAt: (index: number) => number;
};

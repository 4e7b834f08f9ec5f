import type {Stream} from '../../state/stream.ts';
import type {NewLine} from '../../state/view/new-line.ts';
import {type Expanded, isExpanded} from '../../state/view/view.ts';
import type {Line} from '../../text/cells/line.ts';
import type {RowCache} from '../../text/messages/row-cache.ts';
import type {NoteOf} from './delivery-note.ts';
import {type Beginning, isProse, itemRows, leadRows, type OutgoingKeys} from './item-rows.ts';
import {messageIds, type StreamItem} from './stream-items.ts';
import type {StreamExtent} from './viewport.ts';

export type ExtentOptions = OutgoingKeys & {
	readonly sessionId: string;
	readonly stream: Stream | undefined;
	readonly items: readonly StreamItem[];
	/** Items at the end that no listing contains yet. */
	readonly pending: number;
	readonly rows: RowCache;
	readonly expanded: Expanded;
	/** Columns and rows of the window. */
	readonly width: number;
	readonly height: number;
	/** Whether the screen has many rows. */
	readonly isTall: boolean;
	/** The session's folder, if known. */
	readonly folder: string | undefined;
	readonly noteOf: NoteOf;
	/** The line above the first unread message. */
	readonly newLine?: NewLine | undefined;
};

/** A stream in a window. Lays out nothing itself: an item is laid out when its rows are first requested. */
export function extentOf(options: ExtentOptions): StreamExtent {
	const {sessionId, stream, items, pending, rows, width, height, isTall, folder, newLine} = options;
	const beginning: Beginning = stream?.isLoadingOlder ? 'asking' : stream?.hasOlder ? 'older' : 'start';
	const leads = new Map<number, readonly Line[]>();
	const noteAt = (index: number) => {
		const item = items[index];
		return item?.outbox && options.noteOf(item.outbox, item.turn);
	};
	const leadOf = (index: number): readonly Line[] => {
		const known = leads.get(index);
		if (known) return known;
		const before = isTall ? items[index - 1] : undefined;
		const isBelowCard = before !== undefined && !isProse(before) && ownCount(index - 1) > 1;
		const note = noteAt(index);
		const lead = leadRows(items, index, {width, beginning, newLine, note, isBelowCard});
		leads.set(index, lead);
		return lead;
	};
	const ownOf = (index: number): readonly Line[] => {
		const item = items[index];
		if (!item) return [];
		const look = {width, isTall, folder, isExpanded: isExpanded(options.expanded, messageIds(item))};
		return itemRows(rows, sessionId, item, look, options);
	};
	/** Walks over rows ask for the same items many times a key. */
	const counts = new Map<number, number>();
	const ownCount = (index: number): number => {
		const count = counts.get(index) ?? ownOf(index).length;
		counts.set(index, count);
		return count;
	};
	let indexes: ReadonlyMap<string, number> | undefined;
	const indexOf = (id: string): number => {
		indexes ??= indexesOf(items);
		return indexes.get(id) ?? -1;
	};
	return {
		sessionId,
		indexOf,
		items,
		width,
		height,
		isTall,
		folder,
		pending,
		hasNewer: stream?.hasNewer === true,
		ids: items.map(({id}) => id),
		leadAt: index => leadOf(index).length,
		rowsAt: index => leadOf(index).length + ownCount(index),
		linesAt: index => [...leadOf(index), ...ownOf(index)],
		ownLinesAt: ownOf,
		isTransientAt: index => items[index]?.entry.kind === 'gap',
	};
}

/** The index of the item that each message is or is part of. */
function indexesOf(items: readonly StreamItem[]): ReadonlyMap<string, number> {
	const indexes = new Map<string, number>();
	items.forEach(({otherIds}, index) => {
		if (otherIds) for (const other of otherIds) indexes.set(other, index);
	});
	// Last: a message that is an item of its own isn't found as a part of another.
	items.forEach(({id}, index) => void indexes.set(id, index));
	return indexes;
}

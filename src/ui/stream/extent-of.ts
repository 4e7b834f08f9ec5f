import type {NewLine} from '../../state/new-line.ts';
import type {Stream} from '../../state/stream.ts';
import {type Expanded, isExpanded} from '../../state/view.ts';
import type {Line} from '../../text/cells/line.ts';
import type {RowCache} from '../../text/messages/row-cache.ts';
import type {NoteOf} from './delivery-note.ts';
import {type Beginning, itemRows, leadRows, type OutgoingKeys} from './item-rows.ts';
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
	/** The delivery note of our message. */
	readonly noteOf: NoteOf;
	/** The line above the first unread message. */
	readonly newLine?: NewLine | undefined;
};

/** A stream in a window. Lays out nothing itself: an item is laid out when its rows are first requested. */
export function extentOf(options: ExtentOptions): StreamExtent {
	const {sessionId, stream, items, pending, rows, width, height, newLine} = options;
	const beginning: Beginning = stream?.isLoadingOlder ? 'asking' : stream?.hasOlder ? 'older' : 'start';
	const leads = new Map<number, readonly Line[]>();
	const noteAt = (index: number) => {
		const item = items[index];
		return item?.outbox && options.noteOf(item.outbox, item.turn);
	};
	const leadOf = (index: number): readonly Line[] => {
		const lead = leads.get(index) ?? leadRows(items, index, {width, beginning, newLine, note: noteAt(index)});
		leads.set(index, lead);
		return lead;
	};
	const ownOf = (index: number): readonly Line[] => {
		const item = items[index];
		if (!item) return [];
		return itemRows(rows, sessionId, item, width, isExpanded(options.expanded, messageIds(item)), options);
	};
	/** Walks over rows ask for the same items many times a key. */
	const counts = new Map<number, number>();
	const rowsAt = (index: number): number => {
		const count = counts.get(index) ?? leadOf(index).length + ownOf(index).length;
		counts.set(index, count);
		return count;
	};
	let indexes: Map<string, number> | undefined;
	const indexOf = (id: string): number => {
		indexes ??= new Map([
			...items.flatMap(({otherIds = []}, index) => otherIds.map(other => [other, index] as const)),
			...items.map((item, index) => [item.id, index] as const),
		]);
		return indexes.get(id) ?? -1;
	};
	return {
		sessionId,
		indexOf,
		items,
		width,
		height,
		pending,
		hasNewer: stream?.hasNewer === true,
		ids: items.map(({id}) => id),
		leadAt: index => leadOf(index).length,
		rowsAt,
		linesAt: index => [...leadOf(index), ...ownOf(index)],
		ownLinesAt: ownOf,
		isTransientAt: index => items[index]?.entry.kind === 'gap',
	};
}

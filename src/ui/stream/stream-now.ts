import {folderOf} from '../../domain/known.ts';
import {remember, rememberByFields} from '../../state/rows/remember.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {isAtWork, isUnsure, sessionState} from '../../state/sessions/session-state.ts';
import type {NewLine, Stream, StreamEntry} from '../../state/stream.ts';
import {type Expanded, isExpanded, isInLists, replyingTo, type View} from '../../state/view/view.ts';
import {following} from '../../state/view/view-states.ts';
import type {Line} from '../../text/cells/line.ts';
import {isCollapsed} from '../../text/messages/collapsed-rows.ts';
import {gutterOf, type RowCache} from '../../text/messages/message-rows.ts';
import type {Layout, Rect} from '../layout.ts';
import {layoutNow, placedStreams} from '../layout-now.ts';
import type {AppParts} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import {keysAfter} from '../way-out.ts';
import {createNoteOf, deliveryConnection, type NoteOf} from './delivery-note.ts';
import {type Beginning, isProse, itemRows, leadRows, type OutgoingKeys} from './item-rows.ts';
import {isHidden, messageIds, newLineOf, pendingCount, type StreamItem, streamItems} from './stream-items.ts';
import {type StreamExtent, windowOf} from './viewport.ts';
import {workRows} from './work-row.ts';

const nothing: readonly never[] = [];
/** Both borders and the marker. */
const chrome = 3;
/** From so many rows on, the screen has room for longer cards and space between them. */
const tallScreen = 36;
/** The right column is free, unless text then has just too little room for so many columns. */
const fullTextWidth = 80;

export function hiddenCount(entries: readonly StreamEntry[]): number {
	return entries.filter(isHidden).length;
}

/** What a session's stream is laid out from; each step is done again only when its input changes. */
function createLayout() {
	return {
		items: remember(streamItems),
		pending: remember(pendingCount),
		newLine: remember(newLineOf),
		noteOf: remember(createNoteOf),
		extent: rememberByFields(extentOf),
	};
}

/** Layouts by session; a session's is forgotten when its pane is gone. */
export function createStreamCache() {
	const layouts = new Map<string, ReturnType<typeof createLayout>>();
	return {
		of(sessionId: string) {
			const layout = layouts.get(sessionId) ?? createLayout();
			layouts.set(sessionId, layout);
			return layout;
		},
		forget: (sessionId: string) => void layouts.delete(sessionId),
	};
}

/** A session's stream as drawing and keys see it, in a pane at `rect`. */
export function streamNow(
	parts: AppParts,
	view: View,
	item: Pick<SessionItem, 'id' | 'known' | 'signal' | 'folder' | 'source' | 'activity'> &
		Partial<Pick<SessionItem, 'state' | 'reason'>>,
	rect: Rect,
	preview?: Stream,
): StreamExtent {
	const {id, known, signal, folder, state, reason} = item;
	const {expanded, showsHidden, newLines, focus, shown, cursor} = view;
	const stream = preview ?? parts.stores.streams.getState().open.get(id);
	const layout = parts.caches.streams.of(id);
	const outbox = parts.stores.outbox.getState().bySession.get(id) ?? nothing;
	const entries = stream?.entries ?? nothing;
	const now = parts.ticker.now();
	const evidence = {known, signal};
	const isCertain = !isUnsure({...sessionState(evidence), known}, now);
	const isWorking = isCertain && isAtWork(evidence, now);
	const items = layout.items(entries, outbox, showsHidden, isWorking);
	const pending = layout.pending(items);
	const connection = deliveryConnection(parts, outbox);
	const noteOf = layout.noteOf(connection.state, connection.retryAt, connection.now);
	const inner = rect.height - 2;
	const room = rect.width - chrome;
	const width = room - gutterOf(room) === fullTextWidth ? room : room - 1;
	const height = inner - workRows({state, reason}, inner);
	// In a part of the history, the newest messages aren't there to count from.
	const unreadLine = stream?.hasNewer ? undefined : layout.newLine(entries, known?.activity);
	const newLine = newLines.get(id) ?? unreadLine;
	const {caches, keys} = parts;
	const isShown = shown?.id === id && !preview;
	const isWriting = focus === 'composer' && (replyingTo(view) ?? shown?.id) === id;
	const isAtCursor = isInLists(view) && cursor?.id === id;
	const fromStream = isWriting ? keys.label('leave') : undefined;
	const fromElsewhere = keysAfter(view, keys, preview || isAtCursor ? 'open' : 'next-pane');
	const toStream = isShown && !isInLists(view) ? fromStream : fromElsewhere;
	return layout.extent({
		...{sessionId: id, stream, items, pending, rows: caches.rows, expanded, width, height, noteOf, newLine},
		...{label: keys.label, toStream, isWriting},
		...{isTall: parts.screen.size.rows >= tallScreen, folder: folderOf(known) ?? folder},
	});
}

type ExtentOptions = OutgoingKeys & {
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

/** The stream that keys act on: the open session's, if the Work view has room for it. */
export function currentStream(
	parts: AppParts,
	view: View = parts.view.getState(),
	layout: Layout = layoutNow(parts),
): StreamExtent | undefined {
	const {shown} = view;
	if (shown?.kind !== 'session') return undefined;
	const rect = placedStreams(layout, view).find(({id}) => id === shown.id)?.rect;
	const item = listsNow(parts).all.sessionsById.get(shown.id) ?? {id: shown.id};
	return rect && streamNow(parts, view, item, rect);
}

export function selectedIn(stream: StreamExtent, {scrollStates}: View): StreamItem | undefined {
	return stream.items[windowOf(stream, scrollStates.get(stream.sessionId) ?? following).selected];
}

/** Whether the message has something to expand or collapse. */
export function canCollapse(stream: StreamExtent, item: StreamItem, {expanded}: View): boolean {
	if (isExpanded(expanded, messageIds(item))) return true;
	const index = stream.indexOf(item.id);
	return index >= 0 && isCollapsed(stream.linesAt(index));
}

export function isTallerThanPane(stream: StreamExtent, item: StreamItem): boolean {
	const index = stream.indexOf(item.id);
	return index >= 0 && stream.linesAt(index).length > stream.height;
}

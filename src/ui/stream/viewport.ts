import {type Anchor, following, type ScrollState} from '../../state/view/view-states.ts';
import type {Line} from '../../text/cells/line.ts';
import type {StreamItem} from './stream-items.ts';

/** The viewport's view of the stream: ordered items and their row counts at the current width. */
export type Extent = {
	readonly ids: readonly string[];
	/** Index of the item that a message is or is part of; -1 if it is not loaded. */
	readonly indexOf: (id: string) => number;
	/** Rows of the item at `index`; called only near the window. */
	readonly rowsAt: (index: number) => number;
	/** How many of its rows precede the item's own text (a day, the answered message): they change with its neighbors. */
	readonly leadAt: (index: number) => number;
	/** Whether the item at `index` may disappear while it is read; it then can't be an anchor. */
	readonly isTransientAt: (index: number) => boolean;
	/** Rows of the window. */
	readonly height: number;
	/** Number of our own items at the end that no listing contains yet: new items go before them. */
	readonly pending: number;
	/** Items newer than the last one exist: its end is not the end of the session. */
	readonly hasNewer: boolean;
};

/** The visible part of an item: its rows from `from` up to but not including `to`. */
type Slice = {readonly index: number; readonly from: number; readonly to: number};

export type Window = {
	readonly slices: readonly Slice[];
	/** Index of the item that keys act on; -1 when the stream is empty. */
	readonly selected: number;
	/** Whether the first row of the first item is visible, or there is none. */
	readonly isAtStart: boolean;
	/** Whether the last row of the last item is visible. */
	readonly isAtEnd: boolean;
	/** Items below the window that arrived since the reader left the end. */
	readonly unseen: number;
};

/** The visible part. The cost depends only on the visible items, wherever they are in the stream. */
export function windowOf(extent: Extent, scroll: ScrollState): Window {
	const top = topOf(extent, scroll);
	const slices = top ? slicesFrom(extent, top) : [];
	const last = slices.at(-1);
	const isAtEnd =
		last === undefined || (last.index === extent.ids.length - 1 && last.to === extent.rowsAt(last.index));
	const isAtStart = top === undefined || (top.index === 0 && top.line === 0);
	return {
		slices,
		selected: selectedIndex(extent, scroll),
		isAtStart,
		isAtEnd,
		unseen: unseenCount(extent, scroll, last),
	};
}

function selectedIndex(extent: Extent, scroll: ScrollState): number {
	const index = scroll.selected === undefined ? -1 : extent.indexOf(scroll.selected);
	return index < 0 ? extent.ids.length - 1 : index;
}

function unseenCount(extent: Extent, scroll: ScrollState, last: Slice | undefined): number {
	const {ids, pending, rowsAt} = extent;
	if (scroll.isFollowing || !last) return 0;
	const lastSeen = extent.indexOf(scroll.lastSeen);
	const lastShown = last.to === rowsAt(last.index) ? last.index : last.index - 1;
	return lastSeen < 0 ? 0 : Math.max(0, ids.length - pending - 1 - Math.max(lastSeen, lastShown));
}

/** A row of an item, counted from its lead. */
export type Position = {readonly index: number; readonly line: number};

function topOf(extent: Extent, scroll: ScrollState): Position | undefined {
	if (extent.ids.length === 0) return undefined;
	if (scroll.isFollowing) return endTop(extent);
	const anchored = positionOf(extent, scroll.top);
	const end = endTop(extent);
	return anchored && isBefore(anchored, end) ? anchored : end;
}

/** The current position of an anchor; `undefined` if its item is not loaded. */
export function positionOf(extent: Extent, {id, line}: Anchor): Position | undefined {
	const index = extent.indexOf(id);
	if (index < 0) return undefined;
	const lead = extent.leadAt(index);
	if (line < 0) return walk(extent, {index, line: lead}, line);
	return {index, line: Math.min(lead + line, Math.max(0, extent.rowsAt(index) - 1))};
}

/** The anchor for a position: the first item at or below it that won't disappear. */
function anchorAt(extent: Extent, {index, line}: Position): Anchor {
	const {ids, rowsAt, leadAt, isTransientAt} = extent;
	let above = 0;
	let stable = index;
	for (; isTransientAt(stable) && stable < ids.length - 1; stable++)
		above += rowsAt(stable) - (stable === index ? line : 0);
	const lead = leadAt(stable);
	return {id: ids[stable] ?? '', line: stable === index ? line - lead : -lead - above};
}

/** The top of the window when the last row is at its bottom. */
function endTop(extent: Extent): Position {
	return walk(
		extent,
		{index: extent.ids.length - 1, line: extent.rowsAt(extent.ids.length - 1)},
		-extent.height,
	);
}

/** Moves a position by `by` rows, up when negative; stops at both ends. */
function walk({ids, rowsAt}: Extent, from: Position, by: number): Position {
	let {index, line} = from;
	let left = Math.abs(by);
	if (by < 0) {
		while (left > line && index > 0) {
			left -= line;
			index--;
			line = rowsAt(index);
		}
		return {index, line: Math.max(0, line - left)};
	}
	while (index < ids.length - 1 && left >= rowsAt(index) - line) {
		left -= rowsAt(index) - line;
		index++;
		line = 0;
	}
	return {index, line: Math.min(rowsAt(index), line + left)};
}

function slicesFrom({ids, rowsAt, height}: Extent, top: Position): Slice[] {
	const slices: Slice[] = [];
	let room = height;
	for (let index = top.index; index < ids.length && room > 0; index++) {
		const from = index === top.index ? top.line : 0;
		const to = Math.min(rowsAt(index), from + room);
		if (to > from) slices.push({index, from, to});
		room -= to - from;
	}
	return slices;
}

/** The same window, anchored at the selected item instead of the top one. */
export function withSelectedAnchor(extent: Extent, scroll: ScrollState): ScrollState {
	const {slices, selected} = windowOf(extent, scroll);
	const id = extent.ids[selected];
	if (scroll.isFollowing || id === undefined) return scroll;
	let above = 0;
	for (const {index, from, to} of slices) {
		if (index !== selected) above += to - from;
		else {
			// How far its own first row is below the top.
			const start = above + extent.leadAt(index) - from;
			return {...scroll, top: {id, line: -start}};
		}
	}
	return scroll;
}

/** Scrolls by rows; reaching the end resumes following. Keeps the selected item visible. */
export function scrolled(extent: Extent, scroll: ScrollState, by: number): ScrollState {
	const top = topOf(extent, scroll);
	if (!top) return following;
	const moved = walk(extent, top, by);
	const end = endTop(extent);
	if (by > 0 && !isBefore(moved, end))
		return extent.hasNewer ? scrolledTo(extent, scroll, end, extent.ids.length - 1) : following;
	const slices = slicesFrom(extent, moved);
	const selected = selectedIndex(extent, scroll);
	const first = slices[0]?.index ?? moved.index;
	const last = slices.at(-1)?.index ?? moved.index;
	return scrolledTo(extent, scroll, moved, Math.max(first, Math.min(last, selected)));
}

function isBefore(a: Position, b: Position): boolean {
	return a.index < b.index || (a.index === b.index && a.line < b.line);
}

/** Selects the next or previous item; an item taller than the window is first scrolled to its end, row by row. */
export function selectedMoved(extent: Extent, scroll: ScrollState, by: 1 | -1): ScrollState {
	const {ids, rowsAt, height} = extent;
	const {slices, selected, isAtEnd} = windowOf(extent, scroll);
	if (selected < 0) return following;
	const slice = slices.find(({index}) => index === selected);
	const isCutBelow = slice !== undefined && slice.to < rowsAt(selected);
	const isCutAbove = slice !== undefined && slice.from > 0;
	if (by > 0 && isCutBelow) return scrolled(extent, scroll, 1);
	if (by < 0 && isCutAbove) return scrolled(extent, scroll, -1);
	const next = selected + by;
	if (next >= ids.length) return isAtEnd && !extent.hasNewer ? following : scrolled(extent, scroll, 1);
	if (next < 0) return scrolled(extent, scroll, -1);
	const nextSlice = slices.find(({index}) => index === next);
	if (nextSlice && nextSlice.to - nextSlice.from === rowsAt(next)) return atSelected(extent, scroll, next);
	const shown = Math.min(rowsAt(next), height);
	const top =
		by > 0 ? walk(extent, {index: next, line: shown}, -height) : {index: next, line: rowsAt(next) - shown};
	return scrolledTo(extent, scroll, top, next);
}

/** The first row of the first item. */
export function toTop(extent: Extent, scroll: ScrollState): ScrollState {
	return extent.ids.length === 0 ? following : scrolledTo(extent, scroll, {index: 0, line: 0}, 0);
}

/** Makes a position visible, moving the window as little as needed. */
export function withInSight(extent: Extent, scroll: ScrollState, position: Position): ScrollState {
	const {slices} = windowOf(extent, scroll);
	const [first] = slices;
	const last = slices.at(-1);
	if (!first || !last) return scroll;
	const isAbove = isBefore(position, {index: first.index, line: first.from});
	const isBelow = !isBefore(position, {index: last.index, line: last.to});
	const top = isAbove
		? position
		: isBelow
			? walk(extent, position, 1 - extent.height)
			: {index: first.index, line: first.from};
	return scrolledTo(extent, scroll, top, position.index);
}

/** The position at a row of the window. */
export function positionInSight(extent: Extent, scroll: ScrollState, row: number): Position | undefined {
	let above = 0;
	for (const {index, from, to} of windowOf(extent, scroll).slices) {
		if (row < above + to - from) return row < 0 ? undefined : {index, line: from + row - above};
		above += to - from;
	}
	return undefined;
}

/** Selects another item without scrolling. Selecting an earlier item stops following, so that it stays selected. */
export function atSelected(extent: Extent, scroll: ScrollState, selected: number): ScrollState {
	const top = topOf(extent, scroll);
	const isLast = selected === extent.ids.length - 1;
	if (isLast && !extent.hasNewer && windowOf(extent, scroll).isAtEnd) return following;
	return top ? scrolledTo(extent, scroll, top, selected) : following;
}

/**
 * The scroll state on opening a stream whose unread messages start at the item at `index`: at the end if all
 * of them fit, otherwise with the line above the first one near the top.
 */
export function scrollFrom(extent: Extent, index: number): ScrollState {
	if (index < 0) return following;
	const start = {index, line: 0};
	const end = endTop(extent);
	return isBefore(start, end) ? scrolledTo(extent, following, walk(extent, start, -1), index) : following;
}

function scrolledTo(extent: Extent, before: ScrollState, top: Position, selected: number): ScrollState {
	const {ids, pending} = extent;
	const anchor = anchorAt(extent, top);
	return {
		isFollowing: false,
		top: anchor,
		selected: ids[selected] ?? anchor.id,
		lastSeen: before.isFollowing ? (ids[ids.length - pending - 1] ?? anchor.id) : before.lastSeen,
	};
}

/** The stream as last drawn, for keys to move in and act on. */
export type StreamExtent = Extent & {
	readonly sessionId: string;
	readonly items: readonly StreamItem[];
	/** Columns of a row. */
	readonly width: number;
	/** Whether the screen has many rows. */
	readonly isTall: boolean;
	/** The session's folder, if known. */
	readonly folder: string | undefined;
	/** Rows of an item, including its lead. */
	readonly linesAt: (index: number) => readonly Line[];
	/** An item's rows without its lead: the same array while the item is unchanged. */
	readonly ownLinesAt: (index: number) => readonly Line[];
};

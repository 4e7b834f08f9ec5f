import {type Anchor, following, type Reading} from '../../state/reading.ts';

/** What the viewport knows of the stream: items in order, and how many rows each has at the present width. */
export type Extent = {
	readonly ids: readonly string[];
	/** Rows of the item at `index`; asked for those near the window only. */
	readonly rowsAt: (index: number) => number;
	/** How many of them stand above what the item says (a day, whom it answers): they come and go with its neighbours. */
	readonly leadAt?: (index: number) => number;
	/** May the item at `index` go while it is read? Then no anchor is put on it. */
	readonly isLooseAt?: (index: number) => boolean;
	/** Rows of the window. */
	readonly height: number;
	/** Items at the end that are our own and not in a listing yet: what comes new is put before them. */
	readonly pending?: number;
	/** Newer items exist than the last one: its end is not the end of the session. */
	readonly hasNewer?: boolean;
};

/** A part of an item that is on screen: its rows from `from` up to but not including `to`. */
type Slice = {readonly index: number; readonly from: number; readonly to: number};

export type Window = {
	readonly slices: readonly Slice[];
	/** Index of the item that the keys act on; -1 when the stream is empty. */
	readonly selected: number;
	/** Is the last row of the last item in sight? */
	readonly isAtEnd: boolean;
	/** Items that came since the reader left the end. */
	readonly unseen: number;
};

/** The visible part. Work is done for what is visible, wherever it is in the stream. */
export function windowOf(extent: Extent, reading: Reading): Window {
	const top = topOf(extent, reading);
	const slices = top ? slicesFrom(extent, top) : [];
	const last = slices.at(-1);
	const isAtEnd =
		last === undefined || (last.index === extent.ids.length - 1 && last.to === extent.rowsAt(last.index));
	return {slices, selected: selectedIndex(extent, reading), isAtEnd, unseen: unseenCount(extent, reading)};
}

function selectedIndex({ids}: Extent, reading: Reading): number {
	const index = reading.selected === undefined ? -1 : ids.lastIndexOf(reading.selected);
	return index < 0 ? ids.length - 1 : index;
}

function unseenCount({ids, pending = 0}: Extent, reading: Reading): number {
	if (reading.isFollowing) return 0;
	const index = ids.lastIndexOf(reading.lastSeen);
	return index < 0 ? 0 : Math.max(0, ids.length - pending - 1 - index);
}

/** A row of an item, its lead included. */
export type Position = {readonly index: number; readonly line: number};

function topOf(extent: Extent, reading: Reading): Position | undefined {
	if (extent.ids.length === 0) return undefined;
	if (reading.isFollowing) return endTop(extent);
	const anchored = positionOf(extent, reading.top);
	return anchored ? earlier(anchored, endTop(extent)) : endTop(extent);
}

/** Where an anchor is now; `undefined` when its item is not there. */
export function positionOf(extent: Extent, {id, line}: Anchor): Position | undefined {
	const index = extent.ids.lastIndexOf(id);
	if (index < 0) return undefined;
	const lead = extent.leadAt?.(index) ?? 0;
	if (line < 0) return walk(extent, {index, line: lead}, line);
	return {index, line: Math.min(lead + line, Math.max(0, extent.rowsAt(index) - 1))};
}

/** The anchor that keeps a position: on the first item at or below it that stays. */
export function anchorAt(extent: Extent, {index, line}: Position): Anchor {
	const {ids, rowsAt, leadAt, isLooseAt} = extent;
	let above = 0;
	let kept = index;
	for (; isLooseAt?.(kept) && kept < ids.length - 1; kept++)
		above += rowsAt(kept) - (kept === index ? line : 0);
	const lead = leadAt?.(kept) ?? 0;
	return {id: ids[kept] ?? '', line: kept === index ? line - lead : -lead - above};
}

/** The top of the window when the last row stands at its end. */
function endTop(extent: Extent): Position {
	return walk(
		extent,
		{index: extent.ids.length - 1, line: extent.rowsAt(extent.ids.length - 1)},
		-extent.height,
	);
}

function earlier(a: Position, b: Position): Position {
	return a.index < b.index || (a.index === b.index && a.line <= b.line) ? a : b;
}

/** `by` rows from a position, up when negative; stops at both ends. */
export function walk({ids, rowsAt}: Extent, from: Position, by: number): Position {
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

/** Scrolls by rows; back at the end the stream is followed again. The selected item is kept in sight. */
export function scrolled(extent: Extent, reading: Reading, by: number): Reading {
	const top = topOf(extent, reading);
	if (!top) return following;
	const moved = walk(extent, top, by);
	const end = endTop(extent);
	if (by > 0 && !isBefore(moved, end))
		return extent.hasNewer ? readingAt(extent, reading, end, extent.ids.length - 1) : following;
	const slices = slicesFrom(extent, moved);
	const selected = selectedIndex(extent, reading);
	const first = slices[0]?.index ?? moved.index;
	const last = slices.at(-1)?.index ?? moved.index;
	return readingAt(extent, reading, moved, Math.max(first, Math.min(last, selected)));
}

export function isBefore(a: Position, b: Position): boolean {
	return a.index < b.index || (a.index === b.index && a.line < b.line);
}

/** Selects the item `by` places away; an item taller than the window is first read to its end, row by row. */
export function selectedMoved(extent: Extent, reading: Reading, by: 1 | -1): Reading {
	const {ids, rowsAt, height} = extent;
	const {slices, selected, isAtEnd} = windowOf(extent, reading);
	if (selected < 0) return following;
	const slice = slices.find(({index}) => index === selected);
	const isCutBelow = slice !== undefined && slice.to < rowsAt(selected);
	const isCutAbove = slice !== undefined && slice.from > 0;
	if (by > 0 && isCutBelow) return scrolled(extent, reading, 1);
	if (by < 0 && isCutAbove) return scrolled(extent, reading, -1);
	const next = selected + by;
	if (next >= ids.length) return isAtEnd && !extent.hasNewer ? following : scrolled(extent, reading, 1);
	if (next < 0) return scrolled(extent, reading, -1);
	const seen = slices.find(({index}) => index === next);
	if (seen && seen.to - seen.from === rowsAt(next)) return atSelected(extent, reading, next);
	const shown = Math.min(rowsAt(next), height);
	const top =
		by > 0 ? walk(extent, {index: next, line: shown}, -height) : {index: next, line: rowsAt(next) - shown};
	return readingAt(extent, reading, top, next);
}

/** The first item, from its first row. */
export function toTop(extent: Extent, reading: Reading): Reading {
	return extent.ids.length === 0 ? following : readingAt(extent, reading, {index: 0, line: 0}, 0);
}

/** The same reading with a position in sight, its window moved as little as that needs. */
export function withInSight(extent: Extent, reading: Reading, position: Position): Reading {
	const {slices} = windowOf(extent, reading);
	const [first] = slices;
	const last = slices.at(-1);
	if (!first || !last) return reading;
	const isAbove = isBefore(position, {index: first.index, line: first.from});
	const isBelow = !isBefore(position, {index: last.index, line: last.to});
	const top = isAbove
		? position
		: isBelow
			? walk(extent, position, 1 - extent.height)
			: {index: first.index, line: first.from};
	return readingAt(extent, reading, top, position.index);
}

/** The item at a row of the window, and which of its rows that is. */
export function positionInSight(extent: Extent, reading: Reading, row: number): Position | undefined {
	let above = 0;
	for (const {index, from, to} of windowOf(extent, reading).slices) {
		if (row < above + to - from) return row < 0 ? undefined : {index, line: from + row - above};
		above += to - from;
	}
	return undefined;
}

/** The same window with another item selected. Selecting an earlier item stops following, so that it stays selected. */
export function atSelected(extent: Extent, reading: Reading, selected: number): Reading {
	const top = topOf(extent, reading);
	const isLast = selected === extent.ids.length - 1;
	if (isLast && !extent.hasNewer && windowOf(extent, reading).isAtEnd) return following;
	return top ? readingAt(extent, reading, top, selected) : following;
}

function readingAt(extent: Extent, before: Reading, top: Position, selected: number): Reading {
	const {ids, pending = 0} = extent;
	const anchor = anchorAt(extent, top);
	return {
		isFollowing: false,
		top: anchor,
		selected: ids[selected] ?? anchor.id,
		lastSeen: before.isFollowing ? (ids[ids.length - pending - 1] ?? anchor.id) : before.lastSeen,
	};
}

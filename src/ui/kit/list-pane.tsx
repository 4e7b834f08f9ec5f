import {useEffect, useReducer, useRef} from 'react';
import {textWidth} from '../../text/cells/graphemes.ts';
import {fitLine, type Line, lineWidth, type Span} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import type {Rect} from '../layout.ts';
import {useRowsZone} from '../mouse/use-rows-zone.ts';
import {cursorMark, emptyRows, joined, Pane, type Row, tailRoom} from './pane.tsx';
import {clampTop, listTop} from './scroll.ts';
import {countAbove, filterTitle, moreAbove, moreBelow} from './strings.ts';
import {useSeams} from './tiling.ts';
import {useNow} from './use-now.ts';

type ListPaneProps<Item> = {
	readonly rect: Rect;
	readonly title: Line;
	/** Forms of the text at the right end of the upper border, the fullest first. */
	readonly right?: readonly Line[];
	readonly isFocused: boolean;
	readonly items: readonly Item[];
	/** Index of the cursor's row; -1 when the cursor is elsewhere. */
	readonly cursor: number;
	/** The lines of an item at `now` (Unix ms): at most `width` columns wide, and `heightOf` of them. */
	readonly renderItem: (item: Item, width: number, now: number) => readonly Line[];
	/** Number of lines of an item; defaults to 1. */
	readonly heightOf?: (item: Item) => number;
	/** The number that a border shows as hidden from an index on; defaults to the number of items. */
	readonly countFrom?: (index: number) => number;
	/** When a visible item's row next changes by itself (Unix ms). */
	readonly changesAt: (item: Item, now: number) => number | undefined;
	/** Identifies the cursor's row: while it stays the same, a list scrolled by the wheel keeps its position. */
	readonly cursorId?: string | undefined;
	/** Called with the ids (`idOf`) of the visible items when they change, and with none on unmount. */
	readonly onVisible?: (ids: readonly string[]) => void;
	readonly idOf?: (item: Item) => string | undefined;
	/** The pointer picked an item; `undefined`: only the pane. */
	readonly onPick?: (item: Item | undefined, isDouble: boolean) => void;
	readonly empty: readonly Line[];
};

/** The title of a filtered list: what the filter hides, as the count says, matters more than the end of its words. */
export function filteredTitle(title: Span, filter: string, count: Safe, width: number): Line {
	const head = [title, ...filterTitle(filter)];
	return filter === '' ? head : fitLine(head, lineWidth(head) + tailRoom(width, head) - textWidth(count));
}

/** Columns of a list's pane that its rows don't have. */
export const listChrome = 3;

/** A scrolling list in a pane, with the cursor's item marked and hidden items counted in the border. */
export function ListPane<Item>(props: ListPaneProps<Item>) {
	const {rect, items, cursor, cursorId, isFocused, renderItem, changesAt, empty, onPick} = props;
	const {onVisible, idOf, heightOf = singleLine} = props;
	const {countFrom = index => items.length - index} = props;
	const height = rect.height - 2;
	const width = rect.width - listChrome;
	const isBottomOpen = useSeams(rect)?.isBottomOpen;
	const top = useRef(0);
	const cursorKey = cursorId ?? cursor;
	const [, redraw] = useReducer((count: number) => count + 1, 0);
	const wheel = useRef<{readonly top: number; readonly cursorKey: string | number}>(undefined);
	if (wheel.current?.cursorKey !== cursorKey) wheel.current = undefined;
	const wheelTop = wheel.current?.top;
	const visibleRow = wheelTop ?? (cursor < 0 ? top.current : cursor);
	const heightAt = (index: number) => heightOf(items[index] as Item);
	const topFrom = (from: number) => listTop(from, visibleRow, height, items.length, heightAt);
	/** Number of items above one, without headings. */
	const itemsAbove = (index: number) => countFrom(0) - countFrom(index);
	const least = topFrom(wheelTop ?? top.current);
	// Only headings are above: they are shown, too, unless the cursor or the wheel is further down.
	top.current = wheelTop === undefined && itemsAbove(least) === 0 ? topFrom(0) : least;
	const visible = visibleItems(items, top.current, height, heightOf);
	const visibleIds = idOf ? visible.flatMap(item => idOf(item) ?? []).join('\n') : '';
	useEffect(() => {
		onVisible?.(visibleIds === '' ? [] : visibleIds.split('\n'));
		return () => onVisible?.([]);
	}, [onVisible, visibleIds]);
	const now = useNow(at => {
		const next = visible.flatMap(item => changesAt(item, at) ?? []);
		return next.length === 0 ? undefined : Math.min(...next);
	});
	const body: readonly Row[] =
		items.length === 0
			? emptyRows(empty)
			: visible.flatMap((item, index) => {
					const isCursor = top.current + index === cursor;
					const mark = cursorMark(isCursor, isFocused);
					const lines = renderItem(item, width, now);
					return lines.map(line => ({line: [mark, ...line], isSelected: isCursor && isFocused}));
				});
	useRowsZone({
		rect,
		above: 1,
		top: top.current,
		shown: visible.length,
		rowsEach: visible.map(heightOf),
		pick: (index, isDouble) => onPick?.(index === undefined ? undefined : items[index], isDouble),
		wheel(rows) {
			wheel.current = {
				top: clampTop((wheel.current?.top ?? top.current) + rows, height, items.length, heightAt),
				cursorKey,
			};
			redraw();
		},
	});
	// A pane without rows shows the text of an empty list in its border.
	const inBorder = items.length === 0 && height === 0 ? empty.slice(0, 1) : [];
	const rights = props.right ?? inBorder;
	const above = moreAbove(itemsAbove(top.current), top.current > 0);
	const forms =
		above.length > 0
			? [...rights.map(one => joined(above, one)), above, countAbove(itemsAbove(top.current))]
			: rights;
	const bottom = moreBelow(countFrom(top.current + visible.length));
	// The pane below may leave both to the upper border.
	const shared = isBottomOpen ? bottom : [];
	const room = tailRoom(rect.width, props.title);
	return (
		<Pane
			rect={rect}
			title={props.title}
			right={forms.find(form => lineWidth(joined(shared, form)) <= room) ?? forms.at(-1) ?? []}
			bottom={bottom}
			isFocused={isFocused}
			body={body}
		/>
	);
}

const singleLine = () => 1;

/** The items from `top` on that fit; the last one may be cut. */
function visibleItems<Item>(
	items: readonly Item[],
	top: number,
	height: number,
	heightOf: (item: Item) => number,
): readonly Item[] {
	let lines = 0;
	let end = top;
	for (; end < items.length && lines < height; end++) lines += heightOf(items[end] as Item);
	return items.slice(top, end);
}

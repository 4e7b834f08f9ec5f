import {Box, Text} from 'ink';
import {createContext, use} from 'react';
import {pad} from '../../text/cells/cut.ts';
import {fitLine, type Line, lineWidth, padLine, type Span, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import type {Layout, Rect} from '../layout.ts';
import {paint, type Theme} from '../theme/theme.ts';
import {useTheme} from '../theme/use-theme.ts';
import {borderColumn, borderLine, type Seams, useSeams} from './tiling.ts';
import {useScreenCursor} from './use-screen-cursor.ts';

/**
 * Paints rows onto a rectangle of the screen, as one Text: an extra node costs Ink more than an extra row. No row may be
 * wider than the rectangle; a narrower one leaves blank cells.
 */
export function Rows({rect, rows}: {readonly rect: Rect; readonly rows: readonly string[]}) {
	return (
		<Box
			position="absolute"
			left={rect.x}
			top={rect.y}
			width={rect.width}
			height={rect.height}
			overflow="hidden"
		>
			<Text wrap="truncate">{rows.slice(0, rect.height).join('\n')}</Text>
		</Box>
	);
}

export function Pane({rect, ...frame}: Omit<Frame, 'width' | 'height'> & {readonly rect: Rect}) {
	const theme = useTheme();
	const seams = useSeams(rect);
	const rows = frameRows({...frame, width: rect.width, height: rect.height}, theme, seams);
	const drawn = seams?.isTopOpen ? {...rect, y: rect.y + 1} : rect;
	const selected = theme.isScreenReader && frame.isFocused ? frame.body.findIndex(row => row.isSelected) : -1;
	return (
		<>
			{!seams && <DialogSides rect={rect} />}
			<Rows rect={drawn} rows={rows} />
			{selected >= 0 && <SpokenCursor x={rect.x + 1} y={rect.y + 1 + selected} />}
		</>
	);
}

/** Places the terminal's cursor on a line so that a screen reader speaks it. */
function SpokenCursor(cell: {readonly x: number; readonly y: number}) {
	useScreenCursor(cell);
	return undefined;
}

/** Tells the panes of dialogs how wide the screen under them is. */
export const Backdrop = createContext<Pick<Layout, 'columns' | 'isScreenReader'> | undefined>(undefined);

/** Blanks the cells left and right of a centered dialog, which would show parts of words. */
function DialogSides({rect}: {readonly rect: Rect}) {
	const screen = use(Backdrop);
	const theme = useTheme();
	if (!screen || screen.isScreenReader || rect.width === screen.columns) return undefined;
	if (rect.x !== Math.floor((screen.columns - rect.width) / 2)) return undefined;
	const row = paint([span(pad(safe``, screen.columns))], theme);
	return (
		<Rows rect={{...rect, x: 0, width: screen.columns}} rows={Array.from({length: rect.height}, () => row)} />
	);
}

/** One row inside a pane; the selected one is highlighted over its full width. */
export type Row = {readonly line: Line; readonly isSelected?: boolean};

/** The first column of a list's row: marks the cursor's. */
export function cursorMark(isCursor: boolean, isFocused: boolean): Span {
	return isCursor ? span(safe`▌`, isFocused ? 'accent' : 'border') : span(safe` `);
}

/** Lines that a list shows instead of rows, in line with them. */
export function emptyRows(lines: readonly Line[]): readonly Row[] {
	return lines.map(line => ({line: [span(safe` `), ...line]}));
}

export type Frame = {
	readonly width: number;
	readonly height: number;
	readonly title: Line;
	/** At the right end of the upper and the lower border. Left out when there is no room. */
	readonly right?: Line;
	readonly bottom?: Line;
	readonly isFocused?: boolean;
	/** Rows from the top; missing rows are blank, excess rows are dropped. */
	readonly body: readonly Row[];
};

/**
 * A bordered pane as painted rows, `width` columns wide: `height` of them, less the borders that other panes draw
 * where `seams` are open.
 */
function frameRows(frame: Frame, theme: Theme, seams?: Seams): string[] {
	if (theme.isScreenReader) return spokenRows(frame, theme);
	const {width, height, body, isFocused = false} = frame;
	const {title, right = [], bottom = []} = frame;
	const {rect, tiles, isTopOpen, isBottomOpen, isTitleBelow} =
		seams ?? standaloneSeams(width, height, isFocused);
	const border = (row: number, x: number, columns: number) =>
		borderLine(tiles, {x: rect.x + x, y: rect.y + row, width: columns}, theme.hasHeavyFocus);
	const edge = (row: number, left: Line, right: Line) =>
		paint(
			edgeLine(left, right, width, (x, columns) => border(row, x, columns)),
			theme,
		);
	const inner = Math.max(0, width - 2);
	const leftCell = borderColumn(tiles, rect.x, theme);
	const rightCell = borderColumn(tiles, rect.x + width - 1, theme);
	const rows = isTopOpen ? [] : [edge(0, title, isBottomOpen ? joined(bottom, right) : right)];
	for (let index = 0; index < height - 2; index++) {
		const row = body[index] ?? {line: []};
		const y = rect.y + index + 1;
		rows.push(leftCell(y) + paint(padLine(row.line, inner), theme, row.isSelected) + rightCell(y));
	}
	if (!isBottomOpen)
		rows.push(edge(height - 1, isTitleBelow ? title : [], isTitleBelow ? joined(right, bottom) : bottom));
	return rows;
}

function standaloneSeams(width: number, height: number, isFocused: boolean): Seams {
	const rect = {x: 0, y: 0, width, height};
	const closed = {isTopOpen: false, isBottomOpen: false, isTitleBelow: false};
	return {...closed, rect, tiles: [{rect, isFocused}]};
}

export function joined(first: Line, second: Line): Line {
	if (first.length === 0 || second.length === 0) return [...first, ...second];
	return [...first, span(safe` · `, 'border'), ...second];
}

/** The rows for a screen reader: without a frame, and with border texts as lines of their own. */
function spokenRows({title, right = [], bottom = [], width, height, body}: Frame, theme: Theme): string[] {
	const room = Math.max(0, width - 1);
	const row = (line: Line, isSelected?: boolean) => ` ${paint(fitLine(line, room), theme, isSelected)}`;
	const head = right.length > 0 ? [...title, span(safe`, `), ...right] : title;
	const rows = Array.from({length: Math.max(0, height - 2)}, (_, index) =>
		row(body[index]?.line ?? [], body[index]?.isSelected),
	);
	return [row(head), ...rows, row(bottom)];
}

/** Minimum columns for text on the right of a border; with less room it is left out. */
const tailMin = 12;

/** A border with text in it: `╭─ title ───── right ─╮`. The text on the right is dropped when there is no room. */
function edgeLine(
	left: Line,
	right: Line,
	width: number,
	border: (x: number, columns: number) => Line,
): Line {
	const room = Math.max(0, width - 4);
	const head = fitLine(spaced(left), room);
	const headWidth = lineWidth(head);
	const free = room - headWidth - 1;
	const whole = lineWidth(right) > 0 ? spaced(right) : [];
	const tail = lineWidth(whole) <= free ? whole : free >= tailMin ? spaced(fitLine(right, free - 2)) : [];
	const gap = room - headWidth - lineWidth(tail);
	return [...border(0, 2), ...head, ...border(2 + headWidth, gap), ...tail, ...border(width - 2, 2)];
}

/** Columns available for text at the right end of the upper border, beside a title. */
export function tailRoom(width: number, title: Line): number {
	return width - 4 - lineWidth(spaced(title)) - 1 - 2;
}

/** The column of a frame where a line at the right end of its lower border begins. */
export function tailStart(width: number, line: Line, {isScreenReader}: Theme): number {
	if (isScreenReader) return 1;
	const maxWidth = width - 5;
	return width - 2 - Math.min(lineWidth(line) + 2, maxWidth) + 1;
}

function spaced(line: Line): Line {
	return line.length === 0 ? [] : [span(safe` `), ...line, span(safe` `)];
}

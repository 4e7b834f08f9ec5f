import {createContext, use} from 'react';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, type Span, span} from '../../text/cells/line.ts';
import type {Rect} from '../layout.ts';
import {paint, type Theme} from '../theme/theme.ts';

/** A pane of a view. Adjoining panes overlap by the border that they share. */
export type Tile = {
	readonly rect: Rect;
	readonly isFocused?: boolean;
	/** Its title is in its lower border; the upper one has the texts of the panes above. */
	readonly isTitleBelow?: boolean;
};

const Context = createContext<readonly Tile[]>([]);
/** Provides all panes of a view to each of them. */
export const Tiling = Context;

/** How a pane draws its frame among the others of its view. */
export type Seams = {
	readonly tiles: readonly Tile[];
	readonly rect: Rect;
	/** Its upper or lower border is drawn by the pane above or below. */
	readonly isTopOpen: boolean;
	readonly isBottomOpen: boolean;
	readonly isTitleBelow: boolean;
};

/** The seams of the pane at `rect`; undefined if it is none of the view's, such as a dialog. */
export function useSeams(rect: Rect): Seams | undefined {
	return seamsOf(use(Context), rect);
}

function seamsOf(tiles: readonly Tile[], rect: Rect): Seams | undefined {
	const own = tiles.find(tile => isSame(tile.rect, rect));
	if (!own) return undefined;
	const above = tiles.some(other => isAbove(other.rect, rect));
	const below = tiles.find(other => isAbove(rect, other.rect));
	const isTitleBelow = own.isTitleBelow === true && above;
	return {
		...{tiles, rect, isTitleBelow},
		isTopOpen: isTitleBelow,
		isBottomOpen: below !== undefined && below.isTitleBelow !== true,
	};
}

function isSame(a: Rect, b: Rect): boolean {
	return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** Whether the lower border of `upper` is also the upper border of `lower`. */
function isAbove(upper: Rect, lower: Rect): boolean {
	const left = Math.max(upper.x, lower.x);
	const right = Math.min(upper.x + upper.width, lower.x + lower.width);
	return upper.y + upper.height - 1 === lower.y && upper !== lower && right - left > 1;
}

const up = 1;
const down = 2;
const left = 4;
const right = 8;

/** Border glyphs, by the directions in which the border continues. */
const fine = ' │││─╯╮┤─╰╭├─┴┬┼';
const heavy = ' ┃┃┃━┛┓┫━┗┏┣━┻┳╋';

/** The borders at the cells from `x` on in row `y`, `width` columns wide. `hasHeavyFocus` is the theme's. */
export function borderLine(
	tiles: readonly Tile[],
	{x, y, width}: Pick<Rect, 'x' | 'y' | 'width'>,
	hasHeavyFocus: boolean,
): Line {
	const spans: Span[] = [];
	const inRow = tiles.filter(({rect}) => y >= rect.y && y < rect.y + rect.height);
	let run = '';
	let isAccent = false;
	const end = () => {
		if (run !== '') spans.push(span(cleanLine(run), isAccent ? 'accent' : 'border'));
		run = '';
	};
	for (let column = x; column < x + width; column++) {
		const {directions, isFocused} = borderAt(inRow, column, y);
		if (isFocused !== isAccent) end();
		isAccent = isFocused;
		run += glyphOf(directions, isFocused && hasHeavyFocus);
	}
	end();
	return spans;
}

/** Draws the cells of column `x`, each painted once for all rows that look alike. */
export function borderColumn(tiles: readonly Tile[], x: number, theme: Theme): (y: number) => string {
	const inColumn = tiles.filter(({rect}) => x >= rect.x && x < rect.x + rect.width);
	const painted = new Map<number, string>();
	return y => {
		const {directions, isFocused} = borderAt(inColumn, x, y);
		const look = isFocused ? directions + 16 : directions;
		const known = painted.get(look);
		if (known !== undefined) return known;
		const glyph = cleanLine(glyphOf(directions, isFocused && theme.hasHeavyFocus));
		const cell = paint([span(glyph, isFocused ? 'accent' : 'border')], theme);
		painted.set(look, cell);
		return cell;
	};
}

function glyphOf(directions: number, isHeavy: boolean): string {
	return (isHeavy ? heavy : fine)[directions] ?? ' ';
}

function borderAt(
	tiles: readonly Tile[],
	x: number,
	y: number,
): {readonly directions: number; readonly isFocused: boolean} {
	let directions = 0;
	let isFocused = false;
	for (const tile of tiles) {
		const inTile = directionsIn(tile.rect, x, y);
		directions |= inTile;
		isFocused ||= inTile !== 0 && tile.isFocused === true;
	}
	return {directions, isFocused};
}

/** The directions in which a rectangle's border continues from a cell; 0 if the cell isn't on it. */
function directionsIn(rect: Rect, x: number, y: number): number {
	const last = {x: rect.x + rect.width - 1, y: rect.y + rect.height - 1};
	if (x < rect.x || x > last.x || y < rect.y || y > last.y) return 0;
	const isOnSide = x === rect.x || x === last.x;
	const isOnEdge = y === rect.y || y === last.y;
	return (
		(isOnSide && y > rect.y ? up : 0) |
		(isOnSide && y < last.y ? down : 0) |
		(isOnEdge && x > rect.x ? left : 0) |
		(isOnEdge && x < last.x ? right : 0)
	);
}

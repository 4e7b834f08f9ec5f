import {pad} from '../cut.ts';
import {type Line, type Span, span} from '../line.ts';
import {shortNumber} from '../numbers.ts';
import {type Safe, safe, stillSafe} from '../safe.ts';
import {textWidth} from '../width.ts';
import type {ChartPoint} from './chart-point.ts';

/** Columns left of a chart, the same for every chart so that those above each other line up. */
export const axisGutter = 6;

/** A point of a chart is never wider than this: days of a short range are no walls. */
const widestPoint = 6;

/**
 * How many columns a point may have so that `points` of them fill `width` columns of chart and axis. It may be a fraction
 * from 2 on: bars that differ by one column are only seen to where they have one or two.
 */
export function columnsPerPoint(points: number, width: number): number {
	const share = (width - axisGutter) / Math.max(1, points);
	return share < 2 ? 1 : Math.min(widestPoint, share);
}

/** Rows from which on the middle of a chart has a label of its own. */
const minMiddle = 7;

/**
 * What stands left of a row: the largest value at the top of `height` rows, zero at the bottom, and half of it where a
 * row is in the middle of a tall chart.
 */
export function axisLabel(row: number, height: number, top: number): Span {
	const isMiddle = height >= minMiddle && row === (height - 1) / 2 && top > 0;
	const text: Safe =
		row === height - 1 ? safe`0` : row === 0 ? shortNumber(top) : isMiddle ? shortNumber(top / 2) : safe``;
	return span(safe`${pad(text, axisGutter - 1, 'end')} `, 'dim');
}

/** What points at the selected column: where, counted from the gutter, and whether it is the one of an edge's label. */
export type Pointer = {
	readonly column: number;
	readonly glyph: string;
	readonly isFirst: boolean;
	readonly isLast: boolean;
};

type Piece = {readonly text: Safe; readonly start: number};

/**
 * First and last label below a chart, at its edges, and what points at the selected column. A label that is in the
 * pointer's way stands beside it when it is its own, and is left out otherwise. Where several points `share` a column,
 * that is said in the middle.
 */
export function labelLine(
	points: readonly ChartPoint[],
	gutter: number,
	width: number,
	{pointer, share = 1}: {readonly pointer?: Pointer | undefined; readonly share?: number} = {},
): Line {
	const room = Math.max(0, width - gutter);
	const first = points[0]?.label ?? safe``;
	const last = points.length < 2 ? safe`` : (points.at(-1)?.label ?? safe``);
	const hasBoth = textWidth(first) + textWidth(last) + 1 <= room;
	const labels: Piece[] = [
		...besidePointer({text: pad(first, Math.min(textWidth(first), room)), start: 0}, pointer, room, 'first'),
		...(hasBoth ? besidePointer({text: last, start: room - textWidth(last)}, pointer, room, 'last') : []),
	];
	const marked = pointer ? [...labels, {text: stillSafe(pointer.glyph), start: pointer.column}] : labels;
	const pieces = [...marked, ...shareNote(share, room, marked)];
	const line: Span[] = [span(pad(safe``, gutter))];
	let at = 0;
	for (const {text, start} of pieces.toSorted((a, b) => a.start - b.start)) {
		// Two labels that met beside the pointer: the later one gives way.
		if (start < at) continue;
		line.push(
			span(pad(safe``, start - at)),
			span(text, pointer && start === pointer.column ? 'accent' : 'dim'),
		);
		at = start + textWidth(text);
	}
	return line;
}

/** How many points a column has, where there is room for it between the labels. */
function shareNote(share: number, room: number, taken: readonly Piece[]): Piece[] {
	const text = safe`${share} to a column`;
	const columns = textWidth(text);
	const start = Math.floor((room - columns) / 2);
	const isFree = taken.every(
		piece => piece.start + textWidth(piece.text) < start - 1 || piece.start > start + columns + 1,
	);
	return share > 1 && start > 0 && isFree ? [{text, start}] : [];
}

function besidePointer(
	label: Piece,
	pointer: Pointer | undefined,
	room: number,
	edge: 'first' | 'last',
): Piece[] {
	const columns = textWidth(label.text);
	if (!pointer || pointer.column < label.start - 1 || pointer.column > label.start + columns) return [label];
	const isOwn = edge === 'first' ? pointer.isFirst : pointer.isLast;
	const start = edge === 'first' ? pointer.column + 2 : pointer.column - columns - 1;
	return isOwn && start >= 0 && start + columns <= room ? [{...label, start}] : [];
}

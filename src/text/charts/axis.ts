import {pad} from '../cells/cut.ts';
import {textWidth} from '../cells/graphemes.ts';
import {fitLine, type Line, lineWidth, type Span, span} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {exactNumber, shortNumber} from '../values/numbers.ts';
import {
	type AxisOptions,
	type Bins,
	binPoints,
	type ChartOptions,
	type ChartPoint,
	type ChartSeries,
	type Combine,
} from './chart-point.ts';
import {glyphsOf} from './glyphs.ts';

/** Columns left of a chart, the same for every chart so that stacked charts line up. */
export const axisGutter = 6;

/** Maximum columns per point, so that the days of a short range don't become walls. */
const widestPoint = 6;

/**
 * Columns per point so that `points` of them fill `width` columns, axis included. May be fractional from 2
 * on: with bars of one or two columns, a difference of one would be conspicuous.
 */
export function columnsPerPoint(points: number, width: number): number {
	const share = (width - axisGutter) / Math.max(1, points);
	return share < 2 ? 1 : Math.min(widestPoint, share);
}

/** Columns per point from which there is a gap between bars. */
const gapFrom = 3;

/** Minimum rows for a label in the middle of the axis. */
const minMiddle = 7;

/**
 * Axis label of a row: the largest value at the top of `height` rows, zero at the bottom, and half of the
 * largest value in the middle row of a tall chart.
 */
function axisLabel(row: number, height: number, top: number): Span {
	const isMiddle = height >= minMiddle && row === (height - 1) / 2 && top > 0;
	const text: Safe =
		row === height - 1 ? safe`0` : row === 0 ? shortNumber(top) : isMiddle ? shortNumber(top / 2) : safe``;
	return span(safe`${pad(text, axisGutter - 1, 'end')} `, 'dim');
}

/** The pointer to the selected column: its position, counted from the gutter. */
type Pointer = {readonly column: number; readonly glyph: string};

/** `share`: points per column. `ticks`: the columns with a tick, counted from the gutter. */
type LabelOptions = {
	readonly pointer?: Pointer | undefined;
	readonly share?: number;
	readonly ticks?: readonly number[];
	readonly tick?: string;
};

type Piece = {readonly text: Safe; readonly start: number};

/**
 * The line below a chart: the first and last label at its edges, and the pointer to the selected column, to which a label
 * gives way. If several points `share` a column, a note in the middle says so.
 */
export function labelLine(
	points: readonly ChartPoint[],
	gutter: number,
	width: number,
	{pointer, share = 1, ticks = [], tick = ''}: LabelOptions = {},
): Line {
	const room = Math.max(0, width - gutter);
	const first = points[0]?.label ?? safe``;
	const last = points.length < 2 ? safe`` : (points.at(-1)?.label ?? safe``);
	const hasBoth = textWidth(first) + textWidth(last) + 1 <= room;
	const isFree = ({text, start}: Piece) =>
		!pointer || pointer.column < start - 1 || pointer.column > start + textWidth(text);
	const labels = [
		{text: pad(first, Math.min(textWidth(first), room)), start: 0},
		...(hasBoth ? [{text: last, start: room - textWidth(last)}] : []),
	].filter(isFree);
	const marked = pointer ? [...labels, {text: stillSafe(pointer.glyph), start: pointer.column}] : labels;
	const pieces = [
		...marked,
		...shareNote(share, room, marked),
		...ticks.map(start => ({text: stillSafe(tick), start})),
	];
	const line: Span[] = [span(pad(safe``, gutter))];
	let at = 0;
	for (const {text, start} of pieces.toSorted((a, b) => a.start - b.start)) {
		// A tick that collides with an earlier piece is dropped.
		if (start < at) continue;
		line.push(
			span(pad(safe``, start - at)),
			span(text, pointer && start === pointer.column ? 'accent' : 'dim'),
		);
		at = start + textWidth(text);
	}
	return line;
}

/** A note on how many points share a column, if it fits between the labels. */
function shareNote(share: number, room: number, others: readonly Piece[]): Piece[] {
	const text = safe`${share} to a column`;
	const columns = textWidth(text);
	const start = Math.floor((room - columns) / 2);
	const isFree = others.every(
		piece => piece.start + textWidth(piece.text) < start - 1 || piece.start > start + columns + 1,
	);
	return share > 1 && start > 0 && isFree ? [{text, start}] : [];
}

export type AxisColumns = ReturnType<typeof axisColumns>;

/** Layout of a chart's points in columns, counted from the end of the gutter. */
export function axisColumns({width, pointWidth = 1, selected, isAscii}: AxisOptions) {
	/** First column of a point. For the index after the last point: the number of columns. */
	// 1e-9 absorbs floating-point rounding errors.
	const start = (index: number) => Math.floor(index * pointWidth + 1e-9);
	/** Columns of a point: some points are one column wider, to fill the width. */
	const widthOf = (index: number) => start(index + 1) - start(index);
	/** Columns of a point's bar: all the same, with a gap behind them, where there is room. */
	const barWidth = (index: number) =>
		pointWidth < gapFrom ? widthOf(index) : Math.floor(pointWidth + 1e-9) - 1;
	const middle = (index: number) => start(index) + Math.floor((barWidth(index) - 1) / 2);
	function pointer(bins: Bins): Pointer | undefined {
		const chosen = bins.columnOf(selected);
		if (chosen === undefined) return undefined;
		return {column: middle(chosen), glyph: glyphsOf(isAscii).pointer};
	}
	return {
		/** Bins one series; neighbors share a column if there are more points than fit. */
		bins: (points: readonly ChartPoint[], combine: Combine): Bins =>
			binPoints(points, Math.floor((width - axisGutter) / pointWidth + 1e-9), combine),
		start,
		width: widthOf,
		barWidth,
		middle,
		pointer,
		/** The rows of a chart with their axis, and the labels of the points below. `top` is the largest value. */
		frame: (
			rows: readonly (readonly Span[])[],
			top: number,
			points: readonly ChartPoint[],
			bins: Bins,
		): Line[] => [
			...rows.map((row, index): Line => [axisLabel(index, rows.length, top), ...joinSpans(row)]),
			labelLine(points, axisGutter, axisGutter + start(bins.points.length), {
				pointer: pointer(bins),
				share: bins.size,
				ticks: [...bins.points.keys()].filter(index => bins.points[index]?.hasTick).map(middle),
				tick: glyphsOf(isAscii).tick,
			}),
		],
	};
}

/** Merges adjacent spans of the same look: fewer spans mean fewer bytes on the screen. */
export function joinSpans(spans: readonly Span[]): Line {
	const line: Span[] = [];
	for (const part of spans) {
		const last = line.at(-1);
		if (
			last &&
			last.tone === part.tone &&
			last.background === part.background &&
			last.inverse === part.inverse &&
			last.bold === part.bold
		)
			line[line.length - 1] = {...last, text: stillSafe(last.text + part.text)};
		else line.push(part);
	}
	return line;
}

const gap = 3;

/**
 * The legend of several series: their marks and labels, and the exact values at the selected point, on as
 * many lines as needed. Values are preceded by their total if `isSum`, else by their unit.
 */
export function legendLines(
	series: readonly ChartSeries[],
	marks: readonly Span[],
	{width, selected, unit, costOf, isSum = false}: ChartOptions & {readonly isSum?: boolean},
): Line[] {
	const point = selected === undefined ? undefined : series[0]?.points[selected];
	const values = series.map(({points}) => (selected === undefined ? undefined : points[selected]?.value));
	const known = values.filter(value => value !== undefined);
	const isUnknown = point !== undefined && known.length === 0;
	const items = series.map(({label}, index): Line => {
		const value = values[index];
		const valueText =
			value === undefined ? span(safe` unknown`, 'warn') : span(safe` ${exactNumber(value)}`, 'strong');
		return [
			...(marks[index] ? [marks[index], span(safe` `)] : []),
			span(label),
			...(point && !isUnknown ? [valueText] : []),
		];
	});
	if (!point) return packed([], items, 0, width);
	const sum = known.reduce((all, value) => all + value, 0);
	const head = [span(point.label, 'dim')];
	if (isUnknown) head.push(span(safe`  unknown`, 'warn'));
	else if (isSum) {
		head.push(span(safe`  ${unit ? safe`${exactNumber(sum)} ${unit}` : exactNumber(sum)}`, 'strong'));
		if (costOf) head.push(span(safe` (${costOf(sum)})`));
	} else if (unit) head.push(span(safe`  ${unit}`, 'dim'));
	return packed(head, items, textWidth(point.label) + gap, width);
}

/** Packs items into lines; wraps those that don't fit. */
function packed(head: Line, items: readonly Line[], indent: number, width: number): Line[] {
	const lines: Line[] = [head];
	const below = indent < width / 3 ? indent : 0;
	for (const item of items) {
		const last = lines.at(-1) ?? [];
		const isEmpty = lineWidth(last) === 0;
		if (isEmpty || lineWidth(last) + gap + lineWidth(item) <= width)
			lines[lines.length - 1] = [...last, ...(isEmpty ? [] : [span(pad(safe``, gap))]), ...item];
		else lines.push([span(pad(safe``, below)), ...item]);
	}
	return lines.map(line => fitLine(line, width));
}

/** The exact value of the selected point. */
export function readout({label, value}: ChartPoint, {width, unit}: ChartOptions): Line {
	if (value === undefined) return fitLine([span(label, 'dim'), span(safe`  unknown`, 'warn')], width);
	const valueText = unit ? safe`  ${exactNumber(value)} ${unit}` : safe`  ${exactNumber(value)}`;
	return fitLine([span(label, 'dim'), span(valueText, 'strong')], width);
}

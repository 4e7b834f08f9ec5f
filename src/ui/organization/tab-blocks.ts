import type {DayPoint} from '../../domain/usage/series.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {columnsPerPoint, legendLines, readout} from '../../text/charts/axis.ts';
import {barChart, stackedBarChart} from '../../text/charts/bar-chart.ts';
import type {ChartSeries, Combine} from '../../text/charts/chart-point.ts';
import {describeLayers, describeSeries} from '../../text/charts/describe.ts';
import {lineChart} from '../../text/charts/line-chart.ts';
import {cost} from '../../text/values/numbers.ts';
import type {PageContext} from './page.ts';

/** Minimum width of a page, in columns, for two blocks side by side. */
const minTwoBlocks = 110;
/** Columns between two blocks. */
const gap = 3;

/** Limits of a chart's height, in rows. */
const minChartHeight = 3;
const maxChartHeight = 15;

/**
 * Lays out a tab: two blocks side by side, the left one with `share` of the columns; or one block, as wide as
 * the page, when that is too narrow.
 */
export function tabBlocks(size: PageContext, share = 0.5) {
	const {width, height, isScreenReader = false} = size;
	const isWide = width >= minTwoBlocks && !isScreenReader;
	const start = Math.floor(width * share);
	/** Widths of the left and right block, in columns. */
	const [left, right] = isWide ? [start - gap, width - start] : [width, width];
	return {
		isWide,
		left,
		right,
		beside: (first: readonly Line[], second: readonly Line[]) => beside(first, second, left),
		/** The size of a chart: `part` of the page's height, as wide as the page. */
		chart(part: number, back: number): ChartSize {
			const rows = Math.max(minChartHeight, Math.min(maxChartHeight, Math.floor(height * part)));
			// An odd height has a middle row, which gets its own label.
			return {...size, height: rows % 2 === 0 ? rows + 1 : rows, back};
		},
	};
}

/** Joins two blocks side by side, the left one padded to `columns`. */
function beside(left: readonly Line[], right: readonly Line[], columns: number): Line[] {
	return Array.from(
		{length: Math.max(left.length, right.length)},
		(_, index): Line => [
			...padLine(left[index] ?? [], columns),
			span(pad(safe``, gap)),
			...(right[index] ?? []),
		],
	);
}

/** Measures of the same days in one chart: bars of one measure, a line for each, or layers that add up. */
export type DayChart = {
	readonly kind: 'bars' | 'lines' | 'stack';
	readonly unit: Safe;
	/** Days that share a column; those of a stack are summed. */
	readonly combine: Combine;
	readonly isCredits?: boolean;
	readonly series: readonly (readonly [label: Safe, points: readonly DayPoint[]])[];
};

/** Size of a chart, and the marked day, counted back from the last. */
type ChartSize = PageContext & {readonly back: number};

/** Draws a chart; for a screen reader, one sentence and the marked day. */
export function dayChart({kind, unit, combine, isCredits, series}: DayChart, chartSize: ChartSize): Line[] {
	const {back, isScreenReader, creditPrice, today, ...size} = chartSize;
	const costOf = isCredits && creditPrice ? (credits: number) => cost(credits, creditPrice) : undefined;
	const named = series.map(
		([label, points]): ChartSeries => ({
			label,
			points: points.map(({date, value}) => ({label: dayLabel(date, today), value, hasTick: isMonday(date)})),
		}),
	);
	const points = named[0]?.points ?? [];
	const selected = dayIndex(points.length, back);
	const pointWidth = columnsPerPoint(points.length, size.width);
	const options = {...size, selected, unit, combine, costOf, pointWidth};
	const sentence = (text: Safe) => wrapText(text, size.width).map((row): Line => [span(row)]);
	switch (kind) {
		case 'bars': {
			if (!isScreenReader) return barChart(points, options);
			const point = points[selected];
			return [...sentence(describeSeries(unit, points)), ...(point ? [readout(point, options)] : [])];
		}
		case 'lines':
			if (!isScreenReader) return lineChart(named, options);
			return [...sentence(describeLayers(unit, named)), ...legendLines(named, [], {...size, selected})];
		case 'stack':
			if (!isScreenReader) return stackedBarChart(named, options);
			return [...sentence(describeLayers(unit, named)), ...legendLines(named, [], {...options, isSum: true})];
	}
}

/** A day, such as `2026-11-23`, or `today`. */
export function dayLabel(date: string, today: string | undefined): Safe {
	return date === today ? safe`today` : cleanLine(date);
}

/** Whether a day (`2026-11-23`) starts a week. */
function isMonday(date: string): boolean {
	return new Date(`${date}T00:00:00Z`).getUTCDay() === 1;
}

/** Index of the marked day, `back` days before the last. */
export function dayIndex(days: number, back: number): number {
	return Math.max(0, days - 1 - back);
}

import type {DayPoint} from '../../domain/usage/series.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {columnsPerPoint} from '../../text/charts/axis.ts';
import {barChart, stackedBarChart} from '../../text/charts/bar-chart.ts';
import {type BarListOptions, type BarRow, barList} from '../../text/charts/bar-list.ts';
import type {ChartSeries, Combine} from '../../text/charts/chart-point.ts';
import {describeLayers, describeSeries} from '../../text/charts/describe.ts';
import {legendLines, readout} from '../../text/charts/legend.ts';
import {lineChart} from '../../text/charts/line-chart.ts';
import type {PageSize} from './page.ts';

/**
 * Measures of the same days in one chart: bars of a single one, a line for each, or stacked layers that add up
 * to each day's total.
 */
export type DayChart = {
	readonly kind: 'bars' | 'lines' | 'stack';
	readonly unit: Safe;
	/** Days that share a column; those of a stack are summed. */
	readonly combine: Combine;
	readonly series: readonly (readonly [label: Safe, points: readonly DayPoint[]])[];
};

/** Size of a chart, and the marked day, counted back from the last. */
export type ChartPlace = PageSize & {readonly back: number};

/** Draws a chart; for a screen reader, one sentence and the marked day. */
export function dayChart({kind, unit, combine, series}: DayChart, place: ChartPlace): Line[] {
	const {back, isScreenReader, ...size} = place;
	const named = series.map(
		([label, points]): ChartSeries => ({
			label,
			points: points.map(({date, value}) => ({label: cleanLine(date), value})),
		}),
	);
	const points = named[0]?.points ?? [];
	const selected = dayIndex(points.length, back);
	const pointWidth = columnsPerPoint(points.length, size.width);
	const options = {...size, selected, unit, combine, pointWidth};
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

/** Index of the marked day, `back` days before the last. */
export function dayIndex(days: number, back: number): number {
	return Math.max(0, days - 1 - back);
}

/** Width of a list, in columns, and how to draw it. */
export type Block = Omit<PageSize, 'height'> & Pick<BarListOptions, 'labelColumns'>;

/** Ranked rows: bars, or text only for a screen reader. */
export function listBars(
	rows: readonly BarRow[],
	{width, isAscii = false, isScreenReader = false, labelColumns = 0}: Block,
): Line[] {
	return barList(rows, {width, isAscii, hasBars: !isScreenReader, labelColumns});
}

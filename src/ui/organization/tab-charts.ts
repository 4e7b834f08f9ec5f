import type {DayPoint} from '../../domain/usage/series.ts';
import {type Line, span} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {columnsPerPoint} from '../../text/charts/axis.ts';
import {barChart} from '../../text/charts/bar-chart.ts';
import type {Combine} from '../../text/charts/bins.ts';
import type {ChartSeries} from '../../text/charts/chart-point.ts';
import {describeLayers, describeSeries, readout} from '../../text/charts/describe.ts';
import {legendLines} from '../../text/charts/legend.ts';
import {lineChart} from '../../text/charts/line-chart.ts';
import {stackedBarChart} from '../../text/charts/stacked-bar-chart.ts';
import type {PageSize} from './page.ts';
import {chartPoints, dayIndex} from './usage-words.ts';

/** Size of a chart, and the marked day, counted back from the last. */
export type ChartPlace = PageSize & {readonly back: number};

type Named = readonly [label: Safe, points: readonly DayPoint[]];

/** Days as bars; for a screen reader, one sentence and the marked day. */
export function dayBars(
	points: readonly DayPoint[],
	unit: Safe,
	combine: Combine,
	{back, isScreenReader, ...place}: ChartPlace,
): Line[] {
	const all = chartPoints(points);
	const selected = dayIndex(all.length, back);
	const pointWidth = columnsPerPoint(all.length, place.width);
	if (!isScreenReader) return barChart(all, {...place, combine, selected, unit, pointWidth});
	const point = all[selected];
	return [
		...sentence(describeSeries(unit, all), place.width),
		...(point ? [readout(point, {...place, unit})] : []),
	];
}

/** Several measures of the same days in one chart, one line per measure. */
export function dayLines(unit: Safe, series: readonly Named[], combine: Combine, place: ChartPlace): Line[] {
	const {back, isScreenReader, ...size} = place;
	const named = seriesOf(series);
	const days = named[0]?.points.length ?? 0;
	const selected = dayIndex(days, back);
	if (isScreenReader) return spokenLayers(unit, named, {...size, selected});
	return lineChart(named, {...size, combine, selected, unit, pointWidth: columnsPerPoint(days, size.width)});
}

/** Stacked bars whose layers add up to each day's total. */
export function dayStack(series: readonly Named[], unit: Safe, place: ChartPlace): Line[] {
	const {back, isScreenReader, ...size} = place;
	const named = seriesOf(series);
	const days = named[0]?.points.length ?? 0;
	const selected = dayIndex(days, back);
	if (isScreenReader) return spokenLayers(unit, named, {...size, selected, unit, isSum: true});
	return stackedBarChart(named, {...size, selected, unit, pointWidth: columnsPerPoint(days, size.width)});
}

function seriesOf(series: readonly Named[]): ChartSeries[] {
	return series.map(([label, points]) => ({label, points: chartPoints(points)}));
}

function spokenLayers(
	title: Safe,
	series: readonly ChartSeries[],
	options: Parameters<typeof legendLines>[2],
): Line[] {
	return [...sentence(describeLayers(title, series), options.width), ...legendLines(series, [], options)];
}

function sentence(text: Safe, width: number): Line[] {
	return wrapText(text, width).map((row): Line => [span(row)]);
}

import type {DayPoint} from '../../domain/usage/series.ts';
import {barChart} from '../../text/charts/bar-chart.ts';
import type {Combine} from '../../text/charts/bins.ts';
import {lineChart} from '../../text/charts/line-chart.ts';
import {stackedBarChart} from '../../text/charts/stacked-bar-chart.ts';
import {stretchChart, stretchOf} from '../../text/charts/stretch.ts';
import type {Line} from '../../text/line.ts';
import type {Safe} from '../../text/safe.ts';
import {chartPoints, dayIndex} from './usage-words.ts';

/** What a chart is drawn in, and the day whose exact values it tells. */
export type ChartPlace = {readonly width: number; readonly height: number; readonly back: number};

type Named = readonly [label: Safe, points: readonly DayPoint[]];

/** Days as bars. */
export function dayBars(
	points: readonly DayPoint[],
	unit: Safe,
	combine: Combine,
	{width, height, back}: ChartPlace,
): Line[] {
	const all = chartPoints(points);
	const selected = dayIndex(all.length, back);
	const chart = barChart(all, {width, height, combine, selected, unit});
	return stretchChart(chart, all, {height, factor: stretchOf(all.length, width)});
}

/** Several measures of the same days, one line each. */
export function dayLines(series: readonly Named[], combine: Combine, place: ChartPlace): Line[] {
	const {width, height, back} = place;
	const named = series.map(([label, points]) => ({label, points: chartPoints(points)}));
	const first = named[0]?.points ?? [];
	const selected = dayIndex(first.length, back);
	const chart = lineChart(named, {width, height, combine, selected});
	return stretchChart(chart, first, {height, factor: stretchOf(first.length, width), isFilled: false});
}

/** Layers that add up to the day. */
export function dayStack(series: readonly Named[], unit: Safe, {width, height, back}: ChartPlace): Line[] {
	const named = series.map(([label, points]) => ({label, points: chartPoints(points)}));
	const first = named[0]?.points ?? [];
	const selected = dayIndex(first.length, back);
	const chart = stackedBarChart(named, {width, height, selected, unit});
	return stretchChart(chart, first, {height, factor: stretchOf(first.length, width)});
}

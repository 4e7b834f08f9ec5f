import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {exactNumber} from '../values/numbers.ts';
import type {ChartPoint, ChartSeries} from './chart-point.ts';

// Text alternatives for charts, such as for screen readers: one sentence each, with exact values.

/** Minimum relative change between the means of the first and the second half that counts as a trend. */
const minTrend = 0.1;

/** Describes sparklines, bars and single lines. */
export function describeSeries(what: Safe, points: readonly ChartPoint[]): Safe {
	const title = capitalized(what);
	const known = points.flatMap(({label, value}) => (value === undefined ? [] : [{label, value}]));
	const first = points[0];
	const last = points.at(-1);
	if (!first || !last) return safe`${title}: nothing.`;
	const span = points.length === 1 ? first.label : safe`${first.label} to ${last.label}`;
	if (known.length === 0) return safe`${title}, ${span}: unknown.`;
	const highest = known.reduce((a, b) => (b.value > a.value ? b : a));
	const lowest = known.reduce((a, b) => (b.value < a.value ? b : a));
	const latest = known.at(-1) ?? highest;
	const unknown = points.length - known.length;
	const parts = [
		safe`highest ${exactNumber(highest.value)} (${highest.label})`,
		safe`lowest ${exactNumber(lowest.value)} (${lowest.label})`,
		safe`latest ${exactNumber(latest.value)} (${latest.label})`,
		safe`${trendOf(known.map(({value}) => value))}`,
		...(unknown > 0 ? [safe`${unknown} unknown`] : []),
	];
	return stillSafe(`${title}, ${span}: ${parts.join(', ')}.`);
}

/** Describes stacked bars and multiple lines. */
export function describeLayers(what: Safe, series: readonly ChartSeries[]): Safe {
	const title = capitalized(what);
	const parts = series.map(({label, points}) => {
		const known = points.flatMap(({value}) => (value === undefined ? [] : [value]));
		const latest = points.findLast(({value}) => value !== undefined);
		if (!latest) return safe`${label} unknown`;
		return safe`${label} latest ${exactNumber(latest.value)} (${latest.label}), ${trendOf(known)}`;
	});
	return parts.length === 0 ? safe`${title}: nothing.` : stillSafe(`${title}: ${parts.join('; ')}.`);
}

function capitalized(text: Safe): Safe {
	return stillSafe(text.charAt(0).toUpperCase() + text.slice(1));
}

function trendOf(values: readonly number[]): Safe {
	const half = Math.floor(values.length / 2);
	if (half === 0) return safe`steady`;
	const mean = (part: readonly number[]) => part.reduce((a, b) => a + b, 0) / part.length;
	const before = mean(values.slice(0, half));
	const after = mean(values.slice(-half));
	const scale = Math.max(Math.abs(before), Math.abs(after));
	if (scale === 0 || Math.abs(after - before) < scale * minTrend) return safe`steady`;
	return after > before ? safe`rising` : safe`falling`;
}

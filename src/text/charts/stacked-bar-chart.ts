import {fitLine, type Line, type Span, span, type Tone} from '../line.ts';
import {exactNumber} from '../numbers.ts';
import {type Safe, safe, stillSafe} from '../safe.ts';
import {axisGutter, axisLabel, labelLine} from './axis.ts';
import {binPoints} from './bins.ts';
import {type ChartOptions, type ChartSeries, largestOf} from './chart-point.ts';
import {glyphsOf} from './glyphs.ts';
import {joinSpans} from './join-spans.ts';

/** Looks of the layers from the bottom up; a fill of its own tells each apart without them. */
const tones: readonly Tone[] = ['accent', 'good', 'warn', 'info', 'user', 'bad'];

/** How many layers can be told apart: join the rest into one before. */
export const mostLayers = tones.length;

/**
 * Layers on top of each other, the first at the bottom; what is added up over a column is credits or calls, never
 * users. A column of which no layer is known is unknown. Below: the layers' marks, and exactly what the selected
 * column holds.
 */
export function stackedBarChart(
	series: readonly ChartSeries[],
	options: ChartOptions & {readonly height: number},
): Line[] {
	const {width, height, selected, isAscii} = options;
	const glyphs = glyphsOf(isAscii);
	const layers = series.map(({label, points}) => ({
		label,
		bins: binPoints(points, width - axisGutter, 'sum'),
	}));
	const columns = Array.from({length: layers[0]?.bins.points.length ?? 0}, (_, column) =>
		layers.map(({bins}) => bins.points[column]?.value),
	);
	const top = largestOf(
		columns.map(values => values.reduce<number>((all, value) => all + Math.max(0, value ?? 0), 0)),
	);
	const chosen = layers[0]?.bins.columnOf(selected);

	const rows = Array.from({length: height}, (_, row): Line => {
		const floor = height - 1 - row;
		const cells = columns.map((values, column): Span => {
			const look = column === chosen ? {inverse: true} : {};
			if (values.every(value => value === undefined))
				return span(stillSafe(floor === 0 ? glyphs.unknown : ' '), 'dim', look);
			const layer = layerAt(values, ((floor + 0.5) / height) * top);
			if (layer === undefined)
				return span(stillSafe(floor === 0 ? (glyphs.heights[0] ?? ' ') : ' '), 'dim', look);
			return span(stillSafe(glyphs.fills[layer] ?? ' '), tones[layer], look);
		});
		return [axisLabel(row, height, top), ...joinSpans(cells)];
	});
	const legend = fitLine(
		series.flatMap(({label}, index): Span[] => [
			span(stillSafe(`${index > 0 ? '  ' : ''}${glyphs.fills[index] ?? ''} `), tones[index]),
			span(label),
		]),
		width,
	);
	const firstPoints = series[0]?.points ?? [];
	return [
		...rows,
		labelLine(firstPoints, axisGutter, axisGutter + columns.length),
		legend,
		...(selected !== undefined && firstPoints[selected] ? [layersReadout(series, selected, options)] : []),
	];
}

/** The layer that a height falls into; none above the last. */
function layerAt(values: readonly (number | undefined)[], height: number): number | undefined {
	let below = 0;
	for (const [index, value] of values.entries()) {
		below += Math.max(0, value ?? 0);
		if (height < below) return index;
	}
	return undefined;
}

function layersReadout(series: readonly ChartSeries[], selected: number, {width, unit}: ChartOptions): Line {
	const label = series[0]?.points[selected]?.label ?? safe``;
	const parts: Safe[] = [];
	let sum: number | undefined;
	for (const {label: name, points} of series) {
		const value = points[selected]?.value;
		if (value !== undefined) sum = (sum ?? 0) + value;
		parts.push(safe`${name} ${value === undefined ? safe`unknown` : exactNumber(value)}`);
	}
	if (sum === undefined) return fitLine([span(label, 'dim'), span(safe`  unknown`, 'warn')], width);
	const whole = unit ? safe`${exactNumber(sum)} ${unit}` : exactNumber(sum);
	return fitLine(
		[span(label, 'dim'), span(safe`  ${whole}`, 'strong'), span(stillSafe(`  ${parts.join(', ')}`))],
		width,
	);
}

import {pad} from '../cells/cut.ts';
import {textWidth} from '../cells/graphemes.ts';
import {fitLine, type Line, lineWidth, type Span, span} from '../cells/line.ts';
import {safe} from '../cells/safe.ts';
import {exactNumber} from '../values/numbers.ts';
import type {ChartOptions, ChartPoint, ChartSeries} from './chart-point.ts';

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

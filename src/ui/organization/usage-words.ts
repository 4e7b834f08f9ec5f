import type {Attribution} from '../../domain/usage/attribution.ts';
import type {DayPoint} from '../../domain/usage/series.ts';
import {barList} from '../../text/charts/bar-list.ts';
import type {ChartPoint} from '../../text/charts/chart-point.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, type Span, span} from '../../text/line.ts';
import {exactNumber, percent, shortNumber, signedPercent} from '../../text/numbers.ts';
import {type Safe, safe} from '../../text/safe.ts';

/** What a list shows at most: whoever comes after that is one row. */
const mostRows = 500;

export function chartPoints(points: readonly DayPoint[]): ChartPoint[] {
	return points.map(({date, value}) => ({label: cleanLine(date), value}));
}

/** `▲ +12 %`, `▼ -3 %`, `= no change`; what can't be said is a dash. A rise is neither good nor bad. */
export function changeWords(change: number | undefined): Span {
	if (change === undefined) return span(safe`unknown if more or less`, 'dim');
	const glyph = change > 0.005 ? safe`▲` : change < -0.005 ? safe`▼` : safe`=`;
	return span(safe`${glyph} ${signedPercent(change)}`, Math.abs(change) > 0.005 ? 'info' : 'dim');
}

/** A figure with its name: `1,234 sessions`. */
export function figure(value: number | undefined, name: Safe, isShort = false): Line {
	return [
		span(value === undefined ? safe`unknown` : isShort ? shortNumber(value) : exactNumber(value), 'strong'),
		span(safe` ${name}`, 'dim'),
	];
}

/** Figures in one line, apart from each other. */
export function figures(parts: readonly Line[]): Line {
	return parts.flatMap((part, index) => [...(index > 0 ? [span(safe`  ·  `, 'border')] : []), ...part]);
}

/** A breakdown as bars: the largest names. What they leave is told by `restWords`. */
export function rankedBars({entries}: Attribution, width: number, most = mostRows): Line[] {
	return barList(
		entries.slice(0, most).map(({label, value, share}) => ({label: cleanLine(label, 120), value, share})),
		{width},
	);
}

/** What the bars leave out: names beyond the first ones, and what no name accounts for. */
export function restWords({entries, total, unattributed}: Attribution, most = mostRows): Safe {
	const rest = entries.slice(most);
	const others = rest.reduce((sum, {value}) => sum + value, 0);
	const left = rest.length > 0 ? safe`${rest.length} others ${exactNumber(others)}` : safe``;
	if (unattributed === 0 || total === 0) return left;
	const open = safe`${exactNumber(unattributed)} unattributed (${percent(unattributed / total)})`;
	return left === '' ? open : safe`${left}, ${open}`;
}

/** How many days of a range no answer told: said, since they are no zeros. */
export function unknownDays(points: readonly DayPoint[]): Span[] {
	const unknown = points.filter(({value}) => value === undefined).length;
	if (unknown === 0) return [];
	return [span(safe`┄ ${unknown} of ${points.length} days unknown`, 'warn')];
}

/** The index of the selected day: so many before the last one. */
export function dayIndex(days: number, back: number): number {
	return Math.max(0, days - 1 - back);
}

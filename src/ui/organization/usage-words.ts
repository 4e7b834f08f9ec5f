import type {Attribution} from '../../domain/usage/attribution.ts';
import type {DayPoint} from '../../domain/usage/series.ts';
import type {BarRow} from '../../text/charts/bar-list.ts';
import {barList} from '../../text/charts/bar-list.ts';
import type {ChartPoint} from '../../text/charts/chart-point.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, type Span, span} from '../../text/line.ts';
import {exactNumber, shortNumber, signedPercent} from '../../text/numbers.ts';
import {type Safe, safe} from '../../text/safe.ts';

/** What a list shows at most: whoever comes after that is one row. */
const mostRows = 500;

export function chartPoints(points: readonly DayPoint[]): ChartPoint[] {
	return points.map(({date, value}) => ({label: cleanLine(date), value}));
}

/** `▲ +12 %`, `▼ -3 %`, `= no change`; what can't be said is a dash. A rise is neither good nor bad. */
export function changeWords(change: number | undefined): Span {
	if (change === undefined) return span(safe`no comparison`, 'dim');
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

/** A breakdown as bars, what no name accounts for told as such. */
export function rankedBars(
	{entries, total, unattributed}: Attribution,
	width: number,
	most = mostRows,
): Line[] {
	const shown = entries.slice(0, most);
	const rest = entries.slice(most);
	const share = (value: number) => (total > 0 ? value / total : undefined);
	const others = rest.reduce((sum, {value}) => sum + value, 0);
	const rows: BarRow[] = [
		...shown.map(({label, value, share: part}) => ({label: cleanLine(label, 120), value, share: part})),
		...(rest.length > 0 ? [{label: safe`${rest.length} others`, value: others, share: share(others)}] : []),
		...(unattributed === 0 || total === 0
			? []
			: [{label: safe`(unattributed)`, value: unattributed, share: share(unattributed)}]),
	];
	return barList(rows, {width});
}

/** How many days of a range no answer told: said, since they are no zeros. */
export function unknownDays(points: readonly DayPoint[]): Span[] {
	const unknown = points.filter(({value}) => value === undefined).length;
	if (unknown === 0) return [];
	return [span(safe`  ┄ ${unknown} of ${points.length} days unknown`, 'warn')];
}

/** The index of the selected day: so many before the last one. */
export function dayIndex(days: number, back: number): number {
	return Math.max(0, days - 1 - back);
}

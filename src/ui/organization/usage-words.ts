import {analyticsStart} from '../../domain/limits.ts';
import type {Attribution} from '../../domain/usage/attribution.ts';
import {type DayRange, dayCount} from '../../domain/usage/range.ts';
import type {DayPoint} from '../../domain/usage/series.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, lineWidth, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {type BarListOptions, type BarRow, barList} from '../../text/charts/bar-list.ts';
import type {ChartPoint} from '../../text/charts/chart-point.ts';
import {exactNumber, percent, shortNumber, signedPercent} from '../../text/values/numbers.ts';
import type {PageSize} from './page.ts';

/** Default maximum rows of a list; the rest are summed up in one remark. */
const defaultMaxRows = 500;

/** Width of a list, in columns, and how to draw it. */
export type Block = Omit<PageSize, 'height'> & Pick<BarListOptions, 'labelColumns'>;

/** Labels longer than this don't widen the other lists. */
const widestShared = 24;

/** Label width, in columns, shared by several lists so that their bars align. */
export function sharedLabels(...lists: readonly (readonly {readonly label: string}[])[]): number {
	const widths = lists.flatMap(list => list.slice(0, defaultMaxRows).map(({label}) => label.length));
	return widths.reduce((widest, width) => (width <= widestShared ? Math.max(widest, width) : widest), 0);
}

export function chartPoints(points: readonly DayPoint[]): ChartPoint[] {
	return points.map(({date, value}) => ({label: cleanLine(date), value}));
}

/** A smaller change, as a fraction, counts as none. */
const minChange = 0.0005;

/** `▲ +12 %`, `▼ -3 %`, `= no change`. A rise is neither good nor bad. */
export function changeText(change: number | undefined): Span {
	if (change === undefined) return span(safe`change unknown`, 'dim');
	if (Math.abs(change) < minChange) return span(safe`= no change`, 'dim');
	return span(safe`${change > 0 ? safe`▲` : safe`▼`} ${signedPercent(change)}`, 'info');
}

/** ` vs previous 28 days`, or why there is no comparison. */
export function comparedRangeText(range: DayRange | undefined): Line {
	const words = range
		? safe` vs previous ${dayCount(range)} days`
		: safe`: the history starts ${cleanLine(analyticsStart)}`;
	return [span(words, 'dim')];
}

/** Joins two remarks, either of which may be empty. */
export function remarks(first: Safe, second: Safe): Safe {
	return first === '' || second === '' ? safe`${first}${second}` : safe`${first}, ${second}`;
}

/** A figure with its name: `1,234 sessions`. */
export function figure(value: number | undefined, name: Safe, isShort = false): Line {
	return [
		span(value === undefined ? safe`unknown` : isShort ? shortNumber(value) : exactNumber(value), 'strong'),
		span(safe` ${name}`, 'dim'),
	];
}

/** Figures with separators, wrapped to `width` columns. */
export function figureLines(parts: readonly Line[], width: number): Line[] {
	const lines: Line[][] = [];
	for (const part of parts) {
		const last = lines.at(-1);
		if (last && lineWidth(figures([...last, part])) <= width) last.push(part);
		else lines.push([part]);
	}
	return lines.map(figures);
}

/** Figures in one line, with separators. */
export function figures(parts: readonly Line[]): Line {
	return parts.flatMap((part, index) => [...(index > 0 ? [span(safe`  ·  `, 'border')] : []), ...part]);
}

/** Ranked rows: bars, or text only for a screen reader. */
export function listBars(
	rows: readonly BarRow[],
	{width, isAscii = false, isScreenReader = false, labelColumns = 0}: Block,
): Line[] {
	return barList(rows, {width, isAscii, labelColumns, hasBars: !isScreenReader});
}

/** A breakdown as bars, largest first. {@link restText} covers what is cut. */
export function rankedBars({entries}: Attribution, block: Block, maxRows = defaultMaxRows): Line[] {
	return listBars(
		entries.slice(0, maxRows).map(({label, value, share}) => ({label: cleanLine(label, 120), value, share})),
		block,
	);
}

/** What the bars omit: entries beyond `maxRows`, and the unattributed amount. */
export function restText({entries, total, unattributed}: Attribution, maxRows = defaultMaxRows): Safe {
	const rest = entries.slice(maxRows);
	const others = rest.reduce((sum, {value}) => sum + value, 0);
	const left = rest.length > 0 ? safe`${rest.length} others ${exactNumber(others)}` : safe``;
	if (unattributed === 0 || total === 0) return left;
	const share = percent(Math.abs(unattributed) / total);
	const open =
		unattributed > 0
			? safe`${exactNumber(unattributed)} unattributed (${share})`
			: safe`names come to ${exactNumber(-unattributed)} more than the total (${share})`;
	return remarks(left, open);
}

/** Counts the days of a range without data, since unknown is not zero. */
export function unknownDays(points: readonly DayPoint[]): Span[] {
	const unknown = points.filter(({value}) => value === undefined).length;
	if (unknown === 0) return [];
	return [span(safe`┄ ${unknown} of ${points.length} days unknown`, 'warn')];
}

/** Index of the marked day, `back` days before the last. */
export function dayIndex(days: number, back: number): number {
	return Math.max(0, days - 1 - back);
}

import {createExportTable, type ExportCell, type ExportTable} from '../../domain/export-table.ts';
import {analyticsStart} from '../../domain/limits.ts';
import {dayCount, daysIn} from '../../domain/usage/range.ts';
import {
	type DayPoint,
	growth,
	growthOfTotal,
	latestOf,
	meanOf,
	type Total,
	totalOf,
} from '../../domain/usage/series.ts';
import {columnsOfTab, type DayColumn, pointsOf} from '../../state/organization/day-columns.ts';
import type {UsageData, UsagePeriod} from '../../state/organization/organization.ts';
import type {UsageTab} from '../../state/organization/organization-view-state.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {cost, exactNumber, shortNumber, signedPercent} from '../../text/values/numbers.ts';
import {type Cell, tableLines} from '../../text/values/table.ts';
import {figureLines, fullNumber, type Page, type PageContext, section, textPage} from './page.ts';
import {strings} from './strings.ts';
import {type DayChart, dayChart, dayLabel, tabBlocks} from './tab-blocks.ts';

export type FigureTab = Exclude<UsageTab, 'people'>;

/** A tab of the Usage view as data: its charts, sections and export. */
export type TabSpec = {
	/** Its columns by day are those of `dayColumns` (`src/state/organization/day-columns.ts`). */
	readonly name: FigureTab;
	/** At the top of the tab. */
	readonly figures: readonly Figure[];
	/** Figures that a section shows; the export lists them after the others. */
	readonly moreFigures?: readonly Figure[];
	/** One chart, or two: the second one scrolls with the sections. */
	readonly charts: (period: UsagePeriod) => readonly [DayChart, DayChart?];
	/** Share of the page's height that each chart takes. */
	readonly chartHeight: number;
	/** Share of the left column on a wide page. */
	readonly leftShare?: number;
	readonly remarks?: (period: UsagePeriod, width: number) => Line[];
	/** Sections below the charts, in the order of a narrow page and of the export. */
	readonly sections: readonly TabSection[];
	/** The export's table by day, if it has more than the measures by day. */
	readonly dayTable?: (period: UsagePeriod) => ExportTable;
	readonly moreTables?: (period: UsagePeriod) => ExportTable[];
};

/** A period and the preceding one of the same length. */
export type Compared = Pick<UsageData, 'now' | 'whole' | 'before' | 'organizationId'>;

/** A figure over the whole range: on the screen, and a row of the export's totals. */
export type Figure = {
	/** Its name in exports, as the contract spells it. */
	readonly key: string;
	readonly label: Safe;
	/** Sums are compared by the mean of their known days. By default, the sum of the measure of that name. */
	readonly value?: (period: UsagePeriod) => Total | number | undefined;
	/** How the screen shows it; by default in full. */
	readonly format?: (value: number | undefined) => Safe;
	readonly showsChange?: boolean;
	readonly isWideOnly?: boolean;
	/** Whether the period has it; by default always. */
	readonly isPresent?: (period: UsagePeriod) => boolean;
};

/** A part of a tab, and its table in the export. */
export type TabSection = {
	/** Where it is on a wide page. */
	readonly side: 'left' | 'right';
	/** Without a title, the lines have titles of their own. */
	readonly title?: Safe;
	/** What follows the title. */
	readonly remark?: (period: UsagePeriod, block: TabBlock) => Safe;
	readonly lines: (data: UsageData, block: TabBlock) => Line[];
	readonly table?: (period: UsagePeriod) => ExportTable;
};

/** The column of a tab that a section is drawn in. */
export type TabBlock = PageContext & {
	/** The page has two columns. */
	readonly isWide: boolean;
};

/** Width, in columns, from which the compared range is named. */
const minComparisonWidth = 60;

/** Draws a tab: figures, charts, sections in one or two columns, and the table by day. */
export function tabPage(tab: TabSpec, data: UsageData, back: number, context: PageContext): Page {
	const {now} = data;
	const {width} = context;
	const {isWide, left, right, beside, chart} = tabBlocks(context, tab.leftShare);
	const [first, second] = tab.charts(now).map(one => one && dayChart(one, chart(tab.chartHeight, back)));
	const head: Line[] = [
		...tabFigures(tab, data, context, isWide),
		unknownDays(pointsOf(now, presentColumns(tab.name, now)[0]?.name ?? '')),
		...(tab.remarks?.(now, width) ?? []),
		...(first ?? []),
		[],
	];
	const column = (side?: TabSection['side']) => {
		const block = {...context, isWide, width: side === 'right' ? right : left};
		return tab.sections
			.filter(one => !side || one.side === side)
			.flatMap(({title, remark, lines}) => {
				if (!title) return lines(data, block);
				return section(title, lines(data, block), remark?.(now, block), block.width);
			});
	};
	return textPage([], head, [
		...(second ? [...second, []] : []),
		...(isWide ? beside(column('left'), column('right')) : column()),
		...dayTable(tab.name, data, width),
	]);
}

function tabFigures(
	{figures}: TabSpec,
	data: UsageData,
	{width, creditPrice}: PageContext,
	isWide: boolean,
): Line[] {
	const shown = figures.filter(
		({isWideOnly, isPresent}) => (isWide || !isWideOnly) && isPresent?.(data.now) !== false,
	);
	// Name the compared range if it's about one figure and there is room.
	const namesRange =
		width >= minComparisonWidth &&
		(isWide || shown.length === 1) &&
		shown.filter(({showsChange}) => showsChange).length === 1;
	return figureLines(
		shown.map(figure => {
			const {value, change} = compared(figure, data);
			const {key, label, format = fullNumber, showsChange} = figure;
			const price = key === 'billable_tokens' ? creditPrice : undefined;
			return [
				span(format(value), 'strong'),
				span(safe` ${label}`, 'dim'),
				...(price && value !== undefined ? [span(safe` (${cost(value, price)})`)] : []),
				span(showsChange ? safe`  ` : safe``),
				...(showsChange ? [changeText(change)] : []),
				...(showsChange && namesRange ? comparedRangeText(data) : []),
			];
		}),
		width,
	);
}

/** A number in about five columns, or `unknown`. */
export function inShort(value: number | undefined): Safe {
	return value === undefined ? strings.unknown : shortNumber(value);
}

/** A mean, with one decimal. */
export function toTenths(value: number | undefined): Safe {
	return fullNumber(value === undefined ? undefined : Math.round(value * 10) / 10);
}

/** The figure that is the mean of a measure that can't be summed over days. */
export const meanOfDays = (name: string) => (period: UsagePeriod) => meanOf(pointsOf(period, name));

/** The figure that is a measure's last known value. */
export const lastOfDays = (name: string) => (period: UsagePeriod) => latestOf(pointsOf(period, name))?.value;

/** A figure's value, the previous period's, and the growth as a fraction: of whole days. */
export function compared({key, value = period => totalOf(pointsOf(period, key))}: Figure, data: Compared) {
	const {now, before, whole = now} = data;
	const [current, previous] = [value(whole), before && value(before)];
	const sumOf = (figure: typeof current) => (typeof figure === 'object' ? figure.sum : figure);
	const change =
		typeof current === 'object' && typeof previous === 'object'
			? growthOfTotal(current, previous)
			: growth(sumOf(current), sumOf(previous));
	return {value: sumOf(value(now)), before: sumOf(previous), change};
}

/** A figure, the previous period's, and the growth as a fraction (0.25 is 25% more). */
type TotalRow = {
	readonly measure: string;
	readonly value: ExportCell;
	readonly before?: number | undefined;
	readonly change?: number | undefined;
};

export function tabTables(tab: TabSpec, data: Compared): ExportTable[] {
	const {now, organizationId} = data;
	const totals = [...tab.figures, ...(tab.moreFigures ?? [])]
		.filter(({isPresent}) => isPresent?.(now) !== false)
		.map(figure => ({measure: figure.key, ...compared(figure, data)}));
	return [
		tab.dayTable?.(now) ?? daysTable('by day', columnsOfTab(tab.name), now),
		...tab.sections.flatMap(({table}) => (table ? [table(now)] : [])),
		createExportTable<TotalRow>(
			'totals',
			['measure', 'value', 'before', 'change'],
			organizationId === undefined ? totals : [...totals, {measure: 'org_id', value: organizationId}],
		),
		...(tab.moreTables?.(now) ?? []),
	];
}

function presentColumns(tab: FigureTab, period: UsagePeriod): readonly DayColumn<never>[] {
	return columnsOfTab(tab).filter(({isPresent}) => isPresent?.(period) !== false);
}

/** The columns that the period has, one row per day. */
export function daysTable(
	name: string,
	columns: readonly DayColumn<never>[],
	period: UsagePeriod,
): ExportTable {
	const days = daysIn(period.range);
	const present = columns.filter(({isPresent}) => isPresent?.(period) !== false);
	return createExportTable<number>(
		name,
		[
			{name: 'date', value: day => days[day]},
			...present.map(({name}) => {
				const points = pointsOf(period, name);
				return {name, value: (day: number) => points[day]?.value};
			}),
		],
		[...days.keys()],
	);
}

/** A smaller change, as a fraction, counts as none. */
const minChange = 0.0005;

/** `▲ +12 %`, `▼ -3 %`, `= no change`. A rise is neither good nor bad. */
export function changeText(change: number | undefined): Span {
	if (change === undefined) return span(safe`change unknown`, 'dim');
	if (Math.abs(change) < minChange) return span(safe`= no change`, 'dim');
	return span(safe`${change > 0 ? safe`▲` : safe`▼`} ${signedPercent(change)}`, 'info');
}

/** ` vs the 30 days before`, or why there is no comparison. */
function comparedRangeText({now, whole, before, today}: UsageData): Line {
	if (before) return [span(strings.usage.vsPrevious(dayCount(before.range), whole !== undefined), 'dim')];
	const isOnlyToday = now.range.startDate === today;
	return [
		span(
			isOnlyToday ? safe` (today isn't over)` : safe` (no data before ${cleanLine(analyticsStart)})`,
			'dim',
		),
	];
}

/** Counts the days of a range without data, since unknown is not zero. */
function unknownDays(points: readonly DayPoint[]): Span[] {
	const unknown = points.filter(({value}) => value === undefined).length;
	if (unknown === 0) return [];
	return [span(safe`┄ ${unknown} of ${points.length} days unknown`, 'warn')];
}

/** Maximum days listed: a year plus some slack for longer ranges. */
const maxDays = 400;
/** Width of a date or an exact number, in columns. */
const exactWidth = 14;

/** The columns that have a title, by day, newest first, with the unusual days marked. */
function dayTable(tab: FigureTab, {now, today, unusual}: UsageData, width: number): Line[] {
	const measures = presentColumns(tab, now).flatMap(({title, name}) => {
		const marks = unusual.get(name);
		return title ? [{title, points: pointsOf(now, name), marks}] : [];
	});
	const dates = measures[0]?.points ?? [];
	const number = width >= (measures.length + 1) * exactWidth ? exactNumber : shortNumber;
	const rows = [...dates.keys()]
		.reverse()
		.slice(0, maxDays)
		.map((day): Cell[] => [
			{text: dayLabel(dates[day]?.date ?? '-', today), tone: 'dim'},
			...measures.map(({points, marks}): Cell => {
				const value = number(points[day]?.value);
				if (!marks?.size) return {text: value};
				const mark = marks.get(dates[day]?.date ?? '');
				return mark ? {text: safe`${value} ${arrows[mark]}`, tone: 'warn'} : {text: safe`${value}  `};
			}),
		]);
	const columns = [{title: safe`DAY (UTC)`}, ...measures.map(({title}) => ({title, align: 'end' as const}))];
	const [heading = [], ...lines] = tableLines(columns, rows, {width});
	// Repeat the heading every week, since only a few rows are visible.
	const table = lines.flatMap((line, index) => (index % 7 === 0 ? [heading, line] : [line]));
	const hasMarks = measures.some(({marks}) => marks?.size);
	const remark = hasMarks ? safe`; ▲ ▼ means unusually high or low for the weekday` : safe``;
	return section(safe`Day by day`, table, safe`newest first; - means unknown${remark}`, width);
}

const arrows = {above: safe`▲`, below: safe`▼`} as const;

import type {ExportPage} from '../../domain/export-table.ts';
import type {CreditPrice} from '../../domain/numbers.ts';
import {type DayRange, dayCount} from '../../domain/usage/range.ts';
import type {Column, TableContext} from '../../state/rows/column.ts';
import type {TableOrder} from '../../state/rows/table-rows.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, lineWidth, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import type {ActionName} from '../keys/binding.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {columnsOnScreen, fitTable, tableHeading, tableRow, type WidestTexts} from '../kit/columns.ts';
import {shownCount} from '../kit/strings.ts';
import {strings} from './strings.ts';

/** One page of the organization's views: a fixed head with a list below. */
export type Page = {
	readonly title: Line;
	readonly head: readonly Line[];
	readonly heading?: Line;
	/** Those that fit. */
	readonly columns?: readonly {readonly name?: string}[];
	readonly count: number;
	/** Draws one row; called only for visible rows. */
	readonly row: (index: number) => Line;
	readonly idOf?: (index: number) => string | undefined;
	/** The action of a click in the head, by line and column. */
	readonly headAction?: (line: number, column: number) => ActionName | undefined;
	/** The list is plain text: it scrolls and has no cursor. */
	readonly isText?: boolean;
	readonly empty?: readonly Line[];
	/** The page as export data, in the order shown. */
	readonly data?: () => ExportPage;
};

/** What a page is built with: its inner size, in columns and rows, and how to draw it. */
export type PageContext = {
	readonly width: number;
	readonly height: number;
	/** Words that the rows must have. */
	readonly filter?: string;
	/** Names of the columns that the user has hidden. */
	readonly hidden?: readonly string[] | undefined;
	readonly isAscii?: boolean;
	readonly hasHalfCells?: boolean;
	/** The last day shown, if it isn't over. */
	readonly today?: string | undefined;
	/** The service has no organization: it is the embedded one. */
	readonly isEmbedded?: boolean;
	/** Price of one credit; if absent, no costs are shown. */
	readonly creditPrice?: CreditPrice;
	/** For a screen reader: sentences instead of charts, all in reading order. */
	readonly isScreenReader?: boolean;
	/** The time for ages, Unix ms: the one that the age of the data is shown for. The usage page has none. */
	readonly now: number;
	readonly label: KeyMap['label'];
};

export function textPage(title: Line, head: readonly Line[], lines: readonly Line[]): Page {
	return {title, head, count: lines.length, row: index => lines[index] ?? [], isText: true};
}

/**
 * A heading, its lines and a blank line; empty when there are no lines. `more` follows the heading on the
 * same line, or on its own when that would exceed `width` columns.
 */
export function section(
	title: Safe,
	lines: readonly Line[],
	more: Safe = safe``,
	width = Number.POSITIVE_INFINITY,
): Line[] {
	if (lines.length === 0) return [];
	const heading = span(title, 'heading');
	if (more === '') return [[heading], ...lines, []];
	const oneLine: Line = [heading, span(safe`  ${more}`, 'dim')];
	const head = lineWidth(oneLine) <= width ? [oneLine] : [[heading], ...dimLines(more, width)];
	return [...head, ...lines, []];
}

/** A dimmed remark, wrapped to `width` columns. */
export function dimLines(remark: Safe, width: number): Line[] {
	return wrapText(remark, width).map((row): Line => [span(row, 'dim')]);
}

/** An exact number, or `unknown`. */
export function fullNumber(value: number | undefined): Safe {
	return value === undefined ? strings.unknown : exactNumber(value);
}

/** `report` for one, else `reports`. */
export function counted(count: number, one: Safe, many: Safe): Safe {
	return count === 1 ? one : many;
}

/** A figure with its name: `1,234 sessions`; if the filter leaves fewer of them `shown`, `12 of 1,234 sessions`. */
export function figure(value: number | undefined, name: Safe, shown = value): Line {
	return [span(shownNumber(value, shown), 'strong'), span(safe` ${name}`, 'dim')];
}

function shownNumber(value: number | undefined, shown: number | undefined): Safe {
	return value === undefined || shown === undefined ? strings.unknown : shownCount(shown, value);
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

export function figures(parts: readonly Line[]): Line {
	return parts.flatMap((part, index) => [...(index > 0 ? [span(safe`  ·  `, 'border')] : []), ...part]);
}

/** Figures as a page's head: wrapped to `width` columns, with a blank line below. */
export function figureHead(parts: readonly Line[], width: number): Line[] {
	return [...figureLines(parts, width), []];
}

/** A page's title: its view and filter, or the item that is open. */
export function pageTitle(
	view: keyof typeof strings.views,
	{item, filter}: {readonly item?: Safe; readonly filter?: string | undefined} = {},
): Line {
	return [
		span(strings.views[view], 'heading'),
		...(item === undefined ? [] : [span(safe` › `, 'dim'), span(item, 'strong')]),
		...(filter ? [span(safe` /${cleanLine(filter, 60)}`, 'accent')] : []),
	];
}

/** The size of a group of rows; with a mark and the number of rows `shown` if it is the one that is shown. */
export function groupFigure(count: number | undefined, name: Safe, shown?: number): Line {
	if (shown === undefined) return figure(count, name);
	return [span(safe`▸ ${shownNumber(count, shown)} ${name}`, 'accent')];
}

/** `  30 days  2026-10-22 to 2026-11-20 UTC`; `prefix` is placed before the days. */
export function rangeSpans(range: DayRange, prefix: Safe = safe``): Line {
	return [
		span(safe`  ${prefix}${strings.days(dayCount(range))}`, 'strong'),
		span(safe`  ${cleanLine(range.startDate)} to ${cleanLine(range.endDate)} UTC`, 'dim'),
	];
}

type ListPage<Row, Context extends TableContext> = Pick<Page, 'title' | 'head' | 'data' | 'count'> & {
	readonly columns: readonly Column<Row, Context>[];
	/** The width is that of the columns. */
	readonly context: Context;
	readonly widest: WidestTexts;
	/** How the user ordered the rows, and the columns that they have hidden. */
	readonly order?: TableOrder & {readonly hidden: readonly string[] | undefined};
	readonly rowAt: (index: number) => Row;
	readonly idOf: (row: Row) => string | undefined;
	/** What is drawn behind the columns. */
	readonly beside?: {readonly heading: Line; readonly row: (row: Row) => Line} | undefined;
	/** Why there are no rows. */
	readonly empty: Safe;
};

/** Rows in memory, in order. */
export function listed<Row>(rows: readonly Row[]) {
	return {count: rows.length, rowAt: (index: number) => rows[index] as Row};
}

/** A page that lists rows in the columns that fit. */
export function listPage<Row, Context extends TableContext>({
	columns,
	context,
	widest,
	order,
	rowAt,
	idOf,
	beside,
	empty,
	...page
}: ListPage<Row, Context>): Page {
	const fitted = fitTable(columnsOnScreen(columns, widest, context, order), context.width);
	return {
		...page,
		columns: fitted,
		heading: [...tableHeading(fitted), ...(beside?.heading ?? [])],
		idOf: index => (index < page.count ? idOf(rowAt(index)) : undefined),
		row(index) {
			const row = rowAt(index);
			return [...tableRow(fitted, row), ...(beside?.row(row) ?? [])];
		},
		empty: [[span(empty, 'dim')]],
	};
}

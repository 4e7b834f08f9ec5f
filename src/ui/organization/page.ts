import type {ExportPage} from '../../domain/export-tables/export-table.ts';
import type {DayRange} from '../../domain/usage/range.ts';
import type {ActionName} from '../../keys/bindings.ts';
import {type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {textWidth} from '../../text/width.ts';
import {wrapText} from '../../text/wrap.ts';

/** One page of the organization's views: what stands still at its top, and a list under it. */
export type Page = {
	readonly title: Line;
	readonly head: readonly Line[];
	/** Names of the list's columns. */
	readonly heading?: Line;
	readonly count: number;
	/** Drawn for the rows in sight alone. */
	readonly row: (index: number) => Line;
	/** What a row is known again by. */
	readonly idOf?: (index: number) => string | undefined;
	/** What a press on a column of a line of the head does. */
	readonly headAction?: (line: number, column: number) => ActionName | undefined;
	/** Its list is read and nothing of it is chosen. */
	readonly isText?: boolean;
	/** Instead of rows, when there are none. */
	readonly empty?: readonly Line[];
	/** The same as data, for whoever takes it along: exactly what is shown, in the same order. */
	readonly data?: () => ExportPage;
};

/** The rectangle that a page has, inside its border, and how it is drawn there. */
export type PageSize = {
	readonly width: number;
	readonly height: number;
	/** No characters but ASCII in charts. */
	readonly isAscii?: boolean;
	/** For a screen reader: sentences for charts, everything in reading order. */
	readonly isScreenReader?: boolean;
};

/** A page whose data is about these days; more facts of it are told with them. */
export function withRange(page: Page, range: DayRange, facts: ExportPage['facts']): Page {
	const {data} = page;
	if (!data) return page;
	return {
		...page,
		data() {
			const own = data();
			return {...own, range, facts: {...facts, ...own.facts}};
		},
	};
}

/** A page of text with more lines at its end. */
export function withLines(page: Page, more: readonly Line[]): Page {
	const {count, row} = page;
	const at = (index: number) => (index < count ? row(index) : (more[index - count] ?? []));
	return {...page, count: count + more.length, row: at};
}

/** A page whose list is lines as they are. */
export function textPage(title: Line, head: readonly Line[], lines: readonly Line[]): Page {
	return {title, head, count: lines.length, row: index => lines[index] ?? [], isText: true};
}

/**
 * A heading and what is under it, and a blank line after that. Nothing when nothing is under it. What more is to be said
 * stands beside the heading, or under it where that is wider than `width`.
 */
export function section(
	title: Safe,
	lines: readonly Line[],
	more: Safe = safe``,
	width = Number.POSITIVE_INFINITY,
): Line[] {
	if (lines.length === 0) return [];
	const heading = span(title, 'heading');
	const isBeside = textWidth(title) + 2 + textWidth(more) <= width;
	const head: Line[] =
		more === ''
			? [[heading]]
			: isBeside
				? [[heading, span(safe`  ${more}`, 'dim')]]
				: [[heading], ...dimLines(more, width)];
	return [...head, ...lines, []];
}

/** A remark, in as many lines as it takes. */
export function dimLines(words: Safe, width: number): Line[] {
	return wrapText(words, width).map((row): Line => [span(row, 'dim')]);
}

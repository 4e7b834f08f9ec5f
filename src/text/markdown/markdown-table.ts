import {type Line, lineWidth, type Span} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {narrow} from '../values/table.ts';
import {inlineSpans, wrapSpans} from './inline.ts';

type Align = 'start' | 'center' | 'end';
type Row = readonly Safe[];

const maxColumns = 24;
const separator = 3;
const rule = /^ {0,3}\|? *:?-+:? *(?:\| *:?-+:? *){0,40}\|? *$/;

/** Do two lines begin a table? The second must be all dashes; the first must have more than one column. */
export function beginsTable(first: string, second: string): boolean {
	return first.includes('|') && second.includes('|') && rule.test(second) && cells(first).length > 1;
}

/** Does the line continue the current table? */
export function continuesTable(line: string): boolean {
	return line.includes('|') && line.trim() !== '';
}

/** Rows of a table, with cells wrapped in their columns; `undefined` if it doesn't fit the width. */
export function tableRows(lines: readonly Safe[], width: number, maxRows: number): Line[] | undefined {
	const [heading = [], marks = [], ...body] = lines.map(line => cells(line).slice(0, maxColumns));
	const aligns = heading.map((_, index) => alignOf(marks[index] ?? ''));
	const rows = [
		heading.map(cell => inlineSpans(cell, {bold: true})),
		...body.map(row => heading.map((_, index) => inlineSpans(row[index] ?? safe``))),
	];
	const widths = heading.map((_, index) =>
		rows.reduce((widest, row) => Math.max(widest, lineWidth(row[index] ?? [])), 1),
	);
	const room = width - separator * (heading.length - 1);
	if (narrow(widths, widths.reduce((sum, own) => sum + own, 0) - room) > 0) return undefined;
	const drawn: Line[] = [];
	for (const [index, row] of rows.entries()) {
		if (drawn.length >= maxRows) break;
		drawn.push(...cellRows(row, widths, aligns, maxRows - drawn.length));
		if (index === 0) drawn.push(underHeading(widths));
	}
	return drawn;
}

function cells(line: string): Row {
	const inner = line
		.trim()
		.replace(/^\|/, '')
		.replace(/(?<!\\)\|$/, '');
	return inner.split(/(?<!\\)\|/).map(cell => stillSafe(cell.trim().replaceAll('\\|', '|')));
}

/** Alignment from the dashes under a heading: `--:` and `:-:`. */
function alignOf(mark: string): Align {
	if (!mark.endsWith(':')) return 'start';
	return mark.startsWith(':') ? 'center' : 'end';
}

/** One table row: as many screen rows as its tallest cell needs. */
function cellRows(
	row: readonly (readonly Span[])[],
	widths: readonly number[],
	aligns: readonly Align[],
	maxRows: number,
): Line[] {
	const wrapped = row.map((cell, index) => wrapSpans(cell, widths[index] ?? 1, maxRows));
	const height = Math.max(1, ...wrapped.map(lines => lines.length));
	return Array.from({length: Math.min(height, maxRows)}, (_, y) =>
		widths.flatMap((width, index): Span[] => {
			const line = wrapped[index]?.[y] ?? [];
			const filled = filledCell(line, width, aligns[index]);
			return index === 0 ? filled : [{text: safe` \u2502 `, tone: 'border'}, ...filled];
		}),
	);
}

function filledCell(line: Line, width: number, align: Align | undefined): Span[] {
	const free = Math.max(0, width - lineWidth(line));
	const before = align === 'end' ? free : align === 'center' ? Math.floor(free / 2) : 0;
	return [{text: stillSafe(' '.repeat(before))}, ...line, {text: stillSafe(' '.repeat(free - before))}];
}

function underHeading(widths: readonly number[]): Line {
	const drawn = widths.map(width => '\u2500'.repeat(width)).join('\u2500\u253c\u2500');
	return [{text: stillSafe(drawn), tone: 'border'}];
}

import type {Token} from 'markdown-it';
import {type Line, lineWidth, type Span} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {narrow} from '../values/table.ts';
import {inlineSpans, wrapSpans} from './inline.ts';

type Align = 'start' | 'center' | 'end';
type Row = readonly (readonly Span[])[];

const maxColumns = 24;
/** Rows that decide how wide the columns are. */
const maxMeasuredRows = 200;
const separator = 3;

/**
 * Rows of a table, its cells wrapped in their columns: a list for the heading and one for each row. `undefined` if it
 * doesn't fit the width or one of its `lines` has more cells than the heading, which the parser drops.
 */
export function tableRows(
	tokens: readonly Token[],
	lines: readonly string[],
	width: number,
): Generator<Line[]> | undefined {
	const rows: Safe[][] = [];
	const aligns: Align[] = [];
	for (const [index, {type, content}] of tokens.entries()) {
		if (type === 'tr_open') rows.push([]);
		else if (type === 'inline') {
			rows.at(-1)?.push(stillSafe(content));
			if (rows.length === 1) aligns.push(alignOf(tokens[index - 1]));
		}
	}
	const columns = aligns.length;
	if (columns > maxColumns || lines.some(line => cellCount(line) > columns)) return undefined;
	const spansOf = (index: number): Row =>
		(rows[index] ?? []).map(cell => inlineSpans(cell, index === 0 ? {bold: true} : {}));
	const measured = rows.slice(0, maxMeasuredRows).map((_, index) => spansOf(index));
	const widths = aligns.map((_, index) =>
		measured.reduce((widest, cells) => Math.max(widest, lineWidth(cells[index] ?? [])), 1),
	);
	const room = width - separator * (columns - 1);
	if (narrow(widths, widths.reduce((sum, own) => sum + own, 0) - room) > 0) return undefined;
	return (function* () {
		for (const index of rows.keys()) {
			const row = cellRows(measured[index] ?? spansOf(index), widths, aligns);
			yield index === 0 ? [...row, underHeading(widths)] : row;
		}
	})();
}

function cellCount(line: string): number {
	const inner = line
		.trim()
		.replace(/^\|/, '')
		.replace(/(?<!\\)\|$/, '');
	return inner.split(/(?<!\\)\|/).length;
}

function alignOf(cell: Token | undefined): Align {
	const style = String(cell?.attrGet('style') ?? '');
	return style.endsWith('right') ? 'end' : style.endsWith('center') ? 'center' : 'start';
}

/** One table row: as many screen rows as its tallest cell needs. */
function cellRows(row: Row, widths: readonly number[], aligns: readonly Align[]): Line[] {
	const wrapped = widths.map((width, index) => wrapSpans(row[index] ?? [], width));
	const height = Math.max(1, ...wrapped.map(lines => lines.length));
	return Array.from({length: height}, (_, y) =>
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
	return [spaces(before), ...line, spaces(free - before)];
}

function spaces(count: number): Span {
	return {text: stillSafe(' '.repeat(count))};
}

function underHeading(widths: readonly number[]): Line {
	const line = widths.map(width => '\u2500'.repeat(width)).join('\u2500\u253c\u2500');
	return [{text: stillSafe(line), tone: 'border'}];
}

/** A table's lines as written. */
export function* plainTable(lines: readonly Safe[], width: number): Generator<Line[]> {
	for (const line of lines) yield wrapSpans(inlineSpans(line), width);
}

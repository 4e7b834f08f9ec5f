import type {Token} from 'markdown-it';
import {type Line, lineText, lineWidth, type Span} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {textWidth} from '../cells/width.ts';
import {inlineSpans, wrapSpans} from './inline.ts';

type Align = 'start' | 'center' | 'end';
type Row = readonly (readonly Span[])[];

const maxColumns = 24;
/** Rows that decide how wide the columns are. */
const maxMeasuredRows = 200;
const separator = 3;

/** A table that is too wide for its words is a list of its rows, unless the screen is narrower than this. */
const minListWidth = 20;
/** Longer words, such as addresses, may break. */
const maxWord = 24;

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
	const widest = (measure: (cell: Line) => number) =>
		aligns.map((_, index) =>
			measured.reduce((most, cells) => Math.max(most, measure(cells[index] ?? [])), 1),
		);
	const whole = widest(lineWidth);
	const widths = columnWidths(whole, widest(wordWidth), width - separator * (columns - 1));
	const isList = widths === undefined;
	if (isList && (width < minListWidth || rows.length < 2)) return undefined;
	const labelWidth = Math.min(Math.max(...(measured[0]?.map(lineWidth) ?? []), 1), Math.floor(width / 3));
	const drawn = widths ?? [labelWidth, width - labelWidth - separator];
	const isWrapped = drawn.some((own, index) => own < (whole[index] ?? 0));
	const labels = (rows[0] ?? []).map(cell => inlineSpans(cell, {tone: 'dim'}));
	return (function* () {
		for (const index of rows.keys()) {
			const cells = measured[index] ?? spansOf(index);
			const row = isList
				? labels.flatMap((label, column) => cellRows([label, cells[column] ?? []], drawn, []))
				: cellRows(cells, drawn, aligns);
			const rule = underHeading(drawn);
			if (index === 0) yield isList ? [] : [...row, rule];
			else yield index > 1 && (isList || isWrapped) ? [rule, ...row] : row;
		}
	})();
}

/** The widths of columns that fit the room without breaking words, the widest columns narrowed first. */
function columnWidths(
	whole: readonly number[],
	words: readonly number[],
	room: number,
): readonly number[] | undefined {
	for (let max = Math.min(room, Math.max(...whole)); max > 0; max--) {
		const widths = whole.map((own, index) => Math.max(Math.min(own, max), words[index] ?? 0));
		if (widths.reduce((sum, own) => sum + own, 0) <= room) return widths;
	}
	return undefined;
}

/** The width of the longest word; text in wide characters breaks anywhere. */
function wordWidth(cell: Line): number {
	const words = lineText(cell).split(/[ \u2e80-\uffef]/);
	return Math.min(
		maxWord,
		words.reduce((most, word) => Math.max(most, textWidth(word)), 2),
	);
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

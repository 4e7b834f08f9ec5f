import type {Token} from 'markdown-it';
import {textWidth} from '../cells/graphemes.ts';
import {type Line, lineText, lineWidth, type Span} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {inlineSpans, wrapSpans} from './inline.ts';
import {withoutPipesInCode} from './markdown-parser.ts';

type Align = 'start' | 'center' | 'end';
type Row = readonly (readonly Span[])[];

const maxColumns = 24;
/** Rows that decide how wide the columns are. */
const maxMeasuredRows = 200;
/** A table that is too wide for its words is a list of its rows, unless the screen is narrower than this. */
const minListWidth = 20;
/** Longer words may break. */
const maxWord = 24;
/** Text is hard to read in narrower columns: a list is better. */
const minColumn = 8;
const separator = safe` \u2502 `;
const narrowSeparator = safe`\u2502 `;

type Grid = {readonly widths: readonly number[]; readonly separator: Safe};

/**
 * The screen rows of the heading, then of each row of a table, its cells wrapped in their columns. `undefined` if it
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
	if (columns > maxColumns || lines.some(line => cellCount(withoutPipesInCode(line)) > columns))
		return undefined;
	const spansOf = (index: number): Row =>
		(rows[index] ?? []).map(cell => inlineSpans(cell, index === 0 ? {bold: true} : {}));
	const measured = rows.slice(0, maxMeasuredRows).map((_, index) => spansOf(index));
	const widest = (measure: (cell: Line) => number) =>
		aligns.map((_, index) => measured.reduce((max, cells) => Math.max(max, measure(cells[index] ?? [])), 1));
	const whole = widest(lineWidth);
	const columnGrid =
		gridOf(whole, widest(wordWidth), width, separator) ??
		gridOf(whole, widest(brokenWidth), width, separator) ??
		gridOf(whole, widest(brokenWidth), width, narrowSeparator);
	const isList = columnGrid === undefined;
	if (isList && (width < minListWidth || rows.length < 2)) return undefined;
	const labelWidth = Math.min(Math.max(...(measured[0]?.map(lineWidth) ?? []), 1), Math.floor(width / 2) - 3);
	const grid = columnGrid ?? {widths: [labelWidth, width - labelWidth - 3], separator};
	const isWrapped = grid.widths.some((own, index) => own < (whole[index] ?? 0));
	const labels = (rows[0] ?? []).map(cell => inlineSpans(cell, {tone: 'dim'}));
	return (function* () {
		for (const index of rows.keys()) {
			const cells = measured[index] ?? spansOf(index);
			const row = isList
				? labels.flatMap((label, column) => cellRows([label, cells[column] ?? []], grid, []))
				: cellRows(cells, grid, aligns);
			const rule = ruleOf(grid);
			if (index === 0) yield isList ? [] : [...row, rule];
			else yield index > 1 && (isList || isWrapped) ? [rule, ...row] : row;
		}
	})();
}

/** Columns as wide as their longest `words`; the rest of the width goes to those whose cells need the most lines. */
function gridOf(
	whole: readonly number[],
	words: readonly number[],
	width: number,
	separator: Safe,
): Grid | undefined {
	const narrowest = width < minListWidth ? 1 : minColumn;
	const columns = whole.map((own, index) => ({
		whole: own,
		width: Math.max(words[index] ?? 0, Math.min(own, narrowest)),
	}));
	const used = columns.reduce((sum, column) => sum + column.width, textWidth(separator) * (whole.length - 1));
	if (used > width) return undefined;
	for (let spare = width - used; spare > 0; spare--) {
		const tallest = columns.reduce((a, b) => {
			const more = linesOf(b) - linesOf(a);
			return more > 0 || (more === 0 && b.whole - b.width < a.whole - a.width) ? b : a;
		});
		if (linesOf(tallest) === 1) break;
		tallest.width++;
	}
	return {widths: columns.map(column => column.width), separator};
}

/** About how many lines the longest cell of a column needs. */
function linesOf({whole, width}: {readonly whole: number; readonly width: number}): number {
	const lines = whole / width;
	return lines > 2 ? lines : Math.ceil(lines);
}

/** The width of the longest word; text in wide characters breaks anywhere. */
function wordWidth(cell: Line): number {
	return longestOf(lineText(cell).split(/[ \u2e80-\uffef]/));
}

/** The same if addresses, paths and other words with punctuation inside are broken. */
function brokenWidth(cell: Line): number {
	return longestOf(lineText(cell).split(/[ \u2e80-\uffef]|(?<=[^\W_][-/.:_@=&?]{1,3})(?=[^\W_])/));
}

function longestOf(words: readonly string[]): number {
	return Math.min(
		maxWord,
		words.reduce((max, word) => Math.max(max, textWidth(word)), 2),
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
function cellRows(row: Row, {widths, separator}: Grid, aligns: readonly Align[]): Line[] {
	const wrapped = widths.map((width, index) => wrapSpans(row[index] ?? [], width));
	const height = Math.max(1, ...wrapped.map(lines => lines.length));
	return Array.from({length: height}, (_, y) =>
		widths.flatMap((width, index): Span[] => {
			const line = wrapped[index]?.[y] ?? [];
			const filled = filledCell(line, width, aligns[index]);
			return index === 0 ? filled : [{text: separator, tone: 'border'}, ...filled];
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

/** The line under the heading, and between rows. */
function ruleOf({widths, separator}: Grid): Line {
	const cross = separator.replaceAll(' ', '\u2500').replace('\u2502', '\u253c');
	return [{text: stillSafe(widths.map(width => '\u2500'.repeat(width)).join(cross)), tone: 'border'}];
}

/** A table's lines as written. */
export function* plainTable(lines: readonly Safe[], width: number): Generator<Line[]> {
	for (const line of lines) yield wrapSpans(inlineSpans(line), width);
}

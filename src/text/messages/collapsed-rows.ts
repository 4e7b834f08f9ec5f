import {cleanLine, cleanText, maxTextLength} from '../cells/clean.ts';
import {cutEnd} from '../cells/cut.ts';
import {fitLine, type Line, lineWidth, type Span, type Tone} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {terminalText} from '../cells/terminal-lines.ts';
import {withoutColors} from '../markdown/ansi-colors.ts';
import {isDiff, plainRows, type TextRows, withReturnSigns, withSignsInDiffs} from '../markdown/plain-rows.ts';
import {byteSize} from '../values/numbers.ts';

/** Maximum rows of an expanded text. */
export const expandedRows = 2000;
const maxExpanded = maxTextLength;

/** A raw text as a terminal shows it, its diffs with what differs at the ends of their lines; without blanks at its end. */
export function lineFed(raw: string): string {
	const text = terminalText(withSignsInDiffs(raw));
	if (!isDiff(text)) return text.trimEnd();
	return terminalText(withReturnSigns(raw.replace(/\n+$/, '').split('\n')).join('\n'));
}

/** All rows of an expanded text, indented under its head. */
export function indentedText(raw: string, tone: Tone, width: number): Line[] {
	const text = lineFed(raw);
	if (text === '') return [];
	const cap = capFor(width, expandedRows);
	const shown = plainRows(cleanText(text, {maxLength: cap}), Math.max(1, width - 2), expandedRows, {tone});
	const isOutput = tone === 'code' || tone === 'bad';
	const rows = isOutput ? markedRows(shown.rows, width) : indented(shown.rows, width);
	return [...rows, ...restRows(text, cap, shown, expandedRows, width)];
}

/** Rows indented under their head, if there is room. */
export function indented(rows: readonly Line[], width: number): Line[] {
	return rows.map(row => (width > 2 ? [{text: safe`  `}, ...row] : row));
}

/** Indented rows with a mark before those that continue a long line. */
export function markedRows(rows: readonly Line[], width: number): Line[] {
	const mark: Span = {text: safe`\u21b3 `, tone: 'border', isDecoration: true};
	return rows.map(row => {
		if (width <= 2) return row;
		return [row.some(({piece}) => piece?.above) ? mark : {text: safe`  `}, ...row];
	});
}

/** A row, and at its end how many more lines there are. */
export function collapsedRow(row: Line, hidden: number, width: number): Line {
	const count: Span[] = hidden > 0 ? [{text: safe`  ${moreLines(hidden)}`, tone: 'dim'}] : [];
	return [...fitLine(row, width - Math.min(lineWidth(count), width - 1)), ...fitLine(count, width - 1)];
}

/** The first line that isn't empty, without its colors. */
export function firstLine(text: string): Safe {
	const start = text.search(/\S/);
	if (start === -1) return safe``;
	const feed = text.indexOf('\n', start);
	const line = withoutColors(cleanLine(text.slice(start, feed === -1 ? undefined : feed), 400));
	return stillSafe(line.trimStart());
}

export function moreLines(count: number): Safe {
	return count === 1 ? safe`+ 1 line` : safe`+ ${count} lines`;
}

/** Stands for a part of a text whose lines aren't counted. */
function restOf(raw: string): Safe {
	return safe`+ the rest of ${byteSize(raw.length)}`;
}

/** The row that counts the hidden lines, if any. `cap` is where the raw text was cut. */
export function restRows(raw: string, cap: number, shown: TextRows, maxRows: number, width: number): Line[] {
	// If the text was cut before its rows ran out, its last line is incomplete.
	const isCutLine = raw.length > cap && shown.rows.length < maxRows;
	const all = lineCount(raw);
	const hidden = all - (isCutLine ? shown.lines - 1 : shown.lines);
	if (hidden <= 0) return [];
	const text = all === 1 ? restOf(raw) : moreLines(hidden);
	return [[{text: cutEnd(text, width), tone: 'dim'}]];
}

/** Enough UTF-16 units to fill the visible rows, so that a collapsed text costs no more than its rows. */
export function capFor(width: number, maxRows: number): number {
	return Math.min(maxExpanded, (maxRows + 1) * (width + 8) * 4);
}

/** Number of lines in a raw text; a final line feed doesn't start another one. */
export function lineCount(text: string): number {
	let count = text.endsWith('\n') ? 0 : 1;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
	return count;
}

/** Whether the rows hide part of their message: one was cut, stands for more, or ends in `+ 12 lines`. */
export function isCollapsed(rows: readonly Line[]): boolean {
	return rows.some(row => row.some(part => part.isCollapsed) || endsInCount(row));
}

const count = /^ *\+ (?:\d+ |the rest)/;

/** Whether the row ends in `+ 12 lines`. */
export function endsInCount(row: Line): boolean {
	const last = row.findLast(part => !part.isDecoration);
	return last?.tone === 'dim' && count.test(last.text);
}

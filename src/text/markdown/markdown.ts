import {cutEnd} from '../cells/cut.ts';
import {fitLine, type Line, type Span} from '../cells/line.ts';
import {type Safe, stillSafe} from '../cells/safe.ts';
import {type CodeState, codeSpans, findLanguage, type Language} from './code-spans.ts';
import {inlineSpans, wrapSpans} from './inline.ts';
import {beginsTable, continuesTable, tableRows} from './markdown-table.ts';
import {diffSpan, type TextRows} from './plain-rows.ts';

const fence = /^ {0,3}(`{3,}|~{3,}) *([\w+#.-]{0,30})/;
const heading = /^ {0,3}#{1,6} /;
const rule = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const item = /^( {0,40})([-*+]|\d{1,9}[.)]) +(?=\S)/;
const task = /^\[([ xX])\] +/;
const quote = /^ {0,3}((?:> ?){1,8})/;
const indent = /^ {1,40}(?=\S)/;
const maxTableRows = 500;

export type MarkdownOptions = {
	/** Maximum number of rows; also bounds the cost. */
	readonly maxRows?: number;
	/** Wraps code that is too wide instead of cutting it. */
	readonly wrapsCode?: boolean;
	/** The result for an earlier text at the same width: if it only grew, just its end is laid out. */
	readonly before?: MarkdownResult | undefined;
};

/** Rows, and the state needed to resume layout there. */
export type MarkdownResult = TextRows & {readonly text: Safe; readonly resume: LineStart};

/** The start of a line, and the state there. */
type LineStart = {
	readonly start: number;
	readonly rows: number;
	readonly lines: number;
	readonly block: Block | undefined;
};
/** An open code block. */
type Block = {
	readonly mark: string;
	readonly language: Language | 'diff' | undefined;
	readonly code: CodeState;
};

const beginning: LineStart = {start: 0, rows: 0, lines: 0, block: undefined};

/**
 * Lays out markdown: headings, lists with a hanging indent, tasks, quotes, rules, tables, highlighted code
 * fences, inline marks. Keeps line breaks as written, and shows unknown markup as is. `lines` counts the
 * lines of the text that are completely in the rows. Linear in the length of the text.
 */
export function markdownRows(text: Safe, width: number, options: MarkdownOptions = {}): MarkdownResult {
	const {maxRows = Number.POSITIVE_INFINITY, wrapsCode = false, before} = options;
	const from =
		before && text.startsWith(before.text.slice(0, before.resume.start)) ? before.resume : beginning;
	const rows = from.rows > 0 && before ? before.rows.slice(0, from.rows) : [];
	let {start, lines, block} = from;
	// The last line may be incomplete, and the line before it may turn out to be a table heading: resume
	// before both.
	const starts: [LineStart, LineStart, LineStart] = [from, from, from];
	while (start <= text.length && rows.length < maxRows) {
		starts.shift();
		starts.push({start, rows: rows.length, lines, block});
		const line = lineAt(text, start);
		const room = maxRows - rows.length;
		const opened = block ? undefined : fence.exec(line);
		const table = block || opened ? undefined : tableAt(text, start, line);
		let laidOut: Line[];
		if (block) {
			const code = codeRows(line, block, width, wrapsCode ? room + 1 : 1);
			laidOut = code.rows;
			block = code.next;
		} else if (opened) {
			laidOut = [[{text: cutEnd(line, width), tone: 'dim'}]];
			block = {mark: opened[1] ?? '', language: languageOf(opened[2] ?? ''), code: undefined};
		} else if (table)
			laidOut = tableRows(table.lines, width, room + 1) ?? plainTable(table.lines, width, room + 1);
		else laidOut = proseRows(line, width, room + 1);
		rows.push(...laidOut.slice(0, room));
		if (laidOut.length > room) break;
		lines += table?.lines.length ?? 1;
		start = (table?.end ?? start + line.length) + 1;
		// The following lines may still belong to the table.
		if (table) starts.fill(starts[2]);
	}
	return {rows, lines, text, resume: starts[0]};
}

function lineAt(text: Safe, start: number): Safe {
	const feed = text.indexOf('\n', start);
	return stillSafe(text.slice(start, feed === -1 ? text.length : feed));
}

function languageOf(name: string): Block['language'] {
	return /^(?:diff|patch|udiff)$/i.test(name) ? 'diff' : findLanguage(name);
}

function codeRows(
	line: Safe,
	block: Block,
	width: number,
	maxRows: number,
): {rows: Line[]; next: Block | undefined} {
	const mark = fence.exec(line)?.[1];
	if (mark?.startsWith(block.mark) && line.trim() === mark)
		return {rows: [[{text: cutEnd(line, width), tone: 'dim'}]], next: undefined};
	const code = codeLook(line, block);
	const rows = maxRows > 1 ? wrapSpans(code.spans, width, maxRows) : [fitLine(code.spans, width)];
	return {rows, next: {...block, code: code.state}};
}

function codeLook(line: Safe, {language, code}: Block): {spans: readonly Span[]; state: CodeState} {
	if (language === 'diff') return {spans: [diffSpan(line)], state: undefined};
	if (language) return codeSpans(line, language, code);
	return {spans: [{text: line, tone: 'code'}], state: undefined};
}

/** The table that begins at a line, if any. `end` is the end of its last line. */
function tableAt(text: Safe, start: number, first: Safe): {lines: Safe[]; end: number} | undefined {
	if (!first.includes('|')) return undefined;
	let end = start + first.length;
	const second = lineAt(text, end + 1);
	if (end >= text.length || !beginsTable(first, second)) return undefined;
	const lines = [first, second];
	end += 1 + second.length;
	while (end < text.length && lines.length < maxTableRows) {
		const line = lineAt(text, end + 1);
		if (!continuesTable(line)) break;
		lines.push(line);
		end += 1 + line.length;
	}
	return {lines, end};
}

function plainTable(lines: readonly Safe[], width: number, maxRows: number): Line[] {
	const rows: Line[] = [];
	for (const line of lines) {
		if (rows.length >= maxRows) break;
		rows.push(...wrapSpans(inlineSpans(line), width, maxRows - rows.length));
	}
	return rows;
}

function proseRows(line: Safe, width: number, maxRows: number): Line[] {
	if (heading.test(line)) return wrapSpans(inlineSpans(line, {tone: 'heading', bold: true}), width, maxRows);
	if (rule.test(line)) return [[{text: stillSafe('\u2500'.repeat(Math.max(1, width))), tone: 'border'}]];
	const listed = item.exec(line);
	if (listed) return itemRows(line, listed, width, maxRows);
	const quoted = quote.exec(line);
	if (quoted) {
		const depth = (quoted[1] ?? '').replaceAll(' ', '').length;
		const bar: Span = {text: stillSafe('\u2502 '.repeat(depth)), tone: 'border'};
		const rest = stillSafe(line.slice(quoted[0].length));
		const rows = wrapSpans(inlineSpans(rest, {tone: 'dim'}), Math.max(1, width - depth * 2), maxRows);
		return width > depth * 2 ? rows.map(row => [bar, ...row]) : rows;
	}
	const spaces = indent.exec(line)?.[0] ?? '';
	if (spaces !== '') return hang([], spaces.length, stillSafe(line.slice(spaces.length)), width, maxRows);
	return wrapSpans(inlineSpans(line), width, maxRows);
}

function itemRows(line: Safe, listed: RegExpExecArray, width: number, maxRows: number): Line[] {
	const [before, spaces = '', bullet = ''] = listed;
	const rest = line.slice(before.length);
	const done = task.exec(rest);
	const box: Span[] = done
		? [{text: stillSafe(`[${done[1]}] `), tone: done[1] === ' ' ? 'dim' : 'good'}]
		: [];
	const lead: Span[] = [{text: stillSafe(spaces)}, {text: stillSafe(`${bullet} `), tone: 'accent'}, ...box];
	const columns = spaces.length + bullet.length + 1 + (done ? 4 : 0);
	return hang(lead, columns, stillSafe(rest.slice(done?.[0].length ?? 0)), width, maxRows);
}

/** Rows with a hanging indent. If the lead leaves too little room, wraps it along with the text. */
function hang(lead: readonly Span[], columns: number, text: Safe, width: number, maxRows: number): Line[] {
	const room = width - columns;
	if (room < 8) return wrapSpans([...lead, ...inlineSpans(text)], width, maxRows);
	const under: Span = {text: stillSafe(' '.repeat(columns))};
	return wrapSpans(inlineSpans(text), room, maxRows).map((row, index) =>
		index === 0 && lead.length > 0 ? [...lead, ...row] : [under, ...row],
	);
}

import {findLanguage, type Language} from './code-languages.ts';
import {type CodeState, codeSpans} from './code-spans.ts';
import {cutEnd} from './cut.ts';
import {diffSpan} from './diff-spans.ts';
import {inlineSpans, wrapSpans} from './inline.ts';
import {fitLine, type Line, type Span} from './line.ts';
import {beginsTable, goesOn, tableRows} from './markdown-table.ts';
import type {TextRows} from './plain-rows.ts';
import {type Safe, stillSafe} from './safe.ts';

const fence = /^ {0,3}(`{3,}|~{3,}) *([\w+#.-]{0,30})/;
const heading = /^ {0,3}#{1,6} /;
const rule = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const item = /^( {0,40})([-*+]|\d{1,9}[.)]) +(?=\S)/;
const task = /^\[([ xX])\] +/;
const quote = /^ {0,3}((?:> ?){1,8})/;
const indent = /^ {1,40}(?=\S)/;
const maxTableRows = 500;

export type MarkdownOptions = {
	/** At most so many rows are made: the cost ends there. */
	readonly maxRows?: number;
	/** Code that is too wide goes on in the next row; otherwise it is cut. */
	readonly wrapsCode?: boolean;
	/** What was made of an earlier text at the same width: of a text that has grown, only the end is made again. */
	readonly before?: MarkdownResult | undefined;
};

/** Rows, and where they can be taken up again. */
export type MarkdownResult = TextRows & {readonly text: Safe; readonly resume: Place};

/** The beginning of a line, and what is open there. */
type Place = {
	readonly start: number;
	readonly rows: number;
	readonly lines: number;
	readonly block: Block | undefined;
};
/** An open block of code. */
type Block = {
	readonly mark: string;
	readonly language: Language | 'diff' | undefined;
	readonly code: CodeState;
};

const beginning: Place = {start: 0, rows: 0, lines: 0, block: undefined};

/**
 * Rows of markdown: headings, lists with a hanging indent, tasks, quotes, rules, tables, fenced code with its words told
 * apart, inline marks. Line ends are kept as they were written. Any text goes: what is not understood is shown as it
 * stands. `lines` says how many lines of the text are in the rows, whole. Linear in the length of the text.
 */
export function markdownRows(text: Safe, width: number, options: MarkdownOptions = {}): MarkdownResult {
	const {maxRows = Number.POSITIVE_INFINITY, wrapsCode = false, before} = options;
	const kept =
		before && text.startsWith(before.text.slice(0, before.resume.start)) ? before.resume : beginning;
	const rows = kept.rows > 0 && before ? before.rows.slice(0, kept.rows) : [];
	let {start, lines, block} = kept;
	// Neither the last line is whole nor the one before it, which may turn out to head a table.
	const places: [Place, Place, Place] = [kept, kept, kept];
	while (start <= text.length && rows.length < maxRows) {
		places.shift();
		places.push({start, rows: rows.length, lines, block});
		const line = lineAt(text, start);
		const room = maxRows - rows.length;
		if (block) {
			const {made, next} = codeRows(line, block, width, wrapsCode ? room + 1 : 1);
			block = next;
			rows.push(...made.slice(0, room));
			if (made.length > room) break;
		} else {
			const opened = fence.exec(line);
			const table = opened ? undefined : tableAt(text, start, line);
			if (opened) {
				block = {mark: opened[1] ?? '', language: languageOf(opened[2] ?? ''), code: undefined};
				rows.push([{text: cutEnd(line, width), tone: 'dim'}]);
			} else if (table) {
				const made = tableRows(table.lines, width, room + 1) ?? plainTable(table.lines, width, room + 1);
				rows.push(...made.slice(0, room));
				if (made.length > room) break;
				lines += table.lines.length;
				start = table.end + 1;
				// What comes may belong to the table.
				places.fill(places[2]);
				continue;
			} else {
				const made = proseRows(line, width, room + 1);
				rows.push(...made.slice(0, room));
				if (made.length > room) break;
			}
		}
		start += line.length + 1;
		lines++;
	}
	return {rows, lines, text, resume: places[0]};
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
): {made: Line[]; next: Block | undefined} {
	const mark = fence.exec(line)?.[1];
	if (mark?.startsWith(block.mark) && line.trim() === mark)
		return {made: [[{text: cutEnd(line, width), tone: 'dim'}]], next: undefined};
	const code = codeLook(line, block);
	const made = maxRows > 1 ? wrapSpans(code.spans, width, maxRows) : [fitLine(code.spans, width)];
	return {made, next: {...block, code: code.state}};
}

function codeLook(line: Safe, {language, code}: Block): {spans: readonly Span[]; state: CodeState} {
	if (language === 'diff') return {spans: [diffSpan(line)], state: undefined};
	if (language) return codeSpans(line, language, code);
	return {spans: [{text: line, tone: 'code'}], state: undefined};
}

/** The table that begins at a line, if one does. `end` is the end of its last line. */
function tableAt(text: Safe, start: number, first: Safe): {lines: Safe[]; end: number} | undefined {
	if (!first.includes('|')) return undefined;
	let end = start + first.length;
	const second = lineAt(text, end + 1);
	if (end >= text.length || !beginsTable(first, second)) return undefined;
	const lines = [first, second];
	end += 1 + second.length;
	while (end < text.length && lines.length < maxTableRows) {
		const line = lineAt(text, end + 1);
		if (!goesOn(line)) break;
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

/** Rows that hang under their first one. A lead that leaves too little room is given up. */
function hang(lead: readonly Span[], columns: number, text: Safe, width: number, maxRows: number): Line[] {
	const room = width - columns;
	if (room < 8) return wrapSpans([...lead, ...inlineSpans(text)], width, maxRows);
	const under: Span = {text: stillSafe(' '.repeat(columns))};
	return wrapSpans(inlineSpans(text), room, maxRows).map((row, index) =>
		index === 0 && lead.length > 0 ? [...lead, ...row] : [under, ...row],
	);
}

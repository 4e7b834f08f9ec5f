import type {Token} from 'markdown-it';
import {cleanLine} from '../cells/clean.ts';
import {cutEnd} from '../cells/cut.ts';
import {type Line, lineWidth, type Span, tinted} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {codeLines, diffName} from './code-lines.ts';
import {inlineLines, wrapSpans} from './inline.ts';
import {parseBlocks} from './markdown-parser.ts';
import {plainTable, tableRows} from './markdown-table.ts';
import type {TextRows} from './plain-rows.ts';

const task = /^\[([ xX])\](?: +|$)/;
/** The marks of quotes and list items before a block's line. */
const containers = /^(?:\s*(?:>|[-*+]\s|\d{1,9}[.)]\s))+\s*/;
/** Columns that text keeps; deeper indentation is left out. */
const minColumns = 8;

export type MarkdownOptions = {
	/** Maximum number of rows; also bounds the cost. */
	readonly maxRows?: number;
	/** The result for an earlier text at the same width: if it only grew, just its last blocks are laid out. */
	readonly before?: MarkdownResult | undefined;
};

/** Rows, and where to resume layout when the text grows. */
export type MarkdownResult = TextRows & {readonly text: Safe; readonly resume: BlockStart};

/** The start of a block at the top level: its offset and line, the rows above it, and where the block above ends. */
type BlockStart = {
	readonly start: number;
	readonly line: number;
	readonly rows: number;
	readonly endAbove: number;
};

const beginning: BlockStart = {start: 0, line: 0, rows: 0, endAbove: 0};

/**
 * Lays out markdown without its marks: headings, lists with a hanging indent, tasks, quotes, rules, tables, colored
 * code on a tinted ground. Keeps line breaks and blank lines as written, and shows markup it doesn't know as text. `lines`
 * counts the lines of the text that are completely in the rows.
 */
export function markdownRows(text: Safe, width: number, options: MarkdownOptions = {}): MarkdownResult {
	const {maxRows = Number.POSITIVE_INFINITY, before} = options;
	const from =
		before && text.startsWith(before.text.slice(0, before.resume.start)) ? before.resume : beginning;
	const rows = from.rows > 0 && before ? before.rows.slice(0, from.rows) : [];
	const source = text.slice(from.start);
	const layout = new Layout(source, {...from, start: 0}, rows, width, maxRows);
	layout.run(parseBlocks(source));
	const resume = layout.lastStable();
	return {rows, lines: layout.lines, text, resume: {...resume, start: from.start + resume.start}};
}

/** The rows of one line of the text, or of several that can't be told apart. */
type Group = {readonly rows: readonly Line[]; readonly lineCount: number};

/** A quote or a list item around the current block. */
type Level = {
	readonly columns: number;
	/** The marker before its first row, until that is laid out. */
	marker: readonly Span[] | undefined;
	/** What stands before its other rows. */
	readonly indent: Span;
	readonly isQuote: boolean;
};

class Layout {
	/** Lines of the text that are completely in the rows. */
	lines: number;
	readonly #sourceLines: readonly Safe[];
	readonly #from: BlockStart;
	readonly #rows: Line[];
	readonly #width: number;
	readonly #maxRows: number;
	readonly #levels: Level[] = [];
	readonly #starts: BlockStart[];
	/** Where the blocks above end: a block that begins later has a blank line above it. */
	#endAbove: number;

	constructor(source: string, from: BlockStart, rows: Line[], width: number, maxRows: number) {
		this.#sourceLines = source.split('\n').map(stillSafe);
		this.#from = from;
		this.#rows = rows;
		this.#width = width;
		this.#maxRows = maxRows;
		this.lines = from.line;
		this.#endAbove = from.endAbove;
		this.#starts = [from];
	}

	/** Lays out all blocks, or as many as there are rows for. */
	run(tokens: readonly Token[]): void {
		let index = 0;
		while (index < tokens.length) {
			const token = tokens[index] as Token;
			if (token.level === 0 && token.nesting >= 0 && token.map) this.#recordStart(this.#lineOf(token));
			if (token.type === 'table_open') {
				const start = index;
				while (index < tokens.length && tokens[index]?.type !== 'table_close') index++;
				if (!this.#addTable(token, tokens.slice(start, index))) return;
			} else if (!this.#layOut(tokens, index)) return;
			index++;
		}
		this.lines = this.#from.line + this.#sourceLines.length;
	}

	/**
	 * The last block that more text can't change: it and its next line are complete, as a line may be a table's
	 * heading. Later text may still join it.
	 */
	lastStable(): BlockStart {
		const lastLine = this.#from.line + this.#sourceLines.length - 1;
		const stable = this.#starts.findLast(({line}) => line <= lastLine - 2) ?? this.#from;
		const linesAbove = this.#sourceLines.slice(0, stable.line - this.#from.line);
		return {...stable, start: linesAbove.reduce((sum, line) => sum + line.length + 1, 0)};
	}

	/** Lays out one block, or enters or leaves a container. False when the rows are full. */
	#layOut(tokens: readonly Token[], index: number): boolean {
		const token = tokens[index] as Token;
		switch (token.type) {
			case 'blockquote_open':
				return this.#enter(token, quoteLevel());
			case 'list_item_open':
				return this.#enter(token, itemLevel(token, tokens[index + 2]));
			case 'blockquote_close':
			case 'list_item_close':
				return this.#leave();
			case 'inline': {
				// Only this one's lines include those under a heading.
				const opening = tokens[index - 1] ?? token;
				return this.#add(opening, (width, maxRows) =>
					proseGroups(token.content, lookOf(opening, this.#isQuoted()), width, maxRows),
				);
			}
			case 'fence':
			case 'code_block':
				return this.#add(token, (width, maxRows) => codeGroups(token, width, maxRows));
			case 'hr':
				return this.#add(token, ruleGroups);
			default:
				return true;
		}
	}

	#addTable(token: Token, tokens: readonly Token[]): boolean {
		const [from, to] = this.#mapOf(token);
		const lines = this.#sourceLines.slice(from, to).map(line => stillSafe(line.replace(containers, '')));
		return this.#add(token, function* (width) {
			const rows = tableRows(tokens, lines, width);
			let isHeading = rows !== undefined;
			for (const row of rows ?? plainTable(lines, width)) {
				yield {rows: row, lineCount: isHeading ? 2 : 1};
				isHeading = false;
			}
		});
	}

	#recordStart(line: number): void {
		if (line > (this.#starts.at(-1)?.line ?? 0))
			this.#starts.push({start: 0, line, rows: this.#rows.length, endAbove: this.#endAbove});
	}

	#mapOf({map}: Token): readonly [number, number] {
		return map ?? [0, 0];
	}

	#lineOf(token: Token): number {
		return this.#from.line + this.#mapOf(token)[0];
	}

	#enter(token: Token, level: Level): boolean {
		const line = this.#lineOf(token);
		if (!this.#addGap(line)) return false;
		this.#endAbove = line + 1;
		this.#levels.push(level);
		return true;
	}

	#leave(): boolean {
		const isEmpty = this.#levels.at(-1)?.marker !== undefined;
		const hasRoom = !isEmpty || this.#addRow([]);
		this.#levels.pop();
		return hasRoom;
	}

	#isQuoted(): boolean {
		return this.#levels.some(({isQuote}) => isQuote);
	}

	/** A blank row if there are blank lines above. */
	#addGap(line: number): boolean {
		if (line <= this.#endAbove || this.#rows.length === 0) return true;
		const bars =
			this.#isQuoted() && this.#columns() < this.#width ? this.#levels.map(({indent}) => indent) : [];
		return this.#addRow(bars, false);
	}

	#add(token: Token, groups: (width: number, maxRows: number) => Iterable<Group>): boolean {
		const [from, to] = this.#mapOf(token);
		const line = this.#from.line + from;
		if (!this.#addGap(line)) return false;
		this.#endAbove = Math.max(this.#endAbove, this.#from.line + to);
		this.lines = line;
		const isNarrow = this.#width - this.#columns() < minColumns;
		if (isNarrow && this.#levels.some(({marker}) => marker) && !this.#addRow([])) return false;
		const width = isNarrow ? this.#width : this.#width - this.#columns();
		for (const {rows, lineCount} of groups(width, this.#maxRows - this.#rows.length + 1)) {
			for (const row of rows) if (!this.#addRow(row, !isNarrow)) return false;
			this.lines += lineCount;
		}
		return true;
	}

	#columns(): number {
		return this.#levels.reduce((sum, {columns}) => sum + columns, 0);
	}

	/** Adds a row behind the marks of the containers. False when there is no room for it. */
	#addRow(row: Line, isIndented = true): boolean {
		if (this.#rows.length >= this.#maxRows) return false;
		if (!isIndented) {
			this.#rows.push(row);
			return true;
		}
		const lead = this.#levels.flatMap(({marker, indent}) => marker ?? [indent]);
		for (const level of this.#levels) level.marker = undefined;
		if (lineWidth(lead) + lineWidth(row) <= this.#width) this.#rows.push([...lead, ...row]);
		else this.#rows.push([{text: cutEnd(stillSafe(lead.map(({text}) => text).join('')), this.#width)}]);
		return true;
	}
}

function quoteLevel(): Level {
	return {columns: 2, marker: undefined, indent: {text: safe`\u2502 `, tone: 'border'}, isQuote: true};
}

function itemLevel(token: Token, first: Token | undefined): Level {
	const number = token.info === '' ? '' : `${token.info}${token.markup} `;
	const done = first?.type === 'inline' ? task.exec(first.content) : null;
	const marker: Span[] = [];
	if (number !== '') marker.push({text: cleanLine(number), tone: 'accent'});
	else if (!done) marker.push({text: safe`\u2022 `, tone: 'accent'});
	if (first && done) {
		first.content = first.content.slice(done[0].length);
		marker.push(done[1] === ' ' ? {text: safe`\u2610 `, tone: 'dim'} : {text: safe`\u2611 `, tone: 'good'});
	}
	const columns = lineWidth(marker);
	return {columns, marker, indent: {text: stillSafe(' '.repeat(columns))}, isQuote: false};
}

type Look = Omit<Span, 'text'>;

function lookOf(opening: Token, isQuoted: boolean): Look {
	if (opening.type === 'heading_open')
		return {tone: /[12]/.test(opening.tag) ? 'heading' : 'strong', bold: true};
	return isQuoted ? {tone: 'dim'} : {};
}

function* proseGroups(content: string, look: Look, width: number, maxRows: number): Generator<Group> {
	for (const line of inlineLines(stillSafe(content), look))
		yield {rows: wrapSpans(line, width, maxRows), lineCount: 1};
}

function* ruleGroups(width: number): Generator<Group> {
	yield {rows: [[{text: stillSafe('\u2500'.repeat(width)), tone: 'border'}]], lineCount: 1};
}

/** What the row above the code of a fence says: its language, but for a diff, which has signs that say it. */
export function fenceLabel(info: string): Safe {
	const name = cleanLine(info.trim());
	return diffName.test(name) ? safe`` : name;
}

/** Code on a tinted ground, without its fences; a mark leads the rows of a line that go on. */
function* codeGroups(token: Token, width: number, maxRows: number): Generator<Group> {
	const {info} = token;
	const isFence = token.type === 'fence';
	const label = fenceLabel(info);
	if (isFence)
		yield {
			rows:
				label === ''
					? []
					: [codeRow([{text: cutEnd(label, Math.max(1, width - 2)), tone: 'dim'}], width, edge)],
			lineCount: 1,
		};
	const language = info.trim().split(/[\s{,]/, 1)[0] ?? '';
	const code = stillSafe(token.content.replace(/\n$/, ''));
	if (code === '' && isFence) return;
	for (const line of codeLines(code, language)) {
		const rows = wrapSpans(line, Math.max(1, width - 2), maxRows);
		yield {
			rows: rows.map((row, index) => codeRow(row, width, index === 0 ? edge : wrappedEdge)),
			lineCount: 1,
		};
	}
}

const edge = safe`\u258f `;
const wrappedEdge = safe`\u258f\u21b3`;

/** A row of code from edge to edge. Copies and searches leave out its edge and its padding. */
function codeRow(line: Line, width: number, lead: Safe): Line {
	const isWider = lineWidth(line) > width - 2;
	return tinted(isWider ? line : [{text: lead, tone: 'border', isDecoration: true}, ...line], 'code', width);
}

import {cutEnd} from './cut.ts';
import {inlineSpans, wrapSpans} from './inline.ts';
import type {Line, Span} from './line.ts';
import {type Safe, safe, stillSafe} from './safe.ts';

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6} /;
const rule = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const item = /^( {0,40})([-*+]|\d{1,9}[.)]) +(?=\S)/;
const quote = /^ {0,3}((?:> ?){1,8})/;

/**
 * Rows of simple markdown: headings, lists with a hanging indent, quotes, rules, fenced code and tables cut instead of
 * wrapped, inline code and bold. Line ends are kept as they were written. Any text goes: what is not understood is
 * shown as it stands. At most `maxRows` rows; `lines` says how many lines of the text are in them, whole.
 */
export function markdownRows(
	text: Safe,
	width: number,
	maxRows = Number.POSITIVE_INFINITY,
): {rows: Line[]; lines: number} {
	const rows: Line[] = [];
	let lines = 0;
	let openFence = '';
	let start = 0;
	while (start <= text.length && rows.length < maxRows) {
		const feed = text.indexOf('\n', start);
		const end = feed === -1 ? text.length : feed;
		const line = stillSafe(text.slice(start, end));
		start = end + 1;
		const mark = fence.exec(line)?.[1];
		if (openFence !== '') {
			const isEnd = mark?.startsWith(openFence) && line.trim() === mark;
			rows.push([{text: cutEnd(line, width), tone: isEnd ? 'dim' : 'code'}]);
			if (isEnd) openFence = '';
		} else if (mark) {
			openFence = mark;
			rows.push([{text: cutEnd(line, width), tone: 'dim'}]);
		} else {
			const made = proseRows(line, width, maxRows - rows.length + 1);
			const room = maxRows - rows.length;
			rows.push(...made.slice(0, room));
			if (made.length > room) break;
		}
		lines++;
	}
	return {rows, lines};
}

function proseRows(line: Safe, width: number, maxRows: number): Line[] {
	if (heading.test(line)) return wrapSpans(inlineSpans(line, {tone: 'heading', bold: true}), width, maxRows);
	if (rule.test(line)) return [[{text: stillSafe('\u2500'.repeat(Math.max(1, width))), tone: 'border'}]];
	if (line.startsWith('|')) return [[{text: cutEnd(line, width)}]];
	const listed = item.exec(line);
	if (listed) {
		const [before, indent = '', bullet = ''] = listed;
		const lead: Span[] = [{text: stillSafe(indent)}, {text: stillSafe(`${bullet} `), tone: 'accent'}];
		return hang(
			lead,
			indent.length + bullet.length + 1,
			stillSafe(line.slice(before.length)),
			width,
			maxRows,
			{},
		);
	}
	const quoted = quote.exec(line)?.[1];
	if (quoted) {
		const depth = quoted.replaceAll(' ', '').length;
		const bar: Span = {text: stillSafe('\u2502 '.repeat(depth)), tone: 'border'};
		const rest = stillSafe(line.slice(quote.exec(line)?.[0].length ?? 0));
		const rows = wrapSpans(inlineSpans(rest, {tone: 'dim'}), Math.max(1, width - depth * 2), maxRows);
		return width > depth * 2 ? rows.map(row => [bar, ...row]) : rows;
	}
	return wrapSpans(inlineSpans(line), width, maxRows);
}

/** Rows that hang under their first one. A lead that leaves too little room is given up. */
function hang(
	lead: readonly Span[],
	columns: number,
	text: Safe,
	width: number,
	maxRows: number,
	look: Omit<Span, 'text'>,
): Line[] {
	const room = width - columns;
	if (room < 8) return wrapSpans([...lead, ...inlineSpans(text, look)], width, maxRows);
	const under: Span = {text: stillSafe(' '.repeat(columns))};
	return wrapSpans(inlineSpans(text, look), room, maxRows).map((row, index) =>
		index === 0 ? [...lead, ...row] : [under, ...row],
	);
}

/** Rows of text that isn't markdown: output of tools, reasoning. */
export function plainRows(
	text: Safe,
	width: number,
	maxRows: number,
	look: Omit<Span, 'text'>,
): {rows: Line[]; lines: number} {
	const rows: Line[] = [];
	let lines = 0;
	for (const line of linesOf(text)) {
		const room = maxRows - rows.length;
		if (room <= 0) break;
		const made = wrapSpans([{...look, text: line}], width, room + 1);
		rows.push(...made.slice(0, room));
		if (made.length > room) break;
		lines++;
	}
	return {rows, lines};
}

function* linesOf(text: Safe): Generator<Safe> {
	let start = 0;
	while (start <= text.length) {
		const feed = text.indexOf('\n', start);
		const end = feed === -1 ? text.length : feed;
		yield end > start ? stillSafe(text.slice(start, end)) : safe``;
		start = end + 1;
	}
}

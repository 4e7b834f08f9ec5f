import type {Line, Span} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {diffSpan, isDiff} from './diff-spans.ts';
import {wrapSpans} from './inline.ts';

/** Rows of a text, and how many of its lines they contain completely. */
export type TextRows = {readonly rows: Line[]; readonly lines: number};

/** Rows of text that isn't markdown: tool output, reasoning. Colors unified diffs. */
export function plainRows(text: Safe, width: number, maxRows: number, look: Omit<Span, 'text'>): TextRows {
	const rows: Line[] = [];
	let lines = 0;
	const isColored = look.tone === 'code' && isDiff(text);
	for (const line of linesOf(text)) {
		const room = maxRows - rows.length;
		if (room <= 0) break;
		const made = wrapSpans([isColored ? diffSpan(line) : {...look, text: line}], width, room + 1);
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

import type {Line, Span} from './line.ts';
import {type Safe, stillSafe} from './safe.ts';
import {wrapText} from './wrap.ts';

/** Code in backticks (at most 200 characters), or words in double asterisks that stand like words. */
const marked =
	/(`+)(?!`)([^`\n]{1,200})\1(?!`)|(?<![\w/*.-])\*\*(?=[^\s*])([^*\n]{1,200})(?<=\S)\*\*(?![\w/*])/g;

/** A line of prose as spans: inline code and bold are told apart, their marks dropped. Linear in its length. */
export function inlineSpans(text: Safe, look: Omit<Span, 'text'> = {}): Span[] {
	const spans: Span[] = [];
	let end = 0;
	const add = (piece: string, more: Omit<Span, 'text'> = {}) => {
		if (piece !== '') spans.push({...look, ...more, text: stillSafe(piece)});
	};
	for (const match of text.matchAll(marked)) {
		add(text.slice(end, match.index));
		if (match[2] !== undefined) add(match[2], {tone: 'code'});
		else add(match[3] ?? '', {bold: true});
		end = match.index + match[0].length;
	}
	add(text.slice(end));
	return spans;
}

/** Wraps spans as one text; each keeps its look in every row it reaches. */
export function wrapSpans(spans: readonly Span[], width: number, maxRows: number): Line[] {
	const text = stillSafe(spans.map(part => part.text).join(''));
	const rows = wrapText(text, width, maxRows);
	let position = 0;
	let index = 0;
	let start = 0;
	return rows.map(row => {
		// Only spaces are lost between rows; a row that holds a replaced character keeps its words and loses its look.
		while (text[position] === ' ' && !text.startsWith(row, position)) position++;
		if (!text.startsWith(row, position)) return [{text: row}];
		const line: Span[] = [];
		const end = position + row.length;
		while (position < end) {
			const part = spans[index] as Span;
			const stop = Math.min(end, start + part.text.length);
			if (stop > position) line.push({...part, text: stillSafe(text.slice(position, stop))});
			position = Math.max(position, stop);
			if (start + part.text.length <= end) {
				start += part.text.length;
				index++;
			}
			if (position >= end) break;
		}
		return line;
	});
}

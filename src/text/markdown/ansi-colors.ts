import type {Span, Tone} from '../cells/line.ts';
import {type Safe, stillSafe} from '../cells/safe.ts';

type Look = Omit<Span, 'text'>;

/** What cleaning leaves of a sequence that sets colors, or erases the rest of a line, as grep adds it. */
const sequence = /\u241b\[([\d;]{0,60})([mK])(?!\p{M})/gu;

/** Tones for the eight colors, in the order of their codes. */
const colors: readonly Tone[] = ['dim', 'bad', 'good', 'warn', 'accent', 'user', 'info', 'text'];

/** Splits one line of a tool's output into spans in the tool's own colors; `open` is the look it begins with. */
export function coloredSpans(line: Safe, look: Look, open: Look): {spans: Span[]; open: Look} {
	const spans: Span[] = [];
	let current = open;
	let end = 0;
	const add = (from: number, to: number) => {
		if (to > from) spans.push({...look, ...current, text: stillSafe(line.slice(from, to))});
	};
	for (const {index, 0: whole, 1: codes = '', 2: final} of line.matchAll(sequence)) {
		add(end, index);
		end = index + whole.length;
		if (final === 'm') current = lookAfter(current, codes.split(';').map(Number));
	}
	add(end, line.length);
	return {spans: spans.length > 0 ? spans : [{...look, text: stillSafe('')}], open: current};
}

export function withoutColors(line: Safe): Safe {
	return stillSafe(line.replace(sequence, ''));
}

/** Backgrounds and colors beyond the sixteen are left out: themes keep text readable, and these would not. */
function lookAfter(look: Look, codes: readonly number[]): Look {
	let {tone, bold, inverse} = look;
	for (let index = 0; index < codes.length; index++) {
		const code = codes[index] ?? 0;
		if (code === 0) tone = bold = inverse = undefined;
		else if (code === 1) bold = true;
		else if (code === 2) tone = 'dim';
		else if (code === 7) inverse = true;
		else if (code === 22) bold = undefined;
		else if (code === 27) inverse = undefined;
		else if (code >= 30 && code <= 37) tone = colors[code - 30];
		else if (code >= 90 && code <= 97) tone = colors[code - 90];
		else if (code === 39) tone = undefined;
		else if (code === 38 || code === 48) index += codes[index + 1] === 2 ? 4 : 2;
	}
	return {...(tone && {tone}), ...(bold && {bold}), ...(inverse && {inverse})};
}

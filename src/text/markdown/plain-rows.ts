import type {Line, Span, Tone} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {coloredSpans} from './ansi-colors.ts';
import {wrapSpans} from './inline.ts';

/** Rows of a text, and how many of its lines they contain completely. */
export type TextRows = {readonly rows: Line[]; readonly lines: number};

/** Rows of text that isn't markdown: tool output, reasoning. Colors unified diffs, and output as its tool did. */
export function plainRows(
	text: Safe,
	width: number,
	maxRows: number,
	look: Omit<Span, 'text'>,
	isColoredDiff = look.tone === 'code' && isDiff(text),
): TextRows {
	const rows: Line[] = [];
	let lines = 0;
	const isOutput = look.tone === 'code' || look.tone === 'bad';
	let open: Omit<Span, 'text'> = {};
	const spansOf = (line: Safe): Span[] => {
		if (isColoredDiff) return diffSpans(line);
		if (!isOutput) return [{...look, text: line}];
		const colored = coloredSpans(line, look, open);
		open = colored.open;
		return colored.spans;
	};
	for (const line of linesOf(text)) {
		const room = maxRows - rows.length;
		if (room <= 0) break;
		const wrapped = wrapSpans(spansOf(line), width, room + 1);
		rows.push(...wrapped.slice(0, room));
		if (wrapped.length > room) break;
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

/** How far into a text to search for the first hunk, in UTF-16 units. */
const maxSearch = 4000;
const hunk = /^@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/m;

const fence = /^ {0,3}(?:`{3}|~{3})/m;

/** Whether this is a unified diff, by its first hunk; one inside a fence doesn't count. */
export function isDiff(text: string): boolean {
	const beginning = text.slice(0, maxSearch);
	const at = beginning.search(hunk);
	return at >= 0 && !fence.test(beginning.slice(0, at));
}

/** One line of a unified diff, colored by its kind; the blanks at the end of a changed one can be seen. */
export function diffSpans(line: Safe): Span[] {
	const tone = toneOf(line);
	if (tone !== 'good' && tone !== 'bad') return [{text: line, tone}];
	const [text, end] = splitLineEnd(line);
	return [{text, tone}, ...end];
}

function toneOf(line: string): Tone {
	if (/^(?:\+\+\+ |--- |diff |index |new file|deleted file|rename |similarity )/.test(line)) return 'strong';
	if (line.startsWith('@@')) return 'info';
	if (line.startsWith('+')) return 'good';
	return line.startsWith('-') ? 'bad' : 'code';
}

const returnSign = '\u240d';

/** The lines of a diff, raw, with a sign for the carriage return at their end; without it if all lines of code have one. */
export function withReturnSigns(lines: readonly string[]): readonly string[] {
	const isCode = (line: string) => /^[-+ ]/.test(line) && !/^(?:---|\+\+\+) /.test(line);
	const isDifferent = lines.some(line => isCode(line) && !line.endsWith('\r'));
	return lines.map(line => line.replace(/\r$/, isDifferent ? returnSign : ''));
}

/** A fence for a diff, its mark, and what it holds, up to the end of an open one. */
const diffFence =
	/^( {0,3}(`{3,}|~{3,})[ \t]*(?:diff|patch|udiff)[ \t]*\r?\n)([\s\S]*?)(?=^ {0,3}\2|(?![\s\S]))/gim;

/** Markdown, raw, with the same signs in its fenced diffs. */
export function withSignsInDiffs(markdown: string): string {
	if (!markdown.includes('\r')) return markdown;
	return markdown.replace(
		diffFence,
		(_, head: string, _mark, code: string) => head + withReturnSigns(code.split('\n')).join('\n'),
	);
}

/** A changed line without its end, and the end so that it can be seen: blanks, and the sign of a carriage return. */
export function splitLineEnd(line: Safe): readonly [text: Safe, end: readonly Span[]] {
	const at = line.search(/ *\u240d?$/);
	const end = stillSafe(line.slice(at).replaceAll(' ', '·'));
	return [stillSafe(line.slice(0, at)), end === '' ? [] : [{text: end, tone: 'dim', isDecoration: true}]];
}

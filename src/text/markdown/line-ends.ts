import type {Span} from '../cells/line.ts';
import {type Safe, stillSafe} from '../cells/safe.ts';

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

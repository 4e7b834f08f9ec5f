import type {Span, Tone} from '../cells/line.ts';
import type {Safe} from '../cells/safe.ts';

/** How far into a text to search for the first hunk, in UTF-16 units. */
const lookedAt = 4000;
const hunk = /^@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/m;

const fence = /^ {0,3}(?:`{3}|~{3})/m;

/**
 * Is this the output of `diff -u` or `git diff`? Detected by its first hunk; a hunk inside a fence doesn't
 * count.
 */
export function isDiff(text: string): boolean {
	const looked = text.slice(0, lookedAt);
	const at = looked.search(hunk);
	return at >= 0 && !fence.test(looked.slice(0, at));
}

/** One line of a unified diff, colored by its kind. */
export function diffSpan(line: Safe): Span {
	return {text: line, tone: toneOf(line)};
}

function toneOf(line: string): Tone {
	if (/^(?:\+\+\+ |--- |diff |index |new file|deleted file|rename |similarity )/.test(line)) return 'strong';
	if (line.startsWith('@@')) return 'info';
	if (line.startsWith('+')) return 'good';
	return line.startsWith('-') ? 'bad' : 'code';
}

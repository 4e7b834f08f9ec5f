import type {Span, Tone} from './line.ts';
import type {Safe} from './safe.ts';

/** How far into a text its first hunk is looked for. */
const lookedAt = 4000;
const hunk = /^@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/m;

const fence = /^ {0,3}(?:`{3}|~{3})/m;

/** Is this the output of `diff -u` or `git diff`? Told by its first hunk; one inside a fence is a part of a text. */
export function isDiff(text: string): boolean {
	const looked = text.slice(0, lookedAt);
	const at = looked.search(hunk);
	return at >= 0 && !fence.test(looked.slice(0, at));
}

/** One line of a unified diff in the look of what it says. */
export function diffSpan(line: Safe): Span {
	return {text: line, tone: toneOf(line)};
}

function toneOf(line: string): Tone {
	if (/^(?:\+\+\+ |--- |diff |index |new file|deleted file|rename |similarity )/.test(line)) return 'strong';
	if (line.startsWith('@@')) return 'info';
	if (line.startsWith('+')) return 'good';
	return line.startsWith('-') ? 'bad' : 'code';
}

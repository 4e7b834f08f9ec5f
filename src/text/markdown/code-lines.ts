import type {Span, Tone} from '../cells/line.ts';
import {type Safe, stillSafe} from '../cells/safe.ts';
import {isLanguage, type ScopedCode, scopedCode} from './code-grammars.ts';
import {diffSpans} from './plain-rows.ts';

/** Code of one block beyond this many UTF-16 units is not colored. */
const maxColored = 16_000;
/** Lines that are data rather than readable code are not colored: grammars take the square of their length. */
const maxLineLength = 500;
const unreadable = /\S{120}/;
/** Lines that are colored at once. */
const chunkLines = 40;

/** Complete chunks by language and code: of a block that grows, only the last one is colored again. */
const chunks = new Map<string, readonly Span[][]>();
const maxChunks = 60;

let isColored = true;

/** Turns the colors of code on or off. The first frame does without: loading the grammars would take a quarter of it. */
export function setCodeColors(isOn: boolean): void {
	isColored = isOn;
}

/** Scopes of highlight.js by their tone; all others are plain code. */
const scopes = {
	accent: ['keyword', 'bullet', 'name', 'selector-tag'],
	info: [
		'built_in',
		'type',
		'link',
		'selector-attr',
		'selector-pseudo',
		'attr',
		'attribute',
		'property',
		'variable',
		'template-variable',
	],
	warn: ['literal', 'number'],
	good: ['string', 'regexp', 'symbol', 'char', 'code', 'addition'],
	dim: ['comment', 'quote', 'meta'],
	strong: ['doctag', 'strong', 'emphasis'],
	user: ['title', 'selector-class', 'selector-id'],
	heading: ['section'],
	bad: ['deletion'],
} as const satisfies Partial<Record<Tone, readonly string[]>>;
const tones: ReadonlyMap<string, Tone> = new Map(
	Object.entries(scopes).flatMap(([tone, names]) => names.map(name => [name, tone as Tone] as const)),
);

/** A diff as a language. */
export const diffName = /^(?:diff|patch|udiff)$/i;

/** The lines of a code block, colored by its language, if known. No character is lost but blanks, which a diff marks. */
export function* codeLines(code: Safe, language: string): Generator<readonly Span[]> {
	const lines = code.split('\n').map(stillSafe);
	const isDiff = diffName.test(language);
	const isKnown = isColored && !isDiff && language !== '' && isLanguage(language);
	const readable = isKnown ? lines.slice(0, countWithin(lines, maxColored)) : [];
	for (let start = 0; start < lines.length; ) {
		const line = lines[start] as Safe;
		if (start < readable.length && isReadable(line)) {
			const colored = coloredFrom(readable, start, language);
			yield* colored;
			start += colored.length;
		} else {
			yield isDiff ? diffSpans(line) : [{text: line, tone: 'code'}];
			start++;
		}
	}
}

function countWithin(lines: readonly Safe[], maxLength: number): number {
	let length = 0;
	const end = lines.findIndex(line => {
		length += line.length;
		return length > maxLength;
	});
	return end === -1 ? lines.length : end;
}

function isReadable(line: string): boolean {
	return line.length <= maxLineLength && !unreadable.test(line);
}

/**
 * Colors lines up to one where the grammar is back at its start, so that later lines can be colored without them.
 * More lines at the end of the code change nothing before the last such line.
 */
function coloredFrom(lines: readonly Safe[], start: number, language: string): readonly Span[][] {
	const unreadableAt = lines.findIndex((line, index) => index > start && !isReadable(line));
	const limit = unreadableAt === -1 ? lines.length : unreadableAt;
	for (let count = chunkLines; ; count *= 2) {
		const end = Math.min(start + count, limit);
		const code = lines.slice(start, end).join('\n');
		const key = `${language}\n${code}`;
		const known = chunks.get(key);
		if (known) return known;
		const {pieces, isComplete} = scopedCode(code, language);
		if (!isComplete && end < limit) continue;
		const colored = linesOf(pieces);
		if (end < limit) {
			if (chunks.size >= maxChunks) chunks.clear();
			chunks.set(key, colored);
		}
		return colored;
	}
}

function linesOf(pieces: readonly ScopedCode[]): Span[][] {
	let line: Span[] = [];
	const lines = [line];
	for (const {text, scope} of pieces)
		for (const [index, part] of text.split('\n').entries()) {
			if (index > 0) {
				line = [];
				lines.push(line);
			}
			const tone = toneOf(scope);
			const last = line.at(-1);
			if (last?.tone === tone) line[line.length - 1] = {text: stillSafe(last.text + part), tone};
			else if (part !== '') line.push({text: stillSafe(part), tone});
		}
	return lines;
}

function toneOf(scope = ''): Tone {
	return tones.get(scope) ?? tones.get(scope.split('.', 1)[0] ?? '') ?? 'code';
}

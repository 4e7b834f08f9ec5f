import {eachGrapheme, graphemes} from '../cells/graphemes.ts';

/** Index of the grapheme boundary before `index`; 0 at the start. */
export function previousBoundary(text: string, index: number): number {
	if (text[index - 1] === '\n') return index - 1;
	const last = graphemes(text.slice(lineStart(text, index), index)).at(-1);
	return index - (last?.length ?? 0);
}

/** Index of the grapheme boundary after `index`. */
export function nextBoundary(text: string, index: number): number {
	if (text[index] === '\n') return index + 1;
	return index + firstBoundary(text.slice(index, lineEnd(text, index)), 1);
}

/** The nearest grapheme boundary at or after `index`: inserted text may combine with its surroundings. */
export function nearestBoundary(text: string, index: number): number {
	const start = lineStart(text, index);
	return start === index
		? index
		: start + firstBoundary(text.slice(start, lineEnd(text, index)), index - start);
}

/** The first boundary of a line at or after an index. Scans only once, as a line may be long. */
function firstBoundary(line: string, index: number): number {
	let boundary = 0;
	eachGrapheme(line, (grapheme, at) => {
		boundary = at + grapheme.length;
		return boundary < index ? undefined : false;
	});
	return boundary;
}

export function lineStart(text: string, index: number): number {
	return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}

export function lineEnd(text: string, index: number): number {
	const feed = text.indexOf('\n', index);
	return feed === -1 ? text.length : feed;
}

function wordBefore(text: string, index: number): number {
	return index - wordLength(graphemes(text.slice(0, index)).reverse());
}

function wordAfter(text: string, index: number): number {
	return index + wordLength(graphemes(text.slice(index)));
}

function isOfWord(grapheme: string): boolean {
	return /[\p{L}\p{N}\p{M}_\u{f0000}-\u{ffffd}]/u.test(grapheme);
}

/** Length of the first word and of what is before it, in UTF-16 units. */
function wordLength(parts: readonly string[]): number {
	const start = parts.findIndex(isOfWord);
	const end = start < 0 ? -1 : parts.findIndex((grapheme, at) => at > start && !isOfWord(grapheme));
	return parts.slice(0, end < 0 ? undefined : end).join('').length;
}

/** Start of the text between `index` and the last white space before it, which Ctrl+W deletes in a shell. */
function blankBefore(text: string, index: number): number {
	let start = text.slice(0, index).trimEnd().length;
	while (start > 0 && !/\s/.test(text.charAt(start - 1))) start--;
	return start;
}

export const motions = {
	left: previousBoundary,
	right: nextBoundary,
	'word-left': wordBefore,
	'word-right': wordAfter,
	'line-start': lineStart,
	'line-end': lineEnd,
	'text-start': () => 0,
	'text-end': (text: string) => text.length,
};

type Range = (text: string, cursor: number) => readonly [start: number, end: number];

/** The range that each deletion removes. */
export const deletions = {
	'delete-back': (text, cursor) => [previousBoundary(text, cursor), cursor],
	'delete-forward': (text, cursor) => [cursor, nextBoundary(text, cursor)],
} satisfies Record<string, Range>;

/** The range that each kill removes; the removed text can be yanked. */
export const kills = {
	'delete-word-back': (text, cursor) => [wordBefore(text, cursor), cursor],
	'delete-blank-back': (text, cursor) => [blankBefore(text, cursor), cursor],
	'delete-word-forward': (text, cursor) => [cursor, wordAfter(text, cursor)],
	'delete-to-line-start': (text, cursor) => [lineStart(text, cursor), cursor],
	// At the end of a line, its line feed.
	'delete-to-line-end'(text, cursor) {
		const end = lineEnd(text, cursor);
		return [cursor, end === cursor ? Math.min(end + 1, text.length) : end];
	},
	clear: text => [0, text.length],
} satisfies Record<string, Range>;

/** Whether an action is one of the keys of `motions`, `deletions` or `kills`. */
export function isKeyOf<Actions extends object>(actions: Actions, type: PropertyKey): type is keyof Actions {
	return Object.hasOwn(actions, type);
}

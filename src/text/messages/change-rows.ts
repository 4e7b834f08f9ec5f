import {diffWordsWithSpace} from 'diff';
import {cleanLine} from '../cells/clean.ts';
import {fitLine, type Line, type Span, type Tint, type Tone, tinted} from '../cells/line.ts';
import {safe, stillSafe} from '../cells/safe.ts';
import {codeLines} from '../markdown/code-lines.ts';
import {wrapSpans} from '../markdown/inline.ts';
import {splitLineEnd, withReturnSigns} from '../markdown/plain-rows.ts';
import {expandedRows, indented, markedRows, moreLines} from './collapsed-rows.ts';
import {type ChangeLine, type FileChange, patchedFiles} from './file-change.ts';
import {languageOf} from './patch-lines.ts';

const maxLineLength = 10_000;
/** Further replaced lines aren't compared by word, which takes up to some ms each. */
const maxPairs = 200;
/** Rows of many lines that are only added or only removed. */
const newRows = 8;
/** A narrower change has no line numbers. */
const minWidthWithNumbers = 30;

type Sign = '+' | '-' | ' ';
type Look = {readonly tone: Tone; readonly tint?: Tint; readonly wordTint?: Tint};
const looks: Readonly<Record<Sign, Look>> = {
	'+': {tone: 'good', tint: 'added', wordTint: 'addedWords'},
	'-': {tone: 'bad', tint: 'removed', wordTint: 'removedWords'},
	' ': {tone: 'dim'},
};
const otherTones: Readonly<Record<string, Tone>> = {'@': 'info', '*': 'dim', '\\': 'dim'};

/** The file that a call's input changes: the first one of several. */
export function changedPath(input: unknown): string {
	const {file_path, filePath, path, absolute_path} = Object(input);
	const named: unknown = file_path ?? filePath ?? path ?? absolute_path;
	return typeof named === 'string' ? named : (patchedFiles(input)[0] ?? '');
}

/** The added and removed lines of a change, colored by the file's language. */
export function changeRows(lines: readonly ChangeLine[], path: string, width: number): Line[] {
	return markedRows(drawnLines(lines, path, width, expandedRows).rows.flat(), width);
}

/**
 * The same of a change of up to `maxRows` rows, without the indent that all its lines have. A longer one is cut
 * between changes, or inside of its first one.
 */
export function collapsedChange({lines}: FileChange, path: string, width: number, maxRows: number): Line[] {
	const changed = withoutHeads(lines);
	const first = dedented(changed.slice(0, maxRows));
	const drawn = drawnLines(first, path, width, maxRows);
	if (changed.length === drawn.whole) return markedRows(drawn.rows.flat(), width);
	const budget = Math.ceil((maxRows * 2) / 3);
	let end = 0;
	for (const stop of ends(changed, maxRows)) {
		if (stop > drawn.whole || drawn.rows.slice(0, stop).flat().length > budget) break;
		end = stop;
	}
	if (first.slice(0, end).some(isChanged))
		return [...markedRows(drawn.rows.slice(0, end).flat(), width), ...countRow(changed.length - end, width)];
	return firstOf(changed, path, width, budget);
}

/** The beginning of a change whose first replaced lines are too many: some of them, and some that replace them. */
function firstOf(changed: readonly ChangeLine[], path: string, width: number, budget: number): Line[] {
	const start = Math.max(0, changed.findIndex(isChanged));
	const context = Math.max(0, start - 1);
	const added = runEnd(changed, start, '-');
	const end = runEnd(changed, added, '+');
	const hasBoth = added > start && end > added;
	const room = hasBoth ? Math.floor(budget / 2) : Math.min(budget, newRows);
	const parts = hasBoth
		? [changed.slice(context, added).slice(0, room), changed.slice(added, end).slice(0, room)]
		: [changed.slice(context, Math.max(end, context + 1)).slice(0, room)];
	const all = dedented(parts.flat());
	const [first = []] = parts;
	const draw = (lines: readonly ChangeLine[], from: number, until: number) => {
		const {rows, whole} = drawnLines(lines, path, width, room);
		// A part of a line is shown only if no line is there whole.
		const shown = rows.slice(0, Math.max(1, whole)).flat();
		return [...markedRows(shown, width), ...countRow(until - from - whole, width)];
	};
	return [
		...countRow(context, width),
		...draw(all.slice(0, first.length), context, hasBoth ? added : changed.length),
		...(hasBoth ? draw(all.slice(first.length), added, changed.length) : []),
	];
}

function countRow(hidden: number, width: number): Line[] {
	const count: Span = {text: moreLines(hidden), tone: 'dim'};
	return hidden > 0 ? indented([fitLine([count], width - 2)], width) : [];
}

/** The end of the lines with a sign from a position on. */
function runEnd(lines: readonly ChangeLine[], from: number, sign: Sign): number {
	let end = from;
	while (signOf(lines[end]) === sign) end++;
	return end;
}

/** The sign of a line of code; undefined for the other lines of a patch. */
function signOf(line: ChangeLine | undefined): Sign | undefined {
	const sign = line?.isName ? undefined : line?.text[0];
	return sign === '+' || sign === '-' || sign === ' ' ? sign : undefined;
}

function isChanged(line: ChangeLine): boolean {
	return signOf(line) === '+' || signOf(line) === '-';
}

/** Where a change may be cut: behind a line that isn't changed, and behind removed lines with those that replace them. */
function* ends(lines: readonly ChangeLine[], max: number): Generator<number> {
	for (let end = 1; end <= Math.min(max, lines.length); end++) {
		const [last, next] = [signOf(lines[end - 1]), signOf(lines[end])];
		const isInside = (last === '-' && (next === '-' || next === '+')) || (last === '+' && next === '+');
		if (!isInside) yield end;
	}
}

/** The changed lines of a patch and those around them; of its heads, the names of its files if there are several. */
function withoutHeads(lines: readonly ChangeLine[]): readonly ChangeLine[] {
	if (!lines.some(({text}) => /^(?:@@|\*\*\* )/.test(text))) return lines;
	const isNewName = ({text, isName}: ChangeLine) => (isName ? text.startsWith('+') : fileName.test(text));
	const hasSeveral = lines.filter(isNewName).length > 1;
	return lines.filter(line =>
		isNewName(line)
			? hasSeveral
			: !line.isName && !/^(?:diff |index |@@|\*\*\* |new |deleted )/.test(line.text),
	);
}

const fileName = /^\*\*\* (?:Add|Update|Delete) File:/;

function dedented(lines: readonly ChangeLine[]): readonly ChangeLine[] {
	const codes = lines.map(({text}) => text).filter(text => text.slice(1).trim() !== '');
	const [first = ''] = codes;
	const indent = /^\s*/.exec(first.slice(1))?.[0] ?? '';
	const common = codes.reduce((max, text) => {
		let length = 0;
		while (length < max && text[length + 1] === indent[length]) length++;
		return length;
	}, indent.length);
	return lines.map(line => ({...line, text: (line.text[0] ?? ' ') + line.text.slice(1 + common)}));
}

/** Rows by line, and how many lines they contain completely. */
type DrawnLines = {readonly rows: readonly (readonly Line[])[]; readonly whole: number};

function drawnLines(lines: readonly ChangeLine[], path: string, width: number, maxRows: number): DrawnLines {
	const shown = lines.slice(0, maxRows);
	const digits = Math.max(0, ...shown.map(({number}) => (number === undefined ? 0 : `${number}`.length)));
	const gutter = digits === 0 || width < minWidthWithNumbers ? 0 : digits + 1;
	const room = Math.max(1, width - 2 - gutter);
	const labelOf = (number: number | undefined): Line =>
		gutter === 0
			? []
			: [
					{
						text: stillSafe(`${number ?? ''}`.padStart(digits).padEnd(gutter)),
						tone: 'dim',
						isDecoration: true,
					},
				];
	const rows: Line[][] = [];
	let left = maxRows;
	let whole = 0;
	for (const [index, {spans, look}] of coloredLines(shown, path).entries()) {
		if (left <= 0) break;
		const all = wrapSpans(spans, Math.max(1, room - (look ? 1 : 0)), left + 1);
		const own = all.slice(0, left).map((row, nth): Line => {
			const line = look && nth === 0 && room > 2 ? spacedOut(row) : row;
			const label = labelOf(nth === 0 ? shown[index]?.number : undefined);
			return tinted([...label, ...line], look?.tint, room + gutter);
		});
		rows.push(own);
		left -= own.length;
		if (all.length === own.length) whole++;
	}
	return {rows, whole};
}

type ColoredLine = {readonly spans: readonly Span[]; readonly look?: Look};

/** Each line with its sign, colored by the file's language, with the words marked that replace others. */
function coloredLines(lines: readonly ChangeLine[], path: string): readonly ColoredLine[] {
	const language = languageOf(path);
	const texts = withReturnSigns(lines.map(({text}) => text));
	const ends: (readonly Span[])[] = [];
	const shown = lines.map((line, index) => {
		const whole = cleanLine(texts[index] ?? '', maxLineLength);
		const [text, end] = isChanged(line) ? splitLineEnd(whole) : [whole, []];
		ends.push(end);
		return {...line, text};
	});
	const side = (sign: Sign) => {
		const own = shown.filter(line => signOf(line) === sign || signOf(line) === ' ');
		return codeLines(stillSafe(own.map(({text}) => text.slice(1)).join('\n')), language);
	};
	const [after, before] = [side('+'), side('-')];
	const words = replacedWords(shown);
	return shown.map((line, index) => {
		const {text} = line;
		const sign = signOf(line);
		if (!sign) return {spans: [{text, tone: line.isName ? 'strong' : (otherTones[text[0] ?? ''] ?? 'code')}]};
		const look = looks[sign];
		const removed = sign === '+' ? undefined : before.next().value;
		const code = (sign === '-' ? undefined : after.next().value) ?? removed ?? [];
		const mark: Span = {text: stillSafe(text.slice(0, 1)), tone: look.tone};
		const ranges = words.get(index) ?? [];
		const colored = look.wordTint ? tintedRanges(code, ranges, look.wordTint) : code;
		return {spans: [mark, ...colored, ...(ends[index] ?? [])], look};
	});
}

/** The words that differ, by index of their line, where equally many lines are added and removed. */
function replacedWords(lines: readonly ChangeLine[]): ReadonlyMap<number, readonly TextRange[]> {
	const words = new Map<number, readonly TextRange[]>();
	for (let at = 0; at < lines.length; ) {
		const added = runEnd(lines, at, '-');
		const end = runEnd(lines, added, '+');
		const count = added - at;
		if (count === end - added && count + words.size / 2 <= maxPairs)
			for (let removed = at; removed < added; removed++) {
				const [lost, gained] = changedWords(
					lines[removed]?.text.slice(1) ?? '',
					lines[removed + count]?.text.slice(1) ?? '',
				);
				words.set(removed, lost).set(removed + count, gained);
			}
		at = Math.max(end, at + 1);
	}
	return words;
}

/** A space after the sign, which isn't part of the code. */
function spacedOut([sign, ...code]: Line): Line {
	return sign ? [sign, {text: safe` `, isDecoration: true}, ...code] : code;
}

/** From and up to, UTF-16 units. */
type TextRange = readonly [from: number, to: number];

/** Longer lines and more differences aren't compared by word. */
const maxLength = 400;
const maxDifferences = 200;
/** Less in common, and the lines are simply different. */
const minCommon = 0.3;

/** The words that differ between a removed line and the one that replaces it; nothing if they are too different. */
function changedWords(before: string, after: string): readonly [readonly TextRange[], readonly TextRange[]] {
	if (Math.max(before.length, after.length) > maxLength) return [[], []];
	const parts = diffWordsWithSpace(before, after, {maxEditLength: maxDifferences}) ?? [];
	const removed: TextRange[] = [];
	const added: TextRange[] = [];
	let [beforeAt, afterAt, common] = [0, 0, 0];
	for (const {value, removed: isRemoved, added: isAdded} of parts) {
		if (isRemoved) addRange(removed, [beforeAt, beforeAt + value.length], before);
		else if (isAdded) addRange(added, [afterAt, afterAt + value.length], after);
		else common += inkOf(value);
		if (!isAdded) beforeAt += value.length;
		if (!isRemoved) afterAt += value.length;
	}
	return common >= minCommon * Math.max(inkOf(before), inkOf(after)) ? [removed, added] : [[], []];
}

/** Adds a range without the spaces at its ends. Ranges with only spaces between them are one. */
function addRange(ranges: TextRange[], [from, to]: TextRange, text: string): void {
	const value = text.slice(from, to);
	const start = value.trim() === '' ? from : from + value.length - value.trimStart().length;
	const end = value.trim() === '' ? to : start + value.trim().length;
	const last = ranges.at(-1);
	if (last && inkOf(text.slice(last[1], start)) === 0) ranges[ranges.length - 1] = [last[0], end];
	else ranges.push([start, end]);
}

function inkOf(text: string): number {
	return text.replace(/\s/g, '').length;
}

/** Spans with a background behind ranges of their text. */
function tintedRanges(spans: readonly Span[], ranges: readonly TextRange[], tint: Tint): readonly Span[] {
	if (ranges.length === 0) return spans;
	let start = 0;
	return spans.flatMap(part => {
		const cuts = ranges.flat().map(at => Math.min(Math.max(at - start, 0), part.text.length));
		const edges = [...new Set([0, ...cuts, part.text.length])];
		const pieces = edges.slice(1).map((to, index): Span => {
			const from = edges[index] ?? 0;
			const isChanged = ranges.some(range => range[0] <= start + from && start + to <= range[1]);
			return {...part, text: stillSafe(part.text.slice(from, to)), tint: isChanged ? tint : part.tint};
		});
		start += part.text.length;
		return pieces;
	});
}

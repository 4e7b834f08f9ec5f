import type {ChangedFile} from '../../domain/sessions/work-folder.ts';
import {cleanLine} from '../cells/clean.ts';
import {takeColumns} from '../cells/cut.ts';
import {textWidth} from '../cells/graphemes.ts';
import {type Line, type Span, span, type Tone} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {codeLines} from '../markdown/code-lines.ts';
import {splitLineEnd, withReturnSigns} from '../markdown/plain-rows.ts';

/** Longest line that is drawn, UTF-16 units. */
const maxLineLength = 4000;

/** A line of a patch: its sign, its number in the file, and its code. */
type PatchLine = {
	readonly sign: '+' | '-' | ' ' | '@' | '\\';
	readonly number?: number;
	readonly hunk: number;
	/** Without the sign, raw. */
	readonly text: string;
};

const linesOfFile = new WeakMap<ChangedFile, readonly PatchLine[]>();

export function patchLines(file: ChangedFile): readonly PatchLine[] {
	const known = linesOfFile.get(file);
	if (known) return known;
	const lines = readLines(file.patch ?? '');
	linesOfFile.set(file, lines);
	return lines;
}

function readLines(patch: string): PatchLine[] {
	if (patch === '') return [];
	let [before, after, hunk] = [0, 0, -1];
	return withReturnSigns(patch.split('\n')).map((line): PatchLine => {
		const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
		if (head) {
			[before, after] = [Number(head[1]), Number(head[2])];
			return {sign: '@', hunk: ++hunk, text: line};
		}
		const text = line.slice(1);
		if (line.startsWith('+')) return {sign: '+', number: after++, hunk, text};
		if (line.startsWith('-')) return {sign: '-', number: before++, hunk, text};
		if (line.startsWith('\\')) return {sign: '\\', hunk, text: line.slice(2)};
		before++;
		return {sign: ' ', number: after++, hunk, text};
	});
}

type Colored = {readonly hunk: number; readonly lines: ReadonlyMap<PatchLine, readonly Span[]>};

/** The hunks that were colored last, by file: those on the screen, and some around it. */
const coloredHunks = new WeakMap<ChangedFile, readonly Colored[]>();
const maxColoredHunks = 40;

/** A line of a patch, `left` columns of its code scrolled away. Lines are cut by whoever draws them. */
export function patchRow(file: ChangedFile, line: PatchLine, left: number, numberWidth: number): Line {
	if (line.sign === '@') return [span(cleanLine(line.text, maxLineLength), 'info')];
	const number = line.number === undefined ? '' : `${line.number}`;
	const isMarked = line.sign === '+' || line.sign === '-';
	const tone: Tone = line.sign === '+' ? 'good' : line.sign === '-' ? 'bad' : 'dim';
	const code = line.sign === '\\' ? [span(codeOf(line), 'dim')] : coloredLine(file, line);
	const end = isMarked ? splitLineEnd(codeOf(line))[1] : [];
	return [
		span(stillSafe(`${number.padStart(numberWidth)} `), isMarked ? tone : 'dim'),
		span(signs[line.sign], tone, {inverse: isMarked}),
		span(safe` `),
		...scrolledSpans([...code, ...end], left),
	];
}

const signs = {'+': safe`+`, '-': safe`-`, ' ': safe` `, '\\': safe` `} as const;

/** Width of the widest line number of a file. */
export function numberWidthOf(file: ChangedFile): number {
	const last = patchLines(file).findLast(({number}) => number !== undefined)?.number ?? 0;
	return Math.max(3, `${last}`.length);
}

function codeOf({text}: PatchLine): Safe {
	return cleanLine(text, maxLineLength);
}

/** The code of a line without the end that is drawn apart. */
function shownCode(line: PatchLine): Safe {
	return line.sign === ' ' ? codeOf(line) : splitLineEnd(codeOf(line))[0];
}

/** A line colored with the others of its side and hunk. */
function coloredLine(file: ChangedFile, line: PatchLine): readonly Span[] {
	const known = coloredHunks.get(file) ?? [];
	let colored = known.find(({hunk}) => hunk === line.hunk);
	if (!colored) {
		colored = colorHunk(file, line.hunk);
		coloredHunks.set(file, [colored, ...known.slice(0, maxColoredHunks - 1)]);
	}
	return colored.lines.get(line) ?? [span(shownCode(line), 'code')];
}

function colorHunk(file: ChangedFile, hunk: number): Colored {
	const own = patchLines(file).filter(line => line.hunk === hunk && line.sign !== '@' && line.sign !== '\\');
	const language = languageOf(file.path);
	const lines = new Map<PatchLine, readonly Span[]>();
	for (const side of [own.filter(({sign}) => sign !== '-'), own.filter(({sign}) => sign === '-')]) {
		const colored = codeLines(stillSafe(side.map(shownCode).join('\n')), language);
		for (const line of side) lines.set(line, colored.next().value ?? []);
	}
	return {hunk, lines};
}

/** The grammar's name for a file's language: most know its extension. */
export function languageOf(path: string): string {
	const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
	return /^(?:docker|make)file$/.test(name) ? name : (/\.(\w+)$/.exec(name)?.[1] ?? '');
}

function scrolledSpans(spans: readonly Span[], left: number): Line {
	if (left === 0) return spans;
	let rest = left;
	return spans.flatMap(part => {
		if (rest <= 0) return [part];
		const hidden = takeColumns(part.text, rest);
		rest = hidden.length === part.text.length ? rest - textWidth(hidden) : 0;
		const text = stillSafe(part.text.slice(hidden.length));
		return text === '' ? [] : [{...part, text}];
	});
}

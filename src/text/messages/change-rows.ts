import {cleanLine} from '../cells/clean.ts';
import {fitLine, type Line, type Span, type Tint, type Tone, tinted} from '../cells/line.ts';
import {safe, stillSafe} from '../cells/safe.ts';
import {codeLines} from '../markdown/code-lines.ts';
import {wrapSpans} from '../markdown/inline.ts';
import {type FileChange, patchedFiles} from './file-change.ts';
import {expandedRows, indented, markedRows, moreLines} from './folded-rows.ts';
import {languageOf} from './patch-lines.ts';

/** A folded change with at most so many rows is shown whole; of a longer one, its beginning. */
const maxWhole = 12;
const beginning = 6;
const maxLineLength = 10_000;

type Sign = '+' | '-' | ' ';
const looks: Readonly<Record<Sign, {readonly tone: Tone; readonly tint?: Tint}>> = {
	'+': {tone: 'good', tint: 'added'},
	'-': {tone: 'bad', tint: 'removed'},
	' ': {tone: 'dim'},
};
const otherTones: Readonly<Record<string, Tone>> = {'@': 'info', '*': 'dim', '\\': 'dim'};

/** The file that a call's input changes: the first one of several. */
export function changedPath(input: unknown): string {
	const {file_path, filePath, path, absolute_path} = Object(input);
	const named: unknown = file_path ?? filePath ?? path ?? absolute_path;
	return typeof named === 'string' ? named : (patchedFiles(input)[0] ?? '');
}

/** What a change adds and removes, colored by the file's language. */
export function changeRows(lines: readonly string[], path: string, width: number): Line[] {
	return markedRows(rowsOf(lines, path, width, expandedRows), width);
}

/** The same of a small change without the indent that all its lines have, or the beginning of a larger one. */
export function foldedChange({lines}: FileChange, path: string, width: number): Line[] {
	const changed = withoutHeads(lines);
	const rows = rowsOf(dedented(changed.slice(0, maxWhole + 1)), path, width, maxWhole + 1);
	if (rows.length <= maxWhole) return markedRows(rows, width);
	const shown = rows.slice(0, beginning);
	const whole = shown.filter(row => !row.some(({piece}) => piece?.above)).length;
	const count: Span = {text: moreLines(changed.length - whole), tone: 'dim'};
	return [...markedRows(shown, width), ...indented([fitLine([count], width - 2)], width)];
}

/** The changed lines of a patch and those around them; of its heads, the names of its files if there are several. */
function withoutHeads(lines: readonly string[]): readonly string[] {
	if (!lines.some(line => /^(?:@@|\*\*\* )/.test(line))) return lines;
	const isOld = (index: number) =>
		lines[index]?.startsWith('--- ') === true && lines[index + 1]?.startsWith('+++ ') === true;
	const isName = (line: string, index: number) => isOld(index - 1) || fileName.test(line);
	const hasSeveral = lines.filter(isName).length > 1;
	return lines.filter((line, index) =>
		isName(line, index)
			? hasSeveral
			: !isOld(index) && !/^(?:diff |index |@@|\*\*\* |new |deleted )/.test(line),
	);
}

const fileName = /^\*\*\* (?:Add|Update|Delete) File:/;

function dedented(lines: readonly string[]): readonly string[] {
	const codes = lines.filter(line => line.slice(1).trim() !== '');
	const [first = ''] = codes;
	const indent = /^\s*/.exec(first.slice(1))?.[0] ?? '';
	const common = codes.reduce((max, line) => {
		let length = 0;
		while (length < max && line[length + 1] === indent[length]) length++;
		return length;
	}, indent.length);
	return lines.map(line => (line[0] ?? ' ') + line.slice(1 + common));
}

function rowsOf(lines: readonly string[], path: string, width: number, maxRows: number): Line[] {
	const room = Math.max(1, width - 2);
	const language = languageOf(path);
	const shown = lines.slice(0, maxRows).map(line => cleanLine(line.replace(/\r$/, ''), maxLineLength));
	const side = (sign: Sign) => {
		const own = shown.filter(line => line.startsWith(sign) || line.startsWith(' '));
		return codeLines(stillSafe(own.map(line => line.slice(1)).join('\n')), language);
	};
	const [after, before] = [side('+'), side('-')];
	const rows: Line[] = [];
	for (const line of shown) {
		const left = maxRows - rows.length;
		if (left <= 0) break;
		const look = looks[line[0] as Sign];
		if (!look) {
			rows.push(...wrapSpans([{text: line, tone: otherTones[line[0] ?? ''] ?? 'code'}], room, left));
			continue;
		}
		const removed = line.startsWith('+') ? undefined : before.next().value;
		const code = (line.startsWith('-') ? undefined : after.next().value) ?? removed ?? [];
		const sign: Span = {text: stillSafe(line.slice(0, 1)), tone: look.tone};
		const wrapped = wrapSpans([sign, ...code], Math.max(1, room - 1), left);
		rows.push(
			...wrapped.map((row, index) => tinted(index === 0 && room > 2 ? spacedOut(row) : row, look.tint, room)),
		);
	}
	return rows;
}

/** A space after the sign, which isn't part of the code. */
function spacedOut([sign, ...code]: Line): Line {
	return sign ? [sign, {text: safe` `, isDecoration: true}, ...code] : code;
}

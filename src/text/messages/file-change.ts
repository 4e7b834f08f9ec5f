import {structuredPatch} from 'diff';
import {cutMark} from '../../domain/messages/message.ts';
import {isDiff} from '../markdown/plain-rows.ts';

/**
 * A line with `+`, `-` or a space before it, and its number in the file, if known: of a removed line, before the change.
 * `isName`: the name of a file before or after the change, in a patch.
 */
export type ChangeLine = {readonly text: string; readonly number?: number; readonly isName?: true};

/** A call's change of a file, and the number of lines added and removed. */
export type FileChange = {
	readonly lines: readonly ChangeLine[];
	readonly added: number;
	readonly removed: number;
	/** Whether there are more lines than the client or service has sent. */
	readonly isCut?: boolean;
};

/** The fields that a change is read from. */
export const changeFields =
	/^(?:(?:old|new)_?(?:str|string|text)|contents?|file_text|edits|patch|diff|input)$/i;

/** Longer sides, UTF-16 units, are shown as removed and added whole. */
const maxDiffLength = 20_000;

/**
 * A call's change of a file: from its result if that is a diff, otherwise from its input. Undefined if it changes
 * none. `firstChange` is its first changed line, if the client gave its number beside the result.
 */
export function fileChange(
	name: string,
	input: unknown,
	result: string | undefined,
	firstChange?: ChangeLine,
): FileChange | undefined {
	if (result !== undefined && isDiff(result)) return changeOf(result.replace(/\n+$/, '').split('\n'));
	if (typeof input === 'string') return isPatch(input) ? changeOf(input.split('\n')) : undefined;
	if (typeof input !== 'object' || input === null) return undefined;
	const fields: Partial<Record<string, unknown>> = input;
	const patch = patchIn(fields);
	if (patch !== undefined) return changeOf(patch.trimEnd().split('\n'));
	const edits: readonly unknown[] = Array.isArray(fields.edits) ? fields.edits : [fields];
	const isOne = edits.length === 1;
	const changes = edits.flatMap(edit => replacement(edit, isOne ? {result, firstChange} : {}) ?? []);
	if (changes.length > 0) return sum(changes);
	const content = fields.content ?? fields.file_text ?? fields.contents;
	const isWritten = /^(?:write|create)/i.test(name) && typeof content === 'string';
	return isWritten ? between('', content) : undefined;
}

function patchIn({patch, diff, input}: Partial<Record<string, unknown>>): string | undefined {
	return [patch, diff, input].find(isPatch);
}

export function patchedFiles(input: unknown): string[] {
	const patch = isPatch(input) ? input : patchIn(Object(input));
	const names = changeOf((patch ?? '').split('\n')).lines.flatMap(({text, isName}) => {
		const [, mark, name = ''] = /^(\*\*\* (?:Add|Update|Delete) File:|\+\+\+) (?:b\/)?(.+)$/.exec(text) ?? [];
		return mark === undefined || (mark === '+++' && !isName) ? [] : [name.trim()];
	});
	return [...new Set(names)].slice(0, 20);
}

/** Where the numbers of a change's lines may be known from. */
type NumberSource = {
	/** It may show the changed lines with their numbers. */
	readonly result?: string | undefined;
	readonly firstChange?: ChangeLine | undefined;
};

function replacement(edit: unknown, {result = '', firstChange}: NumberSource): FileChange | undefined {
	if (typeof edit !== 'object' || edit === null) return undefined;
	const fields: Partial<Record<string, unknown>> = edit;
	const before = fields.old_string ?? fields.old_str ?? fields.oldString ?? fields.oldText ?? fields.old_text;
	const after = fields.new_string ?? fields.new_str ?? fields.newString ?? fields.newText ?? fields.new_text;
	if (typeof before !== 'string' || typeof after !== 'string') return undefined;
	const change = between(before, after);
	const isEverywhere = (fields.replace_all ?? fields.replaceAll) === true;
	const start = isEverywhere ? undefined : (firstNumber(after, result) ?? startBy(firstChange, change));
	const lines = change.lines.map(
		({text, number}): ChangeLine =>
			start === undefined || number === undefined ? {text} : {text, number: start - 1 + number},
	);
	return {...change, lines};
}

/** The line number at which a change begins, given that of its first changed line. */
function startBy(known: ChangeLine | undefined, {lines}: FileChange): number | undefined {
	const first = lines.find(({text}) => /^[-+]/.test(text));
	if (known?.number === undefined || first?.number === undefined) return undefined;
	// Claude Code writes tabs as spaces, and the replaced text may begin and end inside of a line.
	const bare = (line: ChangeLine) => line.text.slice(1).replace(/\s+/g, '');
	if (known.text[0] !== first.text[0] || !bare(known).includes(bare(first))) return undefined;
	return known.number - first.number + 1;
}

/** A line as Claude Code (`  12\u2192`) and opencode (`00012| `) number it. */
export const numberedLine = /^ *(\d+)(?:\u2192|\t|\| )(.*)$/;

/** The number of the first line of a text in a result that shows it once, with line numbers. */
function firstNumber(text: string, result: string): number | undefined {
	if (text.trim() === '' || result.length > maxDiffLength) return undefined;
	const shown = result.split('\n').flatMap(line => {
		const [, number, code = ''] = numberedLine.exec(line) ?? [];
		return number === undefined ? [] : [{number: Number(number), code}];
	});
	const lines = linesOf(text);
	const last = lines.length - 1;
	const starts = shown.filter(({number}, start) =>
		lines.every((line, index) => {
			const at = shown[start + index];
			if (at?.number !== number + index) return false;
			// The replaced text may begin and end inside of a line.
			if (last === 0) return at.code.includes(line);
			if (index === 0) return at.code.endsWith(line);
			return index === last ? at.code.startsWith(line) : at.code === line;
		}),
	);
	return starts.length === 1 ? starts[0]?.number : undefined;
}

function isPatch(value: unknown): value is string {
	return typeof value === 'string' && (isDiff(value) || value.trimStart().startsWith('*** Begin Patch'));
}

/** Counts and numbers the changed lines of a patch, without the names of its files. */
function changeOf(texts: readonly string[]): FileChange {
	let [added, removed] = [0, 0];
	let isInHunk = false;
	/** The line after a file's name before the change has its name after it. */
	let newNameAt = -1;
	let next: HunkPosition | undefined;
	const lines = texts.map((text, index): ChangeLine => {
		const isHead = /^(?:@@|\*\*\* (?:Add|Update|Delete) File)/.test(text);
		if (isOldName(texts, index, next)) newNameAt = index + 1;
		if (newNameAt === index || newNameAt === index + 1) {
			isInHunk = false;
			next = undefined;
			return {text, isName: true};
		}
		if (text.startsWith('diff ')) {
			isInHunk = false;
			next = undefined;
		} else if (isHead) {
			isInHunk = true;
			next = hunkStart(text);
		} else if (isInHunk && text.startsWith('+')) {
			added++;
			return next ? {text, number: next.after++} : {text};
		} else if (isInHunk && text.startsWith('-')) {
			removed++;
			return next ? {text, number: next.before++} : {text};
		} else if (isInHunk && next && !text.startsWith('\\')) {
			next.before++;
			return {text, number: next.after++};
		}
		return {text};
	});
	return {lines, added, removed};
}

/** The numbers of a hunk's next lines before and after the change, and those where it ends. */
type HunkPosition = {before: number; after: number; readonly beforeEnd: number; readonly afterEnd: number};

/** Where a hunk begins and ends, by its head; undefined if that doesn't say. */
function hunkStart(head: string): HunkPosition | undefined {
	const match = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(head);
	if (!match) return undefined;
	const [before = 0, beforeCount = 1, after = 0, afterCount = 1] = match
		.slice(1)
		.map(digits => (digits === undefined ? undefined : Number(digits)));
	return {before, after, beforeEnd: before + beforeCount, afterEnd: after + afterCount};
}

/** Whether a line has the name of a file before the change: in a hunk, it is a removed line that begins with dashes. */
function isOldName(texts: readonly string[], index: number, hunk: HunkPosition | undefined): boolean {
	if (!texts[index]?.startsWith('--- ') || !texts[index + 1]?.startsWith('+++ ')) return false;
	const [removable, addable] = hunk ? [hunk.beforeEnd - hunk.before, hunk.afterEnd - hunk.after] : [0, 0];
	if (removable < 1 || addable < 1) return true;
	// An agent may have counted wrong: the lines right before a hunk are file names, unless they end the previous hunk.
	return texts[index + 2]?.startsWith('@@') === true && (removable > 1 || addable > 1);
}

const noLineFeed = '\\ no line feed at the end';

/** A change of one text into another; its lines are numbered as in these texts. */
function between(before: string, after: string): FileChange {
	const patch =
		before.length + after.length > maxDiffLength
			? undefined
			: structuredPatch('', '', before, after, '', '', {context: 3, maxEditLength: 1000});
	// Most replaced texts end inside of a line, which is no difference if both do.
	const isEndChanged = before !== '' && after !== '' && before.endsWith('\n') !== after.endsWith('\n');
	const side = (sign: string, text: string) => [
		...linesOf(text).map(line => sign + line),
		...(text.endsWith('\n') ? [] : [noLineFeed]),
	];
	const whole = () => [...side('-', before), ...side('+', after)];
	const hunks = patch?.hunks ?? [{oldStart: 1, newStart: 1, lines: whole()}];
	const lines = hunks.flatMap(({oldStart, newStart, lines: texts}) => {
		let [removedAt, addedAt] = [oldStart, newStart];
		return texts.flatMap((text): ChangeLine[] => {
			if (text.startsWith('\\')) return isEndChanged ? [{text: noLineFeed}] : [];
			const number = text.startsWith('-') ? removedAt : addedAt;
			if (!text.startsWith('+')) removedAt++;
			if (!text.startsWith('-')) addedAt++;
			return [{text, number}];
		});
	});
	const count = (mark: string) => lines.filter(({text}) => text.startsWith(mark)).length;
	return {
		lines,
		added: count('+'),
		removed: count('-'),
		isCut: [before, after].some(side => side.endsWith(cutMark)),
	};
}

function linesOf(text: string): string[] {
	return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function sum(changes: readonly FileChange[]): FileChange {
	return {
		lines: changes.flatMap(({lines}) => lines),
		added: changes.reduce((all, {added}) => all + added, 0),
		removed: changes.reduce((all, {removed}) => all + removed, 0),
		isCut: changes.some(({isCut}) => isCut),
	};
}

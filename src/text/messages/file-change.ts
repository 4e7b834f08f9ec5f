import {structuredPatch} from 'diff';
import {isDiff} from '../markdown/plain-rows.ts';

/** What a call changes in a file: lines with `+`, `-` or a space before them, and how many are added and removed. */
export type FileChange = {
	readonly lines: readonly string[];
	readonly added: number;
	readonly removed: number;
};

/** The fields that a change is read from. */
export const changeFields =
	/^(?:(?:old|new)_?(?:str|string|text)|contents?|file_text|edits|patch|diff|input)$/i;

/** Longer sides, UTF-16 units, are shown as removed and added whole. */
const maxDiffLength = 20_000;

/**
 * The change that a call makes to a file: from its result if that is a diff, otherwise from its input. Undefined
 * if it changes none.
 */
export function fileChange(name: string, input: unknown, result: string | undefined): FileChange | undefined {
	if (result !== undefined && isDiff(result)) return changeOf(result.trimEnd().split('\n'));
	if (typeof input === 'string') return isPatch(input) ? changeOf(input.split('\n')) : undefined;
	if (typeof input !== 'object' || input === null) return undefined;
	const fields: Partial<Record<string, unknown>> = input;
	const patch = patchIn(fields);
	if (patch !== undefined) return changeOf(patch.trimEnd().split('\n'));
	const edits = Array.isArray(fields.edits) ? fields.edits.slice(0, 100) : [fields];
	const changes = edits.flatMap(edit => replacement(edit) ?? []);
	if (changes.length > 0) return sum(changes);
	const content = fields.content ?? fields.file_text ?? fields.contents;
	const isWritten = /^(?:write|create)/i.test(name) && typeof content === 'string';
	return isWritten ? between('', content) : undefined;
}

function patchIn({patch, diff, input}: Partial<Record<string, unknown>>): string | undefined {
	return [patch, diff, input].find(isPatch);
}

/** The files that a patch in a call's input changes. */
export function patchedFiles(input: unknown): string[] {
	const patch = isPatch(input) ? input : patchIn(Object(input));
	const names = (patch ?? '').matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File:|\+\+\+) (?:b\/)?(.+)$/gm);
	return [...new Set([...names].map(([, name = '']) => name.trim()))].slice(0, 20);
}

function replacement(edit: unknown): FileChange | undefined {
	if (typeof edit !== 'object' || edit === null) return undefined;
	const fields: Partial<Record<string, unknown>> = edit;
	const before = fields.old_string ?? fields.old_str ?? fields.oldString ?? fields.oldText ?? fields.old_text;
	const after = fields.new_string ?? fields.new_str ?? fields.newString ?? fields.newText ?? fields.new_text;
	return typeof before === 'string' && typeof after === 'string' ? between(before, after) : undefined;
}

function isPatch(value: unknown): value is string {
	return typeof value === 'string' && (isDiff(value) || value.trimStart().startsWith('*** Begin Patch'));
}

/** Counts the changed lines of a patch, without the names of its files. */
function changeOf(lines: readonly string[]): FileChange {
	let [added, removed] = [0, 0];
	let isInHunk = false;
	for (const [index, line] of lines.entries()) {
		const isName = line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ');
		if (isName || line.startsWith('diff ')) isInHunk = false;
		else if (/^(?:@@|\*\*\* (?:Add|Update|Delete) File)/.test(line)) isInHunk = true;
		else if (isInHunk && line.startsWith('+')) added++;
		else if (isInHunk && line.startsWith('-')) removed++;
	}
	return {lines, added, removed};
}

function between(before: string, after: string): FileChange {
	const patch =
		before.length + after.length > maxDiffLength
			? undefined
			: structuredPatch('', '', before, after, '', '', {context: 3, maxEditLength: 1000});
	const lines = patch
		? patch.hunks.flatMap(hunk => hunk.lines.filter(line => !line.startsWith('\\')))
		: [...linesOf(before).map(line => `-${line}`), ...linesOf(after).map(line => `+${line}`)];
	const count = (mark: string) => lines.filter(line => line.startsWith(mark)).length;
	return {lines, added: count('+'), removed: count('-')};
}

function linesOf(text: string): string[] {
	return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function sum(changes: readonly FileChange[]): FileChange {
	return {
		lines: changes.flatMap(({lines}) => lines),
		added: changes.reduce((all, {added}) => all + added, 0),
		removed: changes.reduce((all, {removed}) => all + removed, 0),
	};
}

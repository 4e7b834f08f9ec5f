import {readFileSync, statSync} from 'node:fs';
import {createTwoFilesPatch} from 'diff';
import {
	maxRequestLength as maxLength,
	noOption,
	type RequestOption,
} from '../../domain/sessions/agent-request.ts';
import {onOneLine} from '../../domain/sessions/hook-request.ts';
import {withoutMiddle} from '../../domain/without-middle.ts';
import type {NewRequest} from './agent-session.ts';

/** Time limit of a diff, ms, and the largest size of its two sides together: beyond them, each is shown as a whole. */
const diffLimit = 200;
const maxDiffSize = 512 * 1024;
/** Largest file that is read to show a change, bytes. */
const maxReadSize = 1024 * 1024;

/** A text of an agent, without its middle if it is too long to keep. */
export function cutText(text: string): string {
	return withoutMiddle(text, maxLength);
}

/** What the user decides on: the text of a request, where its paths lead, and its answers. */
type ShownRequest = Pick<NewRequest, 'text' | 'warnings' | 'options'>;

/** A permission request. One that isn't shown completely, or says nothing, can only be denied. */
export function shownRequest(
	text: string,
	options: readonly RequestOption[],
	{warnings = [], reason = ''}: {readonly warnings?: readonly string[]; readonly reason?: string} = {},
): ShownRequest {
	if (text.trim() === '') {
		const nothing = "The agent doesn't say what this would allow: it can only be denied.";
		return {text: cutText([nothing, reason].filter(Boolean).join('\n\n')), options: [noOption]};
	}
	const whole = [text, reason].filter(Boolean).join('\n\n');
	if (Math.max(whole.length, JSON.stringify([options, warnings]).length) <= maxLength)
		return {text: whole, options, warnings: warnings.length > 0 ? warnings : undefined};
	return {
		text: `${cutText(whole)}\n\nThis is too long to be shown whole: it can only be denied.`,
		options: [noOption],
	};
}

/** The steps of an agent's plan as a markdown task list. */
export function planText(steps: readonly {readonly text: string; readonly status: string}[]): string {
	return cutText(
		steps.map(({text, status}) => `- [${status === 'completed' ? 'x' : ' '}] ${text}`).join('\n'),
	);
}

/**
 * The change of a file as a unified diff. `before` is undefined if it is unknown, `from` the file's name before:
 * `/dev/null` of a new file.
 */
export function fileDiff(
	path: string,
	before: string | undefined,
	after: string,
	from = before === '' ? '/dev/null' : path,
): string {
	if (before === after && from === path) return wholeSides(from, path, '@@ no change @@', '', '');
	const patch = before === undefined ? undefined : unifiedDiff(from, path, before, after);
	const head = before === undefined ? '@@ the whole file @@' : '@@ replaced @@';
	return patch ?? wholeSides(from, path, head, before ?? '', after);
}

/**
 * The diff of a file that gets this content, be it new or replaced. The content alone if the diff is too long, or the
 * file has this content already: it may have been written just now.
 */
export function writeDiff(path: string, content: string): string {
	const {from, text} = currentFile(path);
	if (text === content && from === path) return fileDiff(path, undefined, content);
	const diff = fileDiff(path, text, content, from);
	return diff.length <= maxLength ? diff : fileDiff(path, undefined, content, from);
}

type Edit = {readonly old: string; readonly replacement: string; readonly isAll: boolean};

/** The diff of a file with a part replaced: within the file if all of it can be shown, or else of the part alone. */
export function editDiff(path: string, edit: Edit): string {
	const whole = editsDiff(path, [edit]);
	if (whole !== undefined) return whole;
	const {old, replacement, isAll} = edit;
	const {from, text = ''} = currentFile(path);
	const replacesAll = isAll && old !== '';
	const count = replacesAll ? text.split(old).length - 1 : 1;
	const head = replacesAll ? `@@ every occurrence (${count || 'unknown number'}) @@` : '@@ replaced @@';
	// The numbers of its lines are unknown, and whether one of them is the file's last.
	const part = unifiedDiff(from, path, old, replacement)
		?.split('\n')
		.filter(line => !line.startsWith('\\'))
		.map(line => (line.startsWith('@@') ? head : line));
	return part?.join('\n') ?? wholeSides(from, path, head, old, replacement);
}

/** The diff of a file with parts replaced, one after the other; undefined if it is unknown or can't be shown whole. */
export function editsDiff(path: string, edits: readonly Edit[]): string | undefined {
	const {from, text = ''} = currentFile(path);
	const after = edits.reduce<string | undefined>(
		(before, edit) => (before === undefined ? undefined : replaced(before, edit)),
		text,
	);
	const patch = after === undefined ? undefined : unifiedDiff(from, path, text, after);
	return patch !== undefined && patch.length <= maxLength ? patch : undefined;
}

/** The text with a part of it replaced; undefined if it has no such part, or is too long. */
function replaced(text: string, {old, replacement, isAll}: Edit): string | undefined {
	const count = isAll && old !== '' ? text.split(old).length - 1 : 1;
	const size = 2 * text.length + count * (replacement.length - old.length);
	if (!(old === '' ? text === '' : text.includes(old)) || size > maxDiffSize) return undefined;
	return isAll ? text.replaceAll(old, () => replacement) : text.replace(old, () => replacement);
}

/** A hunk that replaces one side with the other. The new side comes first, since a long text is cut. */
function wholeSides(from: string, to: string, head: string, before: string, after: string): string {
	const sides = [prefixed('+', after), prefixed('-', before)].filter(lines => lines !== '');
	return [`--- ${onOneLine(from)}`, `+++ ${onOneLine(to)}`, head, ...sides].join('\n');
}

/** Undefined if it would take too long. */
function unifiedDiff(from: string, to: string, before: string, after: string): string | undefined {
	if (before.length + after.length > maxDiffSize) return undefined;
	const names = [onOneLine(from), onOneLine(to)] as const;
	const patch = createTwoFilesPatch(...names, before, after, undefined, undefined, {
		context: 3,
		timeout: diffLimit,
	});
	// The library puts an `Index:` line and a rule above a change whose two names are the same.
	return patch?.replace(/^(?:Index: .*\n)?=+\n/, '');
}

/** A file's name in a diff, and its text unless that can't be read or is too large. A pipe would block. */
function currentFile(path: string): {readonly from: string; readonly text?: string} {
	try {
		const stats = statSync(path, {throwIfNoEntry: false});
		if (!stats) return {from: '/dev/null', text: ''};
		if (stats.isFile() && stats.size <= maxReadSize) return {from: path, text: readFileSync(path, 'utf8')};
	} catch {
		// It may be there.
	}
	return {from: path};
}

function prefixed(sign: string, text: string): string {
	return text === '' ? '' : sign + text.replace(/\n$/, '').replaceAll('\n', `\n${sign}`);
}

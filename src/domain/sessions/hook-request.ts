import type {Ask} from '../../../hooks/ask-wire.ts';
import type {JsonObject} from '../../../hooks/json.ts';
import {isTooDeep} from '../parse-json.ts';
import {withoutMiddle} from '../without-middle.ts';
import {
	type AgentRequest,
	maxRequestLength as maxLength,
	noOption,
	type RequestOption,
} from './agent-request.ts';
import {pathsIn, pathWarnings} from './path-warnings.ts';
import {suggestedOptions} from './suggested-changes.ts';

/** A request of a client outside the service, whose hook waits for the answer. In memory only. */
export type HookRequest = AgentRequest & {
	readonly isFromHook: true;
	readonly client: string;
	readonly agentPid: number;
	/** The subagent that asks, if one does. */
	readonly agentId?: string;
	/** What is asked, in one line. Raw. */
	readonly title: string;
	readonly options: readonly RequestOption[];
	readonly createdAt: number;
};

const maxTitle = 400;

/**
 * Turns a hook's request into the text the user decides on, the tool's whole input, and its answers. Undefined if it
 * names no session, or the input is nested too deep.
 */
export function hookRequest({
	id,
	ts,
	client,
	agentPid,
	tool,
	input,
	suggestions,
	data,
}: Ask): HookRequest | undefined {
	const {session_id: sessionId, agent_id: agentId, cwd} = data;
	if (!sessionId || isTooDeep([input, suggestions])) return undefined;
	const whole = toolText(input);
	// What is too long to be shown is too long to be checked while the screen waits.
	const given = Math.max(whole.length, JSON.stringify(suggestions).length);
	const isChecked = given <= maxLength;
	const options = isChecked ? suggestedOptions(tool, input, suggestions) : [];
	const warnings = isChecked ? pathWarnings(pathsIn(input), cwd) : [];
	const length = Math.max(given, JSON.stringify([options, warnings]).length);
	const isWhole = length <= maxLength;
	const tooLong = 'This is too long to be allowed here: answer it in its own terminal.';
	const text = isWhole ? whole : `${withoutMiddle(whole, maxLength)}\n\n${tooLong}`;
	return {
		id,
		sessionId,
		isFromHook: true,
		kind: 'permission',
		client,
		agentPid,
		agentId,
		tool,
		title: titleOf(tool, input),
		text,
		warnings: isWhole && warnings.length > 0 ? warnings : undefined,
		options: isWhole ? options : [noOption],
		createdAt: ts,
	};
}

/** The tool, and the command, the file or the first field. */
function titleOf(tool: string, {command, file_path: path, ...rest}: JsonObject): string {
	const first = command ?? path ?? Object.values(rest)[0];
	const words = first === undefined ? '' : valueText(first).trimStart().split('\n', 1)[0];
	return [tool, words].filter(Boolean).join(': ').slice(0, maxTitle);
}

/**
 * A tool's whole input: the command or the change first, then every other field. A command with lines that could be
 * taken for fields is a field itself.
 */
export function toolText(input: JsonObject): string {
	const {command, ...rest} = input;
	if (typeof command === 'string' && /\n(?:\s*\n|[\w-]+:\s)/.test(command))
		return fieldsText({command, ...rest});
	if (typeof command === 'string') return [command, fieldsText(rest)].filter(Boolean).join('\n\n');
	const {file_path: path, ...fields} = input;
	const change = typeof path === 'string' ? changeOf(fields) : undefined;
	if (!change) return fieldsText(input);
	const {hunks, others} = change;
	const name = onOneLine(path as string);
	return [`--- ${name}\n+++ ${name}\n${hunks}`, fieldsText(others)].filter(Boolean).join('\n\n');
}

/** A path as the head of a diff has it. */
export function onOneLine(path: string): string {
	return /[\n\r]/.test(path) ? JSON.stringify(path) : path;
}

/**
 * The hunks of a file's change, and the other fields of the input; undefined for input of another shape, and for a change
 * that is too long to be shown. The file itself is never read.
 */
function changeOf(input: JsonObject): {readonly hunks: string; readonly others: JsonObject} | undefined {
	const {content, ...besideContent} = input;
	if (isShort(content))
		return {hunks: `@@ the whole file @@\n${prefixed('+', content)}`, others: besideContent};
	const {old_string: before, new_string: after, ...besideStrings} = input;
	if (isShort(before) && isShort(after)) return {hunks: hunk(before, after), others: besideStrings};
	const {edits, ...besideEdits} = input;
	if (!Array.isArray(edits) || edits.length === 0 || !isShort(JSON.stringify(edits))) return undefined;
	const hunks = edits.map((edit: JsonObject | null) => {
		const {old_string: old, new_string: next, ...more} = edit ?? {};
		if (!isShort(old) || !isShort(next)) return undefined;
		return [hunk(old, next), fieldsText(more)].filter(Boolean).join('\n');
	});
	return hunks.includes(undefined) ? undefined : {hunks: hunks.join('\n'), others: besideEdits};
}

function isShort(text: unknown): text is string {
	return typeof text === 'string' && text.length <= maxLength;
}

/** Replaced lines between the lines that both sides begin and end with. */
function hunk(before: string, after: string): string {
	const [old, next] = [before.split('\n'), after.split('\n')];
	const maxShared = Math.min(old.length, next.length);
	let start = 0;
	while (start < maxShared && old[start] === next[start]) start++;
	let end = 0;
	while (end < maxShared - start && old.at(-1 - end) === next.at(-1 - end)) end++;
	const lines = (sign: string, side: readonly string[]) => side.map(line => sign + line);
	return [
		'@@ replaced @@',
		...lines(' ', old.slice(0, start)),
		...lines('-', old.slice(start, old.length - end)),
		...lines('+', next.slice(start, next.length - end)),
		...lines(' ', old.slice(old.length - end)),
	].join('\n');
}

function prefixed(sign: string, text: string): string {
	return text
		.replace(/\n$/, '')
		.split('\n')
		.map(line => sign + line)
		.join('\n');
}

/** Fields, a line each. Further lines of a value are indented, so that they can't be taken for fields. */
export function fieldsText(fields: JsonObject): string {
	return Object.entries(fields)
		.map(([name, value]) => `${onOneLine(name)}: ${valueText(value).replaceAll('\n', '\n  ')}`)
		.join('\n');
}

function valueText(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

import {isDeepStrictEqual} from 'node:util';
import {
	applyEdits,
	type Edit,
	findNodeAtLocation,
	getNodeValue,
	type JSONPath,
	modify,
	stripComments,
} from 'jsonc-parser';
import {isHookCommand} from './hook-command.ts';
import {
	byteOrderMark,
	endOf,
	findEventMap,
	isBlank,
	type JsonNode,
	JsonTextError,
	nextToken,
	type OurEntry,
	ourEntries,
	parseJsonText,
	type SettingsText,
} from './settings-text.ts';

/** A handler that a file should hold. `timeout` is in the client's unit. */
export type Wanted = {readonly event: string; readonly command: string; readonly timeout: number};

/** The planned change of a file. Events are listed once per handler. */
export type Plan =
	| {readonly kind: 'same'}
	| {
			readonly kind: 'change';
			readonly after: SettingsText;
			readonly added: readonly string[];
			readonly upgraded: readonly string[];
			readonly removed: readonly string[];
	  }
	| {readonly kind: 'refused'; readonly reason: string};

/** The current text, and all the handlers of ours that it should hold. `isBare` as in `SettingsFile`. */
export type Change = {
	readonly before: SettingsText;
	readonly wanted: readonly Wanted[];
	readonly isBare: boolean;
	/** What was there before our install, if nothing has changed since. */
	readonly installed?: {readonly before?: string} | undefined;
};

/**
 * Plans the smallest change that leaves exactly the wanted handlers as ours. Refuses, with the position, what can't be
 * read or changed safely.
 */
export function planChange(change: Change): Plan {
	try {
		const plan = makeChange(change);
		if (plan.kind !== 'change') return plan;
		const {wanted, isBare, installed} = change;
		if (wanted.length === 0 && installed && ourEntries(installed.before, isBare).length === 0)
			return {...plan, after: installed.before};
		if (isSafe(change, plan.after)) return plan;
		return {kind: 'refused', reason: "it can't be changed without touching entries that aren't ours"};
	} catch (error) {
		if (error instanceof JsonTextError) return {kind: 'refused', reason: error.message};
		throw error;
	}
}

function makeChange({before, wanted, isBare}: Change): Plan {
	const added: string[] = [];
	const upgraded: string[] = [];
	const removed: string[] = [];
	const mark = before?.startsWith(byteOrderMark) ? byteOrderMark : '';
	const own = before?.slice(mark.length) ?? '';
	const isNew = isBlank(own);
	let text = isNew ? '{}' : own;
	checkLists(text, wanted, isBare);
	// One step at a time, each on a fresh parse, so that positions always match the text.
	for (let entry = lastUnwanted(text, wanted, isBare); entry; entry = lastUnwanted(text, wanted, isBare)) {
		removed.unshift(entry.event);
		text = withoutEntry(text, entry.path);
	}
	for (const handler of wanted) {
		const entry = ourEntries(text, isBare).find(({event}) => event === handler.event);
		const changed = entry ? upgrade(text, entry, handler) : add(text, handler, isBare);
		if (changed !== text) (entry ? upgraded : added).push(handler.event);
		text = changed;
	}
	if (added.length + upgraded.length + removed.length === 0) return {kind: 'same'};
	return {kind: 'change', after: mark + text + (isNew ? '\n' : ''), added, upgraded, removed};
}

/** Throws `JsonTextError`, with its position in the user's text. */
function checkLists(text: string, wanted: readonly Wanted[], isBare: boolean): void {
	const {map} = findEventMap(text, parseJsonText(text), isBare);
	for (const {event} of wanted) {
		const groups = map && findNodeAtLocation(map, [event]);
		if (groups && groups.type !== 'array')
			throw new JsonTextError(`"${event}" is not a list`, text, groups.offset);
	}
}

/** Our last unwanted handler: for an event that isn't wanted, or a duplicate for one that is. */
function lastUnwanted(text: string, wanted: readonly Wanted[], isBare: boolean): OurEntry | undefined {
	const entries = ourEntries(text, isBare);
	return entries.findLast(
		(entry, index) =>
			!wanted.some(({event}) => event === entry.event) ||
			entries.findIndex(({event}) => event === entry.event) < index,
	);
}

/** Updates the command and the timeout where they differ; keeps what the user added. */
function upgrade(text: string, entry: OurEntry, {command, timeout}: Wanted): string {
	const set = (before: string, name: string, value: string | number) =>
		applyEdits(before, modify(before, [...entry.path, name], value, {}));
	const renamed = entry.command === command ? text : set(text, 'command', command);
	return entry.timeout === timeout ? renamed : set(renamed, 'timeout', timeout);
}

function add(text: string, {event, command, timeout}: Wanted, isBare: boolean): string {
	const group = {hooks: [{type: 'command', command, timeout}]};
	const root = parseJsonText(text);
	const {map} = findEventMap(text, root, isBare);
	const groups = map && findNodeAtLocation(map, [event]);
	if (groups) return append(text, groups, group);
	if (map) return append(text, map, [group], event);
	return append(text, root, {[event]: [group]}, 'hooks');
}

/**
 * Appends an item, or a member with this key, behind the last one and its comments. Not by jsonc-parser's `modify`: that
 * formats the neighbors, too, and takes their comments along.
 */
function append(text: string, container: JsonNode, value: unknown, key?: string): string {
	const end = container.offset + container.length - 1;
	const last = container.children?.at(-1);
	const label = key === undefined ? '' : `${JSON.stringify(key)}: `;
	const isOneLine = !/[\n\r]/.test(last ? text.slice(container.offset, end) : text.trim());
	const inner = text.slice(container.offset + 1, end).replace(/[ \t\n\r]+$/, '');
	const at = container.offset + 1 + inner.length;
	const comma: Edit[] = last ? [{offset: last.offset + last.length, length: 0, content: ','}] : [];
	if (isOneLine && text.trim() !== '{}') {
		const content = `${last ? ' ' : ''}${label}${JSON.stringify(value)}`;
		return applyEdits(text, [...comma, {offset: at, length: 0, content}]);
	}
	const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
	const unit = /[\n\r]([ \t]+)/.exec(text)?.[1] ?? '  ';
	const outer = /(?:^|[\n\r])([ \t]*)[^\n\r]*$/.exec(text.slice(0, container.offset))?.[1] ?? '';
	const indent = outer + unit;
	const lines = JSON.stringify(value, null, unit).replaceAll('\n', lineEnd + indent);
	const close = /[\n\r]/.test(text.slice(at, end)) ? '' : lineEnd + outer;
	return applyEdits(text, [
		...comma,
		{offset: at, length: 0, content: `${lineEnd}${indent}${label}${lines}${close}`},
	]);
}

/** Removes a handler, with the lists and maps that hold nothing else: no item, and no comment. */
function withoutEntry(text: string, path: JSONPath): string {
	const handler = findNodeAtLocation(parseJsonText(text), path);
	if (!handler?.parent) throw new Error('an entry has a node');
	let element = handler;
	for (let container = element.parent; container?.parent; container = element.parent) {
		const outer: JsonNode = container.parent.type === 'property' ? container.parent : container;
		const around = text.slice(outer.offset, element.offset) + text.slice(endOf(element), endOf(outer));
		const isGroup = container.type === 'object' && container.parent.type === 'array';
		const isAlone = container.children?.length === 1 && stripComments(around) === around;
		if (!isGroup && !isAlone) break;
		element = outer;
	}
	const siblings = element.parent?.children ?? [];
	const index = siblings.indexOf(element);
	const previous = siblings[index - 1];
	const isLast = index === siblings.length - 1;
	const {offset} = element;
	const end = endOf(element);
	if (!previous && isLast) return withoutRange(text, offset, end);
	const comma = nextToken(text, isLast && previous ? endOf(previous) : end);
	if (!isLast) return withoutRange(text.slice(0, comma) + text.slice(comma + 1), offset, end);
	return text.slice(comma + 1, offset).trim() === ''
		? text.slice(0, comma) + text.slice(end)
		: withoutRange(text.slice(0, comma) + text.slice(comma + 1), offset - 1, end - 1);
}

/** Removes a range with the spaces behind it, and the whole line if nothing else is on it. */
function withoutRange(text: string, start: number, end: number): string {
	const before = text.slice(0, start);
	const after = text.slice(end).replace(/^[ \t]+/, '');
	const line = /(?:\r\n|\n|\r)[ \t]*$/.exec(before);
	return line && /^[\r\n]/.test(after) ? before.slice(0, line.index) + after : before + after;
}

/** Final check before a write: the new text holds the wanted handlers and everything else from before. */
function isSafe({before, wanted, isBare}: Change, after: SettingsText): boolean {
	const eventsOf = (handlers: readonly {readonly event: string}[]) => handlers.map(({event}) => event).sort();
	return (
		isDeepStrictEqual(eventsOf(ourEntries(after, isBare)), eventsOf(wanted)) &&
		isDeepStrictEqual(otherSettings(before), otherSettings(after))
	);
}

function otherSettings(text: SettingsText): unknown {
	return text === undefined || isBlank(text) ? undefined : withoutOurs(getNodeValue(parseJsonText(text)));
}

/** A value without our handlers, their groups, and what is empty. */
function withoutOurs(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	const {command, hooks} = value as {readonly command?: unknown; readonly hooks?: unknown};
	if (isOurs({command}) || (Array.isArray(hooks) && hooks.length > 0 && hooks.every(isOurs)))
		return undefined;
	const rest = Object.entries(value)
		.map(([key, part]) => [key, withoutOurs(part)] as const)
		.filter(([, part]) => part !== undefined);
	if (rest.length === 0) return undefined;
	return Array.isArray(value) ? rest.map(([, part]) => part) : Object.fromEntries(rest);
}

function isOurs(handler: unknown): boolean {
	const command: unknown = (handler as {command?: unknown} | null)?.command;
	return typeof command === 'string' && isHookCommand(command);
}

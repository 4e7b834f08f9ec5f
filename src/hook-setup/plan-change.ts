import {isDeepStrictEqual} from 'node:util';
import {
	applyEdits,
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
	const {map, path} = findEventMap(text, root, isBare);
	const groups = map && findNodeAtLocation(map, [event]);
	return groups
		? insert(text, [...path, event, groups.children?.length ?? 0], group, true)
		: insert(text, [...path, event], [group], false);
}

/** Inserts a value, in the file's own line ends and indentation. */
function insert(text: string, path: JSONPath, value: unknown, isArrayInsertion: boolean): string {
	const unit = /[\n\r]([ \t]+)/.exec(text)?.[1] ?? '  ';
	const formattingOptions = {
		eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
		insertSpaces: !unit.startsWith('\t'),
		tabSize: unit.length,
	};
	return applyEdits(text, modify(text, path, value, {formattingOptions, isArrayInsertion}));
}

/**
 * Removes a handler, with the lists and maps that hold nothing else: no item, and no comment. Not by jsonc-parser's
 * `modify`: that takes the comments around it along.
 */
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
	const before = text.slice(0, element.offset);
	const after = text.slice(endOf(element));
	if (index < siblings.length - 1) return joined(before, withoutComma(after));
	const previous = siblings[index - 1];
	const end = previous ? endOf(previous) : before.length;
	return joined(before.slice(0, end) + withoutComma(before.slice(end)), after);
}

function withoutComma(text: string): string {
	const comma = stripComments(text, ' ').indexOf(',');
	return comma < 0 ? text : text.slice(0, comma) + text.slice(comma + 1);
}

/** Joins what is before and after a removed value; if it was alone on a line, without that. */
function joined(before: string, after: string): string {
	const line = /(?:\r\n|\n|\r)[ \t]*$/.exec(before);
	return line && /^[ \t]*[\r\n]/.test(after)
		? before.slice(0, line.index) + after.replace(/^[ \t]+/, '')
		: before + after;
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

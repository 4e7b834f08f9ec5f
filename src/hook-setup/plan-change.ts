import {isDeepStrictEqual} from 'node:util';
import {applyEdits, type Edit, findNodeAtLocation, getNodeValue} from 'jsonc-parser';
import {isHookCommand} from './hook-command.ts';
import {formatKey, formatValue, type JsonStyle, type Layout, styleOf} from './json-style.ts';
import {isBlank, JsonTextError, parseJsonText} from './json-text.ts';
import {findEventMap, findOurEntries, type OurEntry} from './our-entries.ts';
import {appendElement, removeElement, replacement, wrapElement} from './splice.ts';

/** A handler that a file should hold. `timeout` is in the client's unit. */
export type Wanted = {readonly event: string; readonly command: string; readonly timeout: number};

/** The text of a settings file; undefined if the file doesn't exist. */
export type SettingsText = string | undefined;

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
};

/**
 * Plans the smallest change that leaves exactly the wanted handlers as ours. With none wanted, it undoes an
 * install byte for byte. Refuses, with the position, what can't be read or changed safely.
 */
export function planChange(change: Change): Plan {
	const refusal = resultOrRefusal(() => checkShape(change));
	if (refusal) return refusal;
	const planned = resultOrRefusal(() => makeChange(change));
	if (planned.kind === 'same') return planned;
	if (planned.kind === 'change' && resultOrRefusal(() => isSafe(change, planned.after)) === true)
		return planned;
	return {kind: 'refused', reason: "it can't be changed without touching entries that aren't ours"};
}

/** Runs a step; turns a `JsonTextError` into a refusal. */
function resultOrRefusal<Answer>(step: () => Answer): Answer | (Plan & {kind: 'refused'}) {
	try {
		return step();
	} catch (error) {
		if (error instanceof JsonTextError) return {kind: 'refused', reason: error.message};
		throw error;
	}
}

/** Throws `JsonTextError`, with its position in the user's text. */
function checkShape({before, wanted, isBare}: Change): void {
	if (before === undefined || isBlank(before)) return;
	const found = findEventMap(before, parseJsonText(before), isBare);
	for (const {event} of found ? wanted : []) {
		const groups = found && findNodeAtLocation(found.map, [event]);
		if (groups && groups.type !== 'array')
			throw new JsonTextError(`"${event}" is not a list`, before, groups.offset);
	}
}

function makeChange({before, wanted, isBare}: Change): Plan {
	const added: string[] = [];
	const upgraded: string[] = [];
	const removed: string[] = [];
	let text = before;
	// One step at a time, each on a fresh parse, so that positions always match the text.
	for (let entry = lastUnwanted(text, wanted, isBare); entry; entry = lastUnwanted(text, wanted, isBare)) {
		removed.unshift(entry.event);
		text = removeElement(text ?? '', entry.ancestry);
	}
	for (const handler of wanted) {
		const entry = ourEntries(text, isBare).find(({event}) => event === handler.event);
		const changed = entry ? upgrade(text ?? '', entry, handler) : add(text, handler, isBare);
		if (changed === text) continue;
		(entry ? upgraded : added).push(handler.event);
		text = changed;
	}
	return text === before ? {kind: 'same'} : {kind: 'change', after: text, added, upgraded, removed};
}

/** Final check before a write: the new text holds the wanted handlers and everything else from before. */
function isSafe({before, wanted, isBare}: Change, after: SettingsText): boolean {
	const isDone = isDeepStrictEqual(eventsOf(ourEntries(after, isBare)), eventsOf(wanted));
	return isDone && isDeepStrictEqual(otherSettings(before, isBare), otherSettings(after, isBare));
}

function eventsOf(handlers: readonly {readonly event: string}[]): string[] {
	return handlers.map(({event}) => event).sort();
}

/** Our handlers in a text, as `findOurEntries` returns them. Throws `JsonTextError`. */
export function ourEntries(text: SettingsText, isBare: boolean): OurEntry[] {
	if (text === undefined || isBlank(text)) return [];
	const found = findEventMap(text, parseJsonText(text), isBare);
	return found ? findOurEntries(found) : [];
}

/** Our last unwanted handler: for an event that isn't wanted, or a duplicate for one that is. */
function lastUnwanted(text: SettingsText, wanted: readonly Wanted[], isBare: boolean): OurEntry | undefined {
	const entries = ourEntries(text, isBare);
	return entries.findLast(
		(entry, index) =>
			!wanted.some(({event}) => event === entry.event) ||
			entries.findIndex(({event}) => event === entry.event) < index,
	);
}

/** Updates the command and the timeout where they differ; keeps what the user added. */
function upgrade(text: string, entry: OurEntry, {command, timeout}: Wanted): string {
	const style = styleOf(text, parseJsonText(text));
	const edits: Edit[] = [];
	if (entry.command !== command) edits.push(replacement(entry.commandNode, JSON.stringify(command)));
	if (entry.timeout && entry.timeout.value !== timeout)
		edits.push(replacement(entry.timeout, String(timeout)));
	// At the end of the handler, so that the command's position stays valid.
	const format = () => formatKey('timeout', style) + timeout;
	return applyEdits(entry.timeout ? text : appendElement(text, entry.handler, style, format), edits);
}

function add(text: SettingsText, {event, command, timeout}: Wanted, isBare: boolean): string {
	const group = {hooks: [{type: 'command', command, timeout}]};
	const formatEvent = (style: JsonStyle) => (layout: Layout) =>
		formatKey(event, style) + wrapElement('[', layout, style, inner => formatValue(group, inner, style));
	const formatHooks = (style: JsonStyle) => (layout: Layout) =>
		formatKey('hooks', style) + wrapElement('{', layout, style, formatEvent(style));

	if (text === undefined || isBlank(text)) {
		const style = styleOf(text ?? '');
		const format = isBare ? formatEvent(style) : formatHooks(style);
		const made = wrapElement('{', {isInline: false, indent: ''}, style, format);
		// Only a file that we create has just the object and a final line end: removal then deletes the file.
		return text === undefined ? made + style.lineEnd : text + made;
	}
	const root = parseJsonText(text);
	const style = styleOf(text, root);
	const found = findEventMap(text, root, isBare);
	if (!found && root.type === 'object') return appendElement(text, root, style, formatHooks(style));
	if (!found) throw new Error('a root without events is an object');
	const groups = findNodeAtLocation(found.map, [event]);
	if (!groups) return appendElement(text, found.map, style, formatEvent(style));
	if (groups.type !== 'array') throw new Error('the events were lists');
	return appendElement(text, groups, style, layout => formatValue(group, layout, style));
}

/**
 * Everything in a text except our handlers. Drops empty event maps and lists, as an install may fill them.
 */
function otherSettings(text: SettingsText, isBare: boolean): unknown {
	if (text === undefined || isBlank(text)) return {};
	const root = getNodeValue(parseJsonText(text)) as Values;
	if (isBare && !Object.hasOwn(root, 'hooks')) return otherEvents(root);
	const {hooks, ...rest} = root;
	const map = otherEvents((hooks ?? {}) as Values);
	return Object.keys(map).length > 0 ? {...rest, hooks: map} : rest;
}

type Values = {readonly [key: string]: unknown};

function otherEvents(map: Values): Values {
	const events = Object.entries(map).map(([event, groups]) => [
		event,
		Array.isArray(groups) ? groups.flatMap(othersInGroup) : groups,
	]);
	return Object.fromEntries(events.filter(([, groups]) => !Array.isArray(groups) || groups.length > 0));
}

function othersInGroup(group: unknown): unknown[] {
	const handlers: unknown = (group as {hooks?: unknown} | null)?.hooks;
	if (!Array.isArray(handlers)) return [group];
	const otherHandlers = handlers.filter(handler => {
		const command: unknown = (handler as {command?: unknown} | null)?.command;
		return typeof command !== 'string' || !isHookCommand(command);
	});
	return otherHandlers.length > 0 || handlers.length === 0
		? [{...(group as Values), hooks: otherHandlers}]
		: [];
}

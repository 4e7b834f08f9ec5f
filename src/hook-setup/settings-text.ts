import {createScanner, findNodeAtLocation, type JSONPath, type Node, parseTree, visit} from 'jsonc-parser';
import {isHookCommand} from './hook-command.ts';

/** A value, or one member of an object (`property`: key and value), with its position in the text. */
export type JsonNode = Node;

/** The text isn't JSON, or can't be changed safely. Line and column count from 1. */
export class JsonTextError extends Error {
	override readonly name = 'JsonTextError';

	constructor(what: string, text: string, offset: number) {
		const {line, column} = positionOf(text, offset);
		super(`line ${line}, column ${column}: ${what}`);
	}
}

export const byteOrderMark = '\ufeff';
const maxDepth = 200;

/**
 * Parses JSON, with or without comments and a byte order mark. Throws `JsonTextError`, also for a duplicate
 * key: readers differ on which one counts, so neither can be changed safely.
 */
export function parseJsonText(text: string): JsonNode {
	// Replaces the mark with a space, so that offsets stay the same.
	const json = text.startsWith(byteOrderMark) ? ` ${text.slice(1)}` : text;
	const keys: Set<string>[] = [];
	const fail = (what: string, offset: number): never => {
		throw new JsonTextError(what, text, offset);
	};
	const open = (offset: number) => {
		if (keys.push(new Set()) > maxDepth) fail('nested too deeply', offset);
	};
	const close = () => {
		keys.pop();
	};
	visit(json, {
		onObjectBegin: open,
		onObjectEnd: close,
		onArrayBegin: open,
		onArrayEnd: close,
		onObjectProperty(key, offset) {
			const names = keys.at(-1);
			if (names?.has(key)) fail(`duplicate key ${JSON.stringify(key)}`, offset);
			names?.add(key);
		},
		onError: (_, offset) => fail(problemAt(json, offset), offset),
	});
	return parseTree(json) as JsonNode;
}

function problemAt(text: string, offset: number): string {
	const character = text[offset];
	if (character === undefined) return 'unexpected end of file';
	if (text.startsWith('/*', offset)) return 'unterminated comment';
	if ('}]'.includes(character) && text.slice(0, offset).trimEnd().endsWith(',')) return 'trailing comma';
	return `unexpected ${JSON.stringify(character)}`;
}

export function isBlank(text: string): boolean {
	return /^\ufeff?[ \t\n\r]*$/.test(text);
}

/** Whether a text that `parseJsonText` takes is more than plain JSON. */
export function hasComments(text: string): boolean {
	if (isBlank(text)) return false;
	try {
		JSON.parse(text.replace(byteOrderMark, ''));
		return false;
	} catch {
		return true;
	}
}

/** The offset of the next token after white space and comments. */
export function nextToken(text: string, offset: number): number {
	const scanner = createScanner(text, true);
	scanner.setPosition(offset);
	scanner.scan();
	return scanner.getTokenOffset();
}

export function endOf({offset, length}: JsonNode): number {
	return offset + length;
}

/** Line and column of an offset, counted from 1. */
function positionOf(text: string, offset: number): {line: number; column: number} {
	const before = text.slice(text.startsWith(byteOrderMark) ? 1 : 0, offset).split(/\r\n|\n|\r/);
	return {line: before.length, column: (before.at(-1)?.length ?? 0) + 1};
}

/** The text of a settings file; undefined if the file doesn't exist. */
export type SettingsText = string | undefined;

export type OurEntry = {
	readonly event: string;
	readonly command: string;
	readonly timeout: unknown;
	/** Narrows the event to some of its kinds; set by hand. */
	readonly matcher: string | undefined;
	/** Keys and indexes that lead to the handler. */
	readonly path: JSONPath;
};

/**
 * Finds the map of events and the keys that lead to it: `hooks`, or the root itself if the file may be bare and has no
 * `hooks`. Throws `JsonTextError` if a list or a plain value is in place of an object.
 */
export function findEventMap(
	text: string,
	root: JsonNode,
	isBare: boolean,
): {readonly map: JsonNode | undefined; readonly path: readonly string[]} {
	if (root.type !== 'object') throw new JsonTextError('the settings are not an object', text, root.offset);
	const map = findNodeAtLocation(root, ['hooks']);
	if (!map && isBare) return {map: root, path: []};
	if (map && map.type !== 'object') throw new JsonTextError('"hooks" is not an object', text, map.offset);
	return {map, path: ['hooks']};
}

/** Finds all our handlers in a text, in its order. Skips everything else, whatever its shape. Throws `JsonTextError`. */
export function ourEntries(text: SettingsText, isBare: boolean): OurEntry[] {
	if (text === undefined || isBlank(text)) return [];
	const {map, path} = findEventMap(text, parseJsonText(text), isBare);
	return (map?.children ?? []).flatMap(({children: [key, groups] = []}) =>
		itemsOf(groups).flatMap((group, groupIndex) =>
			itemsOf(findNodeAtLocation(group, ['hooks'])).flatMap((handler, index): OurEntry[] => {
				const valueAt = (node: JsonNode, name: string): unknown => findNodeAtLocation(node, [name])?.value;
				const command = valueAt(handler, 'command');
				if (typeof command !== 'string' || !isHookCommand(command)) return [];
				const matcher = valueAt(group, 'matcher');
				return [
					{
						event: key?.value,
						command,
						timeout: valueAt(handler, 'timeout'),
						matcher: typeof matcher === 'string' ? matcher : undefined,
						path: [...path, key?.value, groupIndex, 'hooks', index],
					},
				];
			}),
		),
	);
}

function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
	return node?.type === 'array' ? (node.children ?? []) : [];
}

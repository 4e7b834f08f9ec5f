import {createScanner, type Node, parseTree, visit} from 'jsonc-parser';

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

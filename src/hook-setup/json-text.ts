/** A parsed text that keeps where everything stands, so that a part of it can be changed and nothing else. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;
export type JsonObject = Span & {readonly kind: 'object'; readonly members: readonly JsonMember[]};
export type JsonArray = Span & {readonly kind: 'array'; readonly items: readonly JsonNode[]};
export type JsonScalar = Span & {readonly kind: 'scalar'; readonly value: string | number | boolean | null};
/** `start` is the key's. */
export type JsonMember = Span & {readonly key: string; readonly value: JsonNode};

/** Offsets into the text, in UTF-16 units; `end` is behind the last one. */
type Span = {readonly start: number; readonly end: number};

/** The text is not JSON, or holds what can't be changed safely. Line and column count from 1. */
export class JsonTextError extends Error {
	override readonly name = 'JsonTextError';
	readonly line: number;
	readonly column: number;

	constructor(what: string, text: string, offset: number) {
		const {line, column} = positionOf(text, offset);
		super(`line ${line}, column ${column}: ${what}`);
		this.line = line;
		this.column = column;
	}
}

const byteOrderMark = '\ufeff';
const deepest = 200;
const scalar =
	/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const space = /[ \t\n\r]+/y;
const comment = /\/\/[^\n\r]*|\/\*[\s\S]*?\*\//y;

/**
 * Parses JSON, with or without comments and a byte order mark. Throws `JsonTextError`, also for a key that comes twice:
 * which one counts is the reader's choice, so neither can be changed.
 */
export function parseJsonText(text: string): JsonNode {
	let offset = text.startsWith(byteOrderMark) ? 1 : 0;

	const fail = (what: string, at = offset): never => {
		throw new JsonTextError(what, text, at);
	};
	const unexpected = (): never => {
		if (offset >= text.length) return fail('the file ends too early');
		if (text.startsWith('/*', offset)) return fail('a comment without an end');
		return fail(`${JSON.stringify(text[offset])} is not expected here`);
	};
	const next = () => {
		offset = skipTrivia(text, offset);
		return text[offset];
	};
	const take = (character: string) => {
		if (next() !== character) unexpected();
		offset++;
	};
	const parseScalar = (): JsonScalar => {
		scalar.lastIndex = offset;
		const found = scalar.exec(text)?.[0];
		if (found === undefined) return unexpected();
		const start = offset;
		offset += found.length;
		return {kind: 'scalar', start, end: offset, value: JSON.parse(found)};
	};
	const parseMember = (): JsonMember => {
		if (next() !== '"') unexpected();
		const {value: key, start} = parseScalar();
		take(':');
		const value = parseValue();
		return {start, end: value.end, key: key as string, value};
	};
	let depth = 0;
	/** What stands between two brackets; `parse` reads one element. */
	const parseElements = (close: string, parse: () => void): Span => {
		const start = offset;
		if (++depth > deepest) fail('nested too deeply');
		offset++;
		if (next() !== close) {
			parse();
			while (next() === ',') {
				offset++;
				if (next() === close) fail('a comma before the end', offset);
				parse();
			}
		}
		take(close);
		depth--;
		return {start, end: offset};
	};
	const parseValue = (): JsonNode => {
		const character = next();
		if (character === '{') {
			const members: JsonMember[] = [];
			const keys = new Set<string>();
			const span = parseElements('}', () => {
				const member = parseMember();
				if (keys.has(member.key)) fail(`${JSON.stringify(member.key)} comes twice`, member.start);
				keys.add(member.key);
				members.push(member);
			});
			return {kind: 'object', ...span, members};
		}
		if (character === '[') {
			const items: JsonNode[] = [];
			const span = parseElements(']', () => items.push(parseValue()));
			return {kind: 'array', ...span, items};
		}
		return parseScalar();
	};

	const root = parseValue();
	if (next() !== undefined) unexpected();
	return root;
}

/** Nothing but white space: no value at all. */
export function isBlank(text: string): boolean {
	return /^\ufeff?[ \t\n\r]*$/.test(text);
}

/** The offset behind white space and comments. */
export function skipTrivia(text: string, offset: number): number {
	for (;;) {
		const from = offset;
		for (const pattern of [space, comment]) {
			pattern.lastIndex = offset;
			if (pattern.test(text)) offset = pattern.lastIndex;
		}
		if (offset === from) return offset;
	}
}

export function memberOf(node: JsonObject, key: string): JsonMember | undefined {
	return node.members.find(member => member.key === key);
}

/** The plain value of a node. */
export function toValue(node: JsonNode): unknown {
	if (node.kind === 'array') return node.items.map(toValue);
	if (node.kind === 'object')
		return Object.fromEntries(node.members.map(({key, value}) => [key, toValue(value)]));
	return node.value;
}

/** Line and column of an offset, counted from 1. */
function positionOf(text: string, offset: number): {line: number; column: number} {
	const before = text.slice(text.startsWith(byteOrderMark) ? 1 : 0, offset).split(/\r\n|\n|\r/);
	return {line: before.length, column: (before.at(-1)?.length ?? 0) + 1};
}

const space = /[ \t\n\r]*/y;
const token =
	/[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What may come next: a value or the end of an empty array, a key or the end of an empty object, and so on. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'nothing';

/**
 * The offset at which a text stops being JSON, or its length when it ends too early; `undefined` for JSON.
 * `JSON.parse` names no position for short texts.
 */
export function jsonErrorOffset(text: string): number | undefined {
	const open: string[] = [];
	let expected: Expected = 'value';
	let offset = 0;
	for (;;) {
		offset = endOf(space, text, offset) ?? offset;
		if (offset === text.length) return expected === 'nothing' ? undefined : offset;
		const end = endOf(token, text, offset);
		if (end === undefined) return offset;
		const next = step(expected, text.slice(offset, end), open);
		if (!next) return offset;
		expected = next;
		offset = end;
	}
}

function endOf(pattern: RegExp, text: string, from: number): number | undefined {
	pattern.lastIndex = from;
	return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** What may follow a token, or nothing when the token itself may not be here. `open` holds the brackets around it. */
function step(expected: Expected, part: string, open: string[]): Expected | undefined {
	const afterValue = () => (open.length === 0 ? 'nothing' : 'comma');
	const isClosing =
		(part === '}' && open.at(-1) === '{' && (expected === 'key or }' || expected === 'comma')) ||
		(part === ']' && open.at(-1) === '[' && (expected === 'value or ]' || expected === 'comma'));
	if (isClosing) {
		open.pop();
		return afterValue();
	}
	if (expected === 'key' || expected === 'key or }') return part.startsWith('"') ? 'colon' : undefined;
	if (expected === 'colon') return part === ':' ? 'value' : undefined;
	if (expected === 'comma') {
		if (part !== ',') return undefined;
		return open.at(-1) === '{' ? 'key' : 'value';
	}
	if (expected === 'nothing' || /^[}\],:]$/.test(part)) return undefined;
	if (part !== '{' && part !== '[') return afterValue();
	open.push(part);
	return part === '{' ? 'key or }' : 'value or ]';
}

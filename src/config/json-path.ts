const piece = /[ \t\n\r]*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+)/gy;

/**
 * The offset at which the value at a path begins in a text that is JSON: of its key, where it is in an object. Of the
 * nearest part of the path that is there, when not all of it is.
 */
export function jsonPathOffset(text: string, path: readonly PropertyKey[]): number {
	let found = {depth: -1, offset: 0};
	const at: (string | number)[] = [];
	const kinds: string[] = [];
	let key: {readonly name: string; readonly offset: number} | undefined;
	const matches = () =>
		at.length <= path.length && at.every((part, index) => String(path[index]) === String(part));
	const value = (offset: number) => {
		if (matches() && at.length > found.depth) found = {depth: at.length, offset: key?.offset ?? offset};
		key = undefined;
	};
	for (const match of text.matchAll(piece)) {
		const [whole, part = ''] = match;
		const offset = match.index + whole.length - part.length;
		if (part === '}' || part === ']') {
			kinds.pop();
			at.pop();
		} else if (part === ',') {
			if (kinds.at(-1) === '[') at.push((at.pop() as number) + 1);
		} else if (part === ':') {
			// What follows is the value of the key.
		} else if (kinds.at(-1) === '{' && key === undefined && isKeyAt(text, offset + part.length)) {
			key = {name: JSON.parse(part) as string, offset};
			at[kinds.length - 1] = key.name;
		} else {
			value(offset);
			if (part === '{' || part === '[') {
				kinds.push(part);
				at.push(part === '[' ? 0 : '');
			}
		}
	}
	return found.offset;
}

function isKeyAt(text: string, end: number): boolean {
	return /^[ \t\n\r]*:/.test(text.slice(end, end + 200));
}

/** Line and column of an offset, both from 1: `4:12`. */
export function positionAt(text: string, offset: number | undefined): string {
	const before = text.slice(0, offset).split('\n');
	return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

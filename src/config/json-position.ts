import {findNodeAtLocation, parseTree, visit} from 'jsonc-parser';

/**
 * The offset of the first JSON error in a text; `undefined` if it is valid. `JSON.parse` gives no position
 * for short texts.
 */
export function jsonErrorOffset(text: string): number | undefined {
	let first: number | undefined;
	const onError = (_: unknown, offset: number) => {
		first ??= offset;
	};
	return orStart(() => {
		visit(text, {onError}, {disallowComments: true});
		return first;
	});
}

/**
 * The offset of the value at a path in valid JSON, or of its key if it is an object's property. If part of
 * the path is missing, the offset of its nearest existing ancestor.
 */
export function jsonPathOffset(text: string, path: readonly PropertyKey[]): number {
	return orStart(() => {
		const root = parseTree(text);
		if (!root) return 0;
		for (let depth = path.length; depth > 0; depth--) {
			const node = findNodeAtLocation(root, path.slice(0, depth) as (string | number)[]);
			if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
		}
		return root.offset;
	});
}

/** Returns 0 for a text nested too deeply for the parser's stack. */
function orStart<Offset>(find: () => Offset): Offset | 0 {
	try {
		return find();
	} catch (error) {
		if (error instanceof RangeError) return 0;
		throw error;
	}
}

/** Line and column of an offset, both from 1: `4:12`. */
export function positionAt(text: string, offset: number | undefined): string {
	const before = text.slice(0, offset).split('\n');
	return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

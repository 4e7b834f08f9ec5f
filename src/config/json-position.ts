import {findNodeAtLocation, parseTree, visit} from 'jsonc-parser';

/**
 * The offset at which a text stops being JSON, or its length when it ends too early; `undefined` for JSON.
 * `JSON.parse` names no position for short texts.
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
 * The offset at which the value at a path begins in a text that is JSON: of its key, where it is in an object. Of the
 * nearest part of the path that is there, when not all of it is.
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

/** The start of a text that is nested more deeply than the parser's stack. */
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

/** The start of a file's name after an `@` in a text: from the `@` up to the cursor. */
export type Mention = {readonly start: number; readonly query: string};

/** No name is looked for further back than this, UTF-16 units. */
const reach = 256;
/** An `@` at the start of a word; folded pastes (private code points) are no part of a name. */
const pattern = /(?:^|[\s([{"'`])@([^\s@\u{f0000}-\u{ffffd}]*)$/u;

/** The mention that ends at the cursor, if there is one. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
	const from = Math.max(0, cursor - reach);
	const query = pattern.exec(text.slice(from, cursor))?.[1];
	return query === undefined ? undefined : {start: cursor - query.length - 1, query};
}

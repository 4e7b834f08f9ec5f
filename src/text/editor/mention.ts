/** A partial file name: `start` is the index of its `@`, `query` the text from there to the cursor. */
export type Mention = {readonly start: number; readonly query: string};

/** How far back to search for the `@`, in UTF-16 units. */
const maxMentionLength = 256;
/** An `@` at the start of a word; folded pastes (private-use code points) aren't part of a name. */
const pattern = /(?:^|[\s([{"'`])@([^\s@\u{f0000}-\u{ffffd}]*)$/u;

/** The mention that ends at the cursor, if any. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
	const from = Math.max(0, cursor - maxMentionLength);
	const query = pattern.exec(text.slice(from, cursor))?.[1];
	return query === undefined ? undefined : {start: cursor - query.length - 1, query};
}

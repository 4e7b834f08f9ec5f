/** A partial file name: `start` is the index of its `@`, `query` the text from there to the cursor, without a quote. */
export type Mention = {readonly start: number; readonly query: string};

/** How far back to search for the `@`, in UTF-16 units. */
const maxMentionLength = 256;
/**
 * An `@` at the start of a word, or with a quote and then also blanks; folded pastes (private-use code points) aren't part
 * of a name.
 */
const pattern = /(?<=^|[\s([{"'`])@(?:"([^"\n\u{f0000}-\u{ffffd}]*)|([^\s"\u{f0000}-\u{ffffd}]*))$/u;

/** The mention that ends at the cursor, if any. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
	const from = Math.max(0, cursor - maxMentionLength);
	const found = pattern.exec(text.slice(from, cursor));
	return found ? {start: from + found.index, query: found[1] ?? found[2] ?? ''} : undefined;
}

/** The start of a mention, up to and with a folder: what is typed next goes on with it. */
export function mentionOf(folder: string): string {
	return /\s/.test(folder) ? `@"${folder}` : `@${folder}`;
}

/** Whether a name can be written in a message: it has no control, invisible or undecodable characters. */
export function isWritable(path: string): boolean {
	return !/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufffd]|(?![\u200c\u200d])\p{Cf}/u.test(path);
}

/** Writes a path as a shell reads it, or for an agent so that its end is clear. */
export function writtenPath(path: string, isForShell: boolean): string {
	if (!isForShell)
		return /[^\p{L}\p{M}\p{N}_@%+=:,./~-]/u.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path;
	const [home = ''] = /^~\//.exec(path) ?? [];
	const rest = (path.startsWith('-') ? './' : '') + path.slice(home.length);
	return home + (/[^\p{L}\p{M}\p{N}_@%+:,./-]/u.test(rest) ? `'${rest.replaceAll("'", "'\\''")}'` : rest);
}

/** The first line of a code block, such as "```ts", and its marks. */
type Fence = {readonly line: string; readonly marks: string};

/** How far a text was read, and the fence that is open there; none outside of code. */
export type FenceState = {readonly text: string; readonly end: number; readonly open: Fence | undefined};

const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/gm;

/**
 * Reads a text's fences up to `end`, the start of a line. If the text only grew since `before`, it is read on from
 * there. Fences within lists and quotes don't count.
 */
export function readFences(text: string, end: number, before?: FenceState): FenceState {
	const from = before && isContinued(text, end, before) ? before : undefined;
	const fences = new RegExp(fenceLine);
	fences.lastIndex = from?.end ?? 0;
	let open = from?.open;
	for (let found = fences.exec(text); found && found.index < end; found = fences.exec(text))
		open = openAfter(open, found);
	return {text, end, open};
}

function isContinued(text: string, end: number, before: FenceState): boolean {
	return before.end <= end && (before.text === text || text.startsWith(before.text.slice(0, before.end)));
}

function openAfter(
	open: Fence | undefined,
	[line, marks = '', words = '']: RegExpExecArray,
): Fence | undefined {
	if (open) return marks.startsWith(open.marks) && words.trim() === '' ? undefined : open;
	// Such a line is code within prose.
	if (marks.startsWith('`') && words.includes('`')) return undefined;
	return {line: line.trim(), marks};
}

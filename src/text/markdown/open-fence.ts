/** The first line of a code block, such as "```ts", and its marks. */
export type Fence = {readonly line: string; readonly marks: string};

/** The fence that is open at the end of a text that begins inside of `open`; fences in lists and quotes don't count. */
export function openFence(text: string, open?: Fence): Fence | undefined {
	let fence = open;
	for (const [line, marks = '', words = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
		// Such a line is code within prose.
		const isInline = marks.startsWith('`') && words.includes('`');
		if (!fence) fence = isInline ? undefined : {line: line.trim(), marks};
		else if (marks.startsWith(fence.marks) && words.trim() === '') fence = undefined;
	}
	return fence;
}

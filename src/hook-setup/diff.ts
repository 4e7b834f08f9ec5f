/** One line of a shown difference. Texts are raw, without their line ends. */
export type DiffLine = {
	readonly kind: 'same' | 'added' | 'removed' | 'place' | 'note';
	readonly text: string;
};

const context = 3;
/** Above so many pairs of lines no shortest difference is looked for: all between the changes counts as changed. */
const maxPairs = 4_000_000;

/** The difference of two texts by lines, with three lines around each change. An absent text has no lines. */
export function diffLines(before: string | undefined, after: string | undefined): DiffLine[] {
	const edits = compare(linesOf(before), linesOf(after));
	const shown: DiffLine[] = [];
	for (const {from, to} of hunks(edits)) {
		const part = edits.slice(from, to);
		const old = rangeOf(edits.slice(0, from), part, 'added');
		const now = rangeOf(edits.slice(0, from), part, 'removed');
		shown.push({kind: 'place', text: `@@ -${old} +${now} @@`});
		for (const line of part) {
			shown.push({kind: line.kind, text: line.text.replace(/\r?\n$/, '')});
			if (!line.text.endsWith('\n')) shown.push({kind: 'note', text: 'no line end at the end of the file'});
		}
	}
	return shown;
}

/** First line and count on one side, which lacks the lines of one kind; before the first line where there are none. */
function rangeOf(earlier: readonly DiffLine[], part: readonly DiffLine[], lacking: DiffLine['kind']): string {
	const [before, count] = [earlier, part].map(lines => lines.filter(({kind}) => kind !== lacking).length);
	return `${(before ?? 0) + (count ? 1 : 0)},${count}`;
}

/** Lines with their ends, so that a changed end is a changed line. */
function linesOf(text: string | undefined): string[] {
	return text?.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compare(old: readonly string[], now: readonly string[]): DiffLine[] {
	let head = 0;
	while (head < old.length && head < now.length && old[head] === now[head]) head++;
	let tail = 0;
	const shorter = Math.min(old.length, now.length) - head;
	while (tail < shorter && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
	return [
		...old.slice(0, head).map(text => ({kind: 'same', text}) as const),
		...compareMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
		...old.slice(old.length - tail).map(text => ({kind: 'same', text}) as const),
	];
}

/** The longest common lines stay; at each change what goes stands before what comes. */
function compareMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
	const lines: DiffLine[] = [];
	const common = old.length * now.length <= maxPairs ? commonLengths(old, now) : undefined;
	const at = (i: number, j: number) => common?.[i]?.[j] ?? 0;
	let [i, j] = [0, 0];
	while (i < old.length || j < now.length) {
		const [was, is] = [old[i], now[j]];
		if (common && was !== undefined && was === is) {
			lines.push({kind: 'same', text: was});
			i++;
			j++;
		} else if (was !== undefined && (is === undefined || at(i + 1, j) >= at(i, j + 1))) {
			lines.push({kind: 'removed', text: was});
			i++;
		} else if (is !== undefined) {
			lines.push({kind: 'added', text: is});
			j++;
		}
	}
	return lines;
}

/** `[i][j]`: how many lines the rests from `i` and `j` on have in common. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array[] {
	const table = Array.from({length: old.length + 1}, () => new Uint32Array(now.length + 1));
	for (let i = old.length - 1; i >= 0; i--)
		for (let j = now.length - 1; j >= 0; j--) {
			const [row, below] = [table[i], table[i + 1]] as [Uint32Array, Uint32Array];
			row[j] = old[i] === now[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
		}
	return table;
}

/** Runs of lines that hold changes with their context. */
function hunks(lines: readonly DiffLine[]): {from: number; to: number}[] {
	const found: {from: number; to: number}[] = [];
	for (const [index, {kind}] of lines.entries()) {
		if (kind === 'same') continue;
		const from = Math.max(0, index - context);
		const to = Math.min(lines.length, index + 1 + context);
		const last = found.at(-1);
		if (last && from <= last.to) last.to = to;
		else found.push({from, to});
	}
	return found;
}

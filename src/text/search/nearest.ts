/** Maximum edits for a typo, as a share of the word's length. */
const maxEditShare = 0.5;

/** The word probably meant: the one with the fewest edits, or undefined if even that has too many. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
	let best: string | undefined;
	let fewest = Math.max(1, Math.ceil(word.length * maxEditShare)) + 1;
	for (const candidate of words) {
		const edits = editsBetween(word.toLowerCase(), candidate.toLowerCase());
		if (edits >= fewest) continue;
		fewest = edits;
		best = candidate;
	}
	return best;
}

/** Edit distance: insertions, deletions, replacements and swaps of adjacent characters. */
function editsBetween(from: string, to: string): number {
	let before: number[] = [];
	let last = Array.from({length: to.length + 1}, (_, index) => index);
	for (let row = 1; row <= from.length; row++) {
		const next = [row];
		for (let at = 1; at <= to.length; at++) {
			const isSame = from[row - 1] === to[at - 1];
			let edits = Math.min(
				(last[at] as number) + 1,
				(next[at - 1] as number) + 1,
				(last[at - 1] as number) + (isSame ? 0 : 1),
			);
			const isSwap = row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
			if (isSwap) edits = Math.min(edits, (before[at - 2] as number) + 1);
			next.push(edits);
		}
		before = last;
		last = next;
	}
	return last[to.length] as number;
}

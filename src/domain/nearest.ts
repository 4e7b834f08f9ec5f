import {closestMatch} from 'leven';

/** Maximum edits for a typo, as a share of the word's length. */
const maxEditShare = 0.5;

/** The word probably meant, of words in lower case: the one with the fewest edits, or undefined if even that has too many. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
	return closestMatch(word.toLowerCase(), [...words], {
		maxDistance: Math.max(1, Math.ceil(word.length * maxEditShare)),
	});
}

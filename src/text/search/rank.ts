import {type FuzzyMatch, fuzzyMatch, isWordStart} from './fuzzy.ts';

/** An item searchable by its name and by hidden words. */
export type Rankable = {
	readonly id: string;
	readonly name: string;
	readonly words: string;
	/** Subtracted from the score: ranks what can't be done now below what can. */
	readonly penalty?: number;
};

/** A matching item, and the matched UTF-16 units of its name. */
export type Found<Item> = {readonly item: Item; readonly matches: readonly number[]};

/** A match spread over more than this many times the query's length counts as accidental. */
const spread = 2;
/** Weight of a match in hidden words, relative to one in the name. */
const hiddenShare = 0.4;
/** Bonus for the most recently used item; earlier ones get less. */
const recency = 10;

/**
 * Returns the items that match every word of the query, best first; ties keep their order. A word matches as
 * a subsequence: its characters are close together, or each run of them starts a word. `recent` are ids,
 * newest first: with an empty query, these items come first.
 */
export function rank<Item extends Rankable>(
	query: string,
	items: readonly Item[],
	recent: readonly string[],
): Found<Item>[] {
	const wanted = query.split(' ').filter(Boolean);
	const places = new Map(recent.map((id, index) => [id, index]));
	const found: (Found<Item> & {score: number})[] = [];
	for (const item of items) {
		const fit = fitOf(wanted, item);
		if (!fit) continue;
		const place = places.get(item.id);
		const score = fit.score + (place === undefined ? 0 : recency / (place + 1)) - (item.penalty ?? 0);
		found.push({item, matches: fit.matches, score});
	}
	return found.sort((a, b) => b.score - a.score);
}

function fitOf(wanted: readonly string[], {name, words}: Rankable) {
	const matches: number[] = [];
	let score = 0;
	for (const word of wanted) {
		const inName = matchOf(word, name);
		const inWords = inName ? undefined : matchOf(word, words);
		if (inName) {
			score += inName.score;
			matches.push(...inName.matches);
		} else if (inWords) score += inWords.score * hiddenShare;
		else return undefined;
	}
	return {score, matches};
}

function matchOf(word: string, text: string): FuzzyMatch | undefined {
	const match = fuzzyMatch(word, text);
	if (!match) return undefined;
	const [first = 0] = match.matches;
	const span = (match.matches.at(-1) ?? first) - first + 1;
	const isClose = span <= word.length * spread;
	return isClose || match.matches.every((at, index) => isRunOn(match.matches, index) || isWordStart(text, at))
		? match
		: undefined;
}

function isRunOn(matches: readonly number[], index: number): boolean {
	return index > 0 && matches[index] === (matches[index - 1] as number) + 1;
}

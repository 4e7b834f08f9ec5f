import {type FuzzyMatch, fuzzyMatch, isWordStart} from './fuzzy.ts';

/** Something that is found by its name, or by other words that are not shown. */
export type Rankable = {
	readonly id: string;
	readonly name: string;
	readonly words: string;
	/** Taken from the score: what can't be done now stands behind what can. */
	readonly penalty?: number;
};

/** One that fits, and which UTF-16 units of its name matched. */
export type Found<Item> = {readonly item: Item; readonly matches: readonly number[]};

/** What is spread over more than this many times its length is no match of words: it is an accident. */
const spread = 2;
/** A match in words that nobody sees counts for a part of one in the name. */
const hiddenShare = 0.4;
/** What was used last goes before what fits as well; what was used before that for less. */
const recency = 10;

/**
 * The items that hold every word of the query, best first; of equals the first stays first. A word is held as a
 * subsequence: its characters close together, or each run of them at the start of a word.
 * `recent` are ids, the newest first: with nothing typed they stand at the top.
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

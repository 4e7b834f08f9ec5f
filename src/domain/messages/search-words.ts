const isWord = /[\p{L}\p{N}]/u;
/** A word as the search index sees it; everything else separates words. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Scripts written without spaces, where a word may begin anywhere: each character is indexed as a word. */
const unspacedScripts =
	'[\\p{Script_Extensions=Han}\\p{Script_Extensions=Hiragana}\\p{Script_Extensions=Katakana}\\p{Script=Hangul}]';
export const unspaced = new RegExp(unspacedScripts, 'gu');
const beginsUnspaced = new RegExp(`^${unspacedScripts}`, 'u');
const endsUnspaced = new RegExp(`${unspacedScripts}$`, 'u');

/** Words that must stand together. The last one may be the beginning of a word, unless the term is exact (quoted). */
export type SearchTerm = {readonly text: string; readonly isExact: boolean};

/** The terms of a query: what is in quotes, and what spaces separate. A quote still open is being typed. */
export function searchTerms(query: string): SearchTerm[] {
	return [...query.matchAll(/"([^"]*)"(?=\s|$)|"([^"]*)$|\S+/g)]
		.map(([whole, quoted, open]) => ({text: quoted ?? open ?? whole, isExact: quoted !== undefined}))
		.filter(({text}) => isWord.test(text));
}

/**
 * A pattern for what the search index finds, ignoring case; undefined without words. Of several terms, each is a group;
 * the first group is all of them together, as typed.
 */
export function searchPattern(query: string): RegExp | undefined {
	const terms = searchTerms(query);
	const [first, ...others] = terms;
	if (!first) return undefined;
	if (others.length === 0) return new RegExp(termPattern(first), 'giu');
	const isExact = terms.at(-1)?.isExact === true;
	const phrase = termPattern({text: terms.map(({text}) => text).join(' '), isExact});
	return new RegExp([phrase, ...terms.map(termPattern)].map(part => `(${part})`).join('|'), 'giu');
}

function termPattern({text, isExact}: SearchTerm): string {
	const words = text.match(word) ?? [];
	const parts = words.flatMap((one, index) => {
		const before = words[index - 1];
		if (before === undefined) return beginsUnspaced.test(one) ? [one] : ['(?<![\\p{L}\\p{N}])', one];
		const mayTouch = endsUnspaced.test(before) || beginsUnspaced.test(one);
		return [`[^\\p{L}\\p{N}]${mayTouch ? '*' : '+'}`, one];
	});
	const isWhole = isExact && !endsUnspaced.test(words.at(-1) ?? '');
	return `${parts.join('')}\\p{M}*${isWhole ? '(?![\\p{L}\\p{N}])' : ''}`;
}

/** A place that a search pattern matches; the position is in rows or UTF-16 units. */
export type SearchPlace = {
	readonly position: number;
	readonly isPhrase: boolean;
	/** Number of the term's group. */
	readonly term: number;
};

export function placeOf(match: RegExpMatchArray, position: number): SearchPlace {
	let term = 1;
	while (term < match.length && match[term] === undefined) term++;
	return {position, isPhrase: match[1] !== undefined, term};
}

/** The place to show first: its index, and how many different terms stand there. */
type BestPlace = {readonly index: number; readonly terms: number};

/**
 * Of places in reading order, the best one: the first phrase, or else the beginning of the shortest stretch, at most
 * `reach` long, with the most different terms.
 */
export function bestPlace(places: readonly SearchPlace[], reach: number): BestPlace {
	const phrase = places.findIndex(({isPhrase}) => isPhrase);
	if (phrase >= 0) return {index: phrase, terms: Number.POSITIVE_INFINITY};
	let best = {index: 0, terms: 0, length: 0};
	/** The last place of each term so far. */
	const last = new Map<number, number>();
	for (const [end, {term, position}] of places.entries()) {
		last.set(term, end);
		let [index, terms, length] = [end, 0, 0];
		for (const at of last.values()) {
			const distance = position - (places[at]?.position ?? 0);
			if (distance > reach) continue;
			terms++;
			index = Math.min(index, at);
			length = Math.max(length, distance);
		}
		if (terms > best.terms || (terms === best.terms && length < best.length)) best = {index, terms, length};
	}
	return best;
}

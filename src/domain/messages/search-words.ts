/** Scripts written without spaces, where a word may begin anywhere: each character is indexed as a word. */
const unspaced =
	'[\\p{Script_Extensions=Han}\\p{Script_Extensions=Hiragana}\\p{Script_Extensions=Katakana}\\p{Script=Hangul}]';

// Patterns of Unicode properties take long to compile, so none is compiled at the start.
const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text);
const beginsUnspaced = (text: string) => new RegExp(`^${unspaced}`, 'u').test(text);
const endsUnspaced = (text: string) => new RegExp(`${unspaced}$`, 'u').test(text);

/** Sets off each character of these scripts by spaces, so that the index takes it for a word. */
export function spacedOut(text: string): string {
	return text.replace(new RegExp(unspaced, 'gu'), ' $& ');
}

/**
 * Words that must occur next to each other. The last one may be the beginning of a word, unless the term is exact
 * (quoted).
 */
type SearchTerm = {readonly text: string; readonly isExact: boolean};

/** Splits a query into terms, at spaces outside quotes. An open quote is still being typed. */
export function searchTerms(query: string): SearchTerm[] {
	return [...query.matchAll(/"([^"]*)"(?=\s|$)|"([^"]*)$|\S+/g)]
		.map(([whole, quoted, open]) => ({text: quoted ?? open ?? whole, isExact: quoted !== undefined}))
		.filter(({text}) => hasWord(text));
}

/** Characters of a query to make a pattern of: it takes long to compile, and typing waits for it. */
const maxPattern = 120;

/**
 * A pattern that matches like the search index, ignoring case and diacritics; undefined without words. With several
 * terms, each is a group, and the first group is all of them together, as typed. Only the beginning of a long query
 * counts.
 */
export function searchPattern(query: string): RegExp | undefined {
	const terms = searchTerms(query.slice(0, maxPattern));
	const [first, ...others] = terms;
	if (!first) return undefined;
	if (others.length === 0) return new RegExp(termPattern(first), 'giu');
	const isExact = terms.at(-1)?.isExact === true;
	const phrase = termPattern({text: terms.map(({text}) => text).join(' '), isExact});
	return new RegExp([phrase, ...terms.map(termPattern)].map(part => `(${part})`).join('|'), 'giu');
}

function termPattern({text, isExact}: SearchTerm): string {
	// Words as the search index sees them; everything else separates words.
	const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
	const parts = words.flatMap((one, index) => {
		const before = words[index - 1];
		const word = anyDiacritics(one);
		if (before === undefined) return beginsUnspaced(one) ? [word] : ['(?<![\\p{L}\\p{N}])', word];
		const mayTouch = endsUnspaced(before) || beginsUnspaced(one);
		return [`[^\\p{L}\\p{N}]${mayTouch ? '*' : '+'}`, word];
	});
	const isWhole = isExact && !endsUnspaced(words.at(-1) ?? '');
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

/** The place to show first: its index, and how many different terms occur there. */
type BestPlace = {readonly index: number; readonly terms: number};

/**
 * Picks the best of the places in reading order: the first phrase, or else the start of the shortest stretch, at most
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

/** Combining marks that may follow a Latin letter. */
const marks = '[\\u0300-\\u036f]*';

/** The letters with diacritics in Latin-1, the Latin extensions A and B, and the additional ones. */
const ranges = [
	[0xc0, 0x24f],
	[0x1e00, 0x1eff],
] as const;

let variants: ReadonlyMap<string, string> | undefined;

/** A pattern for a word with any diacritics on its Latin letters: the search index ignores them, and so does case. */
function anyDiacritics(word: string): string {
	let pattern = '';
	let isLatin = false;
	for (const letter of word) {
		if (isLatin && /[\u0300-\u036f]/.test(letter)) continue;
		const base = baseOf(letter);
		isLatin = base !== undefined;
		pattern += base === undefined ? letter : `[${base}${variantsOf(base)}]${marks}`;
	}
	return pattern;
}

/** The Latin letter without its diacritics, in lower case; undefined for other characters. */
function baseOf(letter: string): string | undefined {
	const base = letter.normalize('NFD')[0]?.toLowerCase() ?? '';
	return /^[a-z]$/.test(base) ? base : undefined;
}

/** The letters that are this one with diacritics. */
function variantsOf(base: string): string {
	variants ??= allVariants();
	return variants.get(base) ?? '';
}

function allVariants(): ReadonlyMap<string, string> {
	const found = new Map<string, string>();
	for (const [from, to] of ranges)
		for (let code = from; code <= to; code++) {
			const letter = String.fromCodePoint(code);
			const base = baseOf(letter);
			const lower = letter.toLowerCase();
			// The other case is found as well, unless it has no counterpart of one letter.
			if (base !== undefined && (lower === letter || lower.length > 1))
				found.set(base, (found.get(base) ?? '') + letter);
		}
	return found;
}

import {cleanLine} from '../cells/clean.ts';
import {type Line, span, type Tone} from '../cells/line.ts';

/** How well a path matches a query, and the indexes of the matched UTF-16 units. */
type FuzzyMatch = {readonly score: number; readonly matches: readonly number[]};
type Ranked = FuzzyMatch & {readonly path: string};

const points = {unit: 4, next: 8, run: -4, wordStart: 6, nameStart: 10, inName: 40, exact: 30} as const;

/**
 * Matches `query` as a subsequence of `path`. Consecutive characters, word starts and the last path segment
 * score higher. Ignores case unless the query has a capital letter. An empty query matches everything.
 */
export function fuzzyMatch(query: string, path: string): FuzzyMatch | undefined {
	const isExact = query !== query.toLowerCase();
	const text = isExact ? path : path.toLowerCase();
	const name = path.lastIndexOf('/', path.length - 2) + 1;
	const from = query.includes('/') ? undefined : name;
	const inName = from === undefined ? undefined : compactMatch(query, text, from);
	const compact = inName ?? compactMatch(query, text, 0);
	if (!compact) return undefined;
	const extra = (inName ? points.inName : 0) + (text.slice(name) === query ? points.exact : 0);
	const score = (matches: readonly number[]) => extra + scoreOf(matches, path, name) - path.length / 64;
	const start = inName ? name : 0;
	let best = {score: score(compact), matches: compact};
	for (const other of [substringMatch(query, text, path, start), wordStartMatch(query, text, path, start)]) {
		const otherScore = other ? score(other) : 0;
		if (other && otherScore > best.score) best = {score: otherScore, matches: other};
	}
	return best;
}

function scoreOf(matches: readonly number[], path: string, name: number): number {
	let score = 0;
	for (const [at, index] of matches.entries()) {
		score += points.unit;
		if (at > 0) score += matches[at - 1] === index - 1 ? points.next : points.run;
		if (index === name) score += points.nameStart;
		else if (isWordStart(path, index)) score += points.wordStart;
	}
	return score;
}

/** The `limit` best matches, best first, and the number of all matches. */
export function bestMatches(
	query: string,
	paths: readonly string[],
	limit: number,
): {readonly best: readonly Ranked[]; readonly total: number} {
	const best: Ranked[] = [];
	let total = 0;
	for (const path of paths) {
		const match = fuzzyMatch(query, path);
		if (!match) continue;
		total++;
		const last = best.at(-1);
		if (best.length >= limit && last && match.score <= last.score) continue;
		const index = best.findIndex(({score}) => score < match.score);
		best.splice(index === -1 ? best.length : index, 0, {...match, path});
		if (best.length > limit) best.pop();
	}
	return {best, total};
}

/** Scans forward until the query is complete, then back from there, so that the match is compact. */
function compactMatch(query: string, text: string, from: number): number[] | undefined {
	let end = from - 1;
	for (const unit of query.split('')) {
		end = text.indexOf(unit, end + 1);
		if (end === -1) return undefined;
	}
	const matches: number[] = [];
	let at = end;
	for (let index = query.length - 1; index >= 0; index--, at--) {
		at = text.lastIndexOf(query[index] as string, at);
		matches.unshift(at);
	}
	return matches;
}

/** The whole query as a substring: at a word start if possible, else its first occurrence. */
function substringMatch(query: string, text: string, path: string, from: number): number[] | undefined {
	const first = query === '' ? -1 : text.indexOf(query, from);
	if (first === -1) return undefined;
	let at = first;
	while (at !== -1 && !isWordStart(path, at)) at = text.indexOf(query, at + 1);
	const start = at === -1 ? first : at;
	return query.split('').map((_, index) => start + index);
}

/** Matches runs that each start a word, as `ns` in `new session`; undefined if there are none. */
function wordStartMatch(query: string, text: string, path: string, from: number): number[] | undefined {
	const matches: number[] = [];
	let end = from - 1;
	for (const unit of query.split('')) {
		if (matches.length > 0 && text[end + 1] === unit) end += 1;
		else {
			do end = text.indexOf(unit, end + 1);
			while (end !== -1 && !isWordStart(path, end));
			if (end === -1) return undefined;
		}
		matches.push(end);
	}
	return matches;
}

function isWordStart(path: string, index: number): boolean {
	if (index === 0 || /[/._\- ]/.test(path[index - 1] as string)) return true;
	return /[a-z]/.test(path[index - 1] as string) && /[A-Z]/.test(path[index] as string);
}

/** An item searchable by its name and by hidden words. */
export type Rankable = {
	readonly id: string;
	readonly name: string;
	readonly words: string;
	/** Subtracted from the score: ranks disabled items below enabled ones. */
	readonly penalty?: number;
};

/** A matching item, and the matched UTF-16 units of its name. */
export type Found<Item> = {readonly item: Item; readonly matches: readonly number[]};

/** A match spread over more than this many times the query's length counts as accidental. */
const maxSpread = 2;
/** Weight of a match in hidden words, relative to one in the name. */
const hiddenWeight = 0.4;
/** Bonus for the most recently used item; earlier ones get less. */
const recencyBonus = 10;

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
	const recentRanks = new Map(recent.map((id, index) => [id, index]));
	const found: (Found<Item> & {score: number})[] = [];
	for (const item of items) {
		const fit = fitOf(wanted, item);
		if (!fit) continue;
		const recentRank = recentRanks.get(item.id);
		const score =
			fit.score + (recentRank === undefined ? 0 : recencyBonus / (recentRank + 1)) - (item.penalty ?? 0);
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
		} else if (inWords) score += inWords.score * hiddenWeight;
		else return undefined;
	}
	return {score, matches};
}

function matchOf(word: string, text: string): FuzzyMatch | undefined {
	const match = fuzzyMatch(word, text);
	if (!match) return undefined;
	const [first = 0] = match.matches;
	const span = (match.matches.at(-1) ?? first) - first + 1;
	const isClose = span <= word.length * maxSpread;
	return isClose ||
		match.matches.every((at, index) => continuesRun(match.matches, index) || isWordStart(text, at))
		? match
		: undefined;
}

function continuesRun(matches: readonly number[], index: number): boolean {
	return index > 0 && matches[index] === (matches[index - 1] as number) + 1;
}

/** One line of untrusted text with the units at `matches` (UTF-16, in the raw text) highlighted. */
export function highlightedText(
	text: string,
	matches: readonly number[],
	{tone}: {readonly tone?: Tone} = {},
): Line {
	if (matches.length === 0) return [span(cleanLine(text, 255), tone)];
	const highlighted = new Set(matches);
	const runs: {text: string; isHighlighted: boolean}[] = [];
	let index = 0;
	for (const character of text) {
		const isHighlighted = highlighted.has(index);
		index += character.length;
		const last = runs.at(-1);
		if (last?.isHighlighted === isHighlighted) last.text += character;
		else runs.push({text: character, isHighlighted});
	}
	return runs.map(run =>
		run.isHighlighted
			? span(cleanLine(run.text, 255), 'accent', {bold: true})
			: span(cleanLine(run.text, 255), tone),
	);
}

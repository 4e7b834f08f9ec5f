/** Combining marks that may follow a Latin letter. */
const marks = '[\\u0300-\\u036f]*';

/** The letters with diacritics in Latin-1, the Latin extensions A and B, and the additional ones. */
const ranges = [
	[0xc0, 0x24f],
	[0x1e00, 0x1eff],
] as const;

let variants: ReadonlyMap<string, string> | undefined;

/** A pattern for a word with any diacritics on its Latin letters: the search index ignores them, and so does case. */
export function anyDiacritics(word: string): string {
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

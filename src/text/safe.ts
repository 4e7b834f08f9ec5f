declare const safeBrand: unique symbol;

/** Text that is safe to write to the terminal. Only `cleanText`, `cleanLine` and `safe` make it. */
export type Safe = string & {readonly [safeBrand]: true};

/** Our own literals, with cleaned text and numbers put in: safe`${name} is up`. */
export function safe(parts: TemplateStringsArray, ...values: readonly (Safe | number)[]): Safe {
	return String.raw({raw: parts.map(part => part)}, ...values) as Safe;
}

/** For src/text alone: pieces of safe text, cut between graphemes or put together again. */
export function stillSafe(pieces: string): Safe {
	return pieces as Safe;
}

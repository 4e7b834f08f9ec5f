declare const safeBrand: unique symbol;

/** Text that is safe to write to the terminal. Created only by `cleanText`, `cleanLine` and `safe`. */
export type Safe = string & {readonly [safeBrand]: true};

/** Builds safe text from literals, cleaned text and numbers: safe`${name} is up`. */
export function safe(parts: TemplateStringsArray, ...values: readonly (Safe | number)[]): Safe {
	return String.raw({raw: parts}, ...values) as Safe;
}

/** Only for src/text: marks pieces or joins of safe text as safe. */
export function stillSafe(pieces: string): Safe {
	return pieces as Safe;
}

export function joinSafe(pieces: readonly Safe[], separator: Safe): Safe {
	return pieces.join(separator) as Safe;
}

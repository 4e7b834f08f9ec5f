/** One term as it is typed, with the place it has in the text (UTF-16 units). */
export type FilterToken = {
	readonly start: number;
	readonly end: number;
	readonly isNot: boolean;
	/** `s` of `s:idle`, `#` of a tag, as typed; absent for a word. */
	readonly key?: string;
	/** Without quotes and escapes. */
	readonly value: string;
	/** Where the value begins. */
	readonly valueStart: number;
	/** Is a quote still open at its end? */
	readonly isOpen: boolean;
};

const isSpace = (char: string | undefined) => char !== undefined && /\s/.test(char);

/**
 * A filter taken apart at its spaces. `"` begins and ends a part in which spaces count, `\` takes the next character as
 * it is, each `!` before a term turns it round.
 */
export function scanFilter(text: string): FilterToken[] {
	const tokens: FilterToken[] = [];
	let at = 0;
	while (at < text.length) {
		if (isSpace(text[at])) {
			at++;
			continue;
		}
		const token = scanToken(text, at);
		tokens.push(token);
		at = token.end;
	}
	return tokens;
}

function scanToken(text: string, start: number): FilterToken {
	let at = start;
	while (text[at] === '!') at++;
	const isNot = (at - start) % 2 === 1;
	const key = /^(?:#|[a-z]+:)/i.exec(text.slice(at, at + 20))?.[0];
	if (key !== undefined) at += key.length;
	const valueStart = at;
	let value = '';
	let isOpen = false;
	for (; at < text.length && (isOpen || !isSpace(text[at])); at++) {
		if (text[at] === '"') isOpen = !isOpen;
		else {
			if (text[at] === '\\' && at + 1 < text.length) at++;
			value += text[at];
		}
	}
	const name = key?.replace(/:$/, '').toLowerCase();
	return {start, end: at, isNot, ...(name !== undefined && {key: name}), value, valueStart, isOpen};
}

/** A value as it has to be typed: in quotes where it would not be read as one plain word. */
export function quoted(value: string): string {
	const isPlain = value !== '' && !/[\s"\\]/.test(value) && !/^[!#]|^[a-z]+:/i.test(value);
	return isPlain ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

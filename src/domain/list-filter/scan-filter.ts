/** One term as typed, with its position in the text (UTF-16 code units). */
export type FilterToken = {
	readonly start: number;
	readonly end: number;
	readonly isNot: boolean;
	/** The prefix as typed: `s` in `s:idle`, `#` for a tag; absent for a plain word. */
	readonly key?: string;
	/** The value without quotes and escapes. */
	readonly value: string;
	/** Start offset of the value. */
	readonly valueStart: number;
	/** Whether a quote is still open at the end. */
	readonly isOpen: boolean;
};

const isSpace = (char: string | undefined) => char !== undefined && /\s/.test(char);

/**
 * Splits a filter at spaces. `"` delimits a part that may contain spaces, `\` escapes the next character, and
 * each `!` before a term negates it.
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

/** Quotes a value if it would not scan as one plain word. */
export function quoted(value: string): string {
	const isPlain = value !== '' && !/[\s"\\]/.test(value) && !/^[!#]|^[a-z]+:/i.test(value);
	return isPlain ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

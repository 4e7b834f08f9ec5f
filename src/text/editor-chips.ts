import {cleanLine} from './clean.ts';
import {lineCount} from './fold.ts';
import {type Safe, safe} from './safe.ts';
import {byteSize} from './size.ts';

/**
 * A big paste is one private code point in the text, so that it moves and is deleted as one. Text that holds such code
 * points of its own is always folded: nothing the user typed is ever taken for a chip.
 */
const firstChip = 0xf0000;
const lastChip = 0xffffd;
const chip = /[\u{f0000}-\u{ffffd}]/gu;

const bigLines = 8;
const bigLength = 1000;

/** A paste as it stands in the text: itself when it is small, else a chip. Line ends become LF. */
export function foldPaste(
	raw: string,
	pastes: readonly string[],
): {token: string; pastes: readonly string[]} {
	const text = normalLines(raw);
	const isBig = text.length > bigLength || lineCount(text) > bigLines;
	return isBig ? asChip(text, pastes) : keepPlain(text, pastes);
}

/** Text that isn't folded for its size: typed, or taken from the history. */
export function keepPlain(
	raw: string,
	pastes: readonly string[],
): {token: string; pastes: readonly string[]} {
	const text = normalLines(raw);
	return text.search(chip) === -1 ? {token: text, pastes} : asChip(text, pastes);
}

function asChip(text: string, pastes: readonly string[]): {token: string; pastes: readonly string[]} {
	if (firstChip + pastes.length > lastChip) return {token: text.replaceAll(chip, '\ufffd'), pastes};
	return {token: String.fromCodePoint(firstChip + pastes.length), pastes: [...pastes, text]};
}

/** A text with its pastes put back. */
export function unfold(text: string, pastes: readonly string[]): string {
	return text.replaceAll(chip, token => pasteOf(token, pastes) ?? token);
}

/** The paste a grapheme stands for, if it is a chip. */
export function pasteOf(grapheme: string, pastes: readonly string[]): string | undefined {
	const code = grapheme.codePointAt(0) ?? 0;
	return code >= firstChip && code <= lastChip ? pastes[code - firstChip] : undefined;
}

/** How a chip is drawn. */
export function chipLabel(paste: string): Safe {
	const lines = lineCount(paste);
	if (lines > 1) return safe`[pasted ${lines} lines]`;
	return safe`[pasted ${byteSize(Buffer.byteLength(paste))}: ${cleanLine(paste.slice(0, 12))}]`;
}

function normalLines(text: string): string {
	return text.toWellFormed().replace(/\r\n?/g, '\n');
}

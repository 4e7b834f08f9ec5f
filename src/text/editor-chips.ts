import type {CollapsedRange} from '../domain/collapsed-range.ts';
import {cleanLine} from './clean.ts';
import {lineCount} from './line-count.ts';
import {type Safe, safe} from './safe.ts';
import {byteSize} from './size.ts';

/**
 * A big paste is one private code point in the text, so that it moves and is deleted as one. Text that holds such code
 * points of its own is always folded: nothing the user typed is ever taken for a chip.
 */
const firstChip = 0xf0000;
const lastChip = 0xffffd;
const chip = /[\u{f0000}-\u{ffffd}]/gu;

/** A paste of more than this is folded. */
const big = {lines: 8, length: 1000} as const;
/** So is any text of more than this, wherever it comes from: laying out every row of it would make keys slow. */
const huge = {lines: 400, length: 32 * 1024} as const;

/** How a text stands in the editor, and the pastes it points to. */
export type Folded = {readonly token: string; readonly pastes: readonly string[]};

/** A paste as it stands in the text: itself when it is small, else a chip. Line ends become LF. */
export function foldPaste(raw: string, pastes: readonly string[]): Folded {
	const text = normalLines(raw);
	return isOver(big, text) ? asChip(text, pastes) : keepPlain(text, pastes);
}

/** Text that was typed, or comes from the history or an editor: folded only when it is huge. */
export function keepPlain(raw: string, pastes: readonly string[]): Folded {
	const text = normalLines(raw);
	return text.search(chip) === -1 && !isOver(huge, text) ? {token: text, pastes} : asChip(text, pastes);
}

/** A text with the parts folded that were folded before. Folds that don't fit the text are left out. */
export function foldParts(raw: string, folds: readonly CollapsedRange[], pastes: readonly string[]): Folded {
	const text = normalLines(raw);
	if (text !== raw || text.search(chip) !== -1) return keepPlain(text, pastes);
	let token = '';
	let at = 0;
	let all = pastes;
	for (const [start, end] of folds) {
		if (!(start >= at && end > start && end <= text.length)) continue;
		const folded = asChip(text.slice(start, end), all);
		token += text.slice(at, start) + folded.token;
		all = folded.pastes;
		at = end;
	}
	token += text.slice(at);
	return isOver(huge, token) ? asChip(text, pastes) : {token, pastes: all};
}

/** Where the chips of a text stand once it is unfolded. */
export function foldsOf(text: string, pastes: readonly string[]): CollapsedRange[] {
	let shift = 0;
	return Array.from(text.matchAll(chip), ({0: token, index}): CollapsedRange => {
		const length = pasteOf(token, pastes)?.length ?? token.length;
		const start = index + shift;
		shift += length - token.length;
		return [start, start + length];
	});
}

/** Where the pastes that stand in `before` are found again in another text, in the same order. */
export function foldsAgain(before: string, pastes: readonly string[], raw: string): CollapsedRange[] {
	const text = normalLines(raw);
	let from = 0;
	return Array.from(before.matchAll(chip), ([token]) => pasteOf(token, pastes) ?? '').flatMap(
		(paste): CollapsedRange[] => {
			const start = paste === '' ? -1 : text.indexOf(paste, from);
			if (start === -1) return [];
			from = start + paste.length;
			return [[start, from]];
		},
	);
}

/** May it not stand in the editor unfolded? Only its own code points or its length are in the way. */
export function isTooLong(text: string): boolean {
	return isOver(huge, text) || text.search(chip) !== -1;
}

function isOver(limit: {readonly lines: number; readonly length: number}, text: string): boolean {
	return text.length > limit.length || lineCount(text) > limit.lines;
}

function asChip(text: string, pastes: readonly string[]): Folded {
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

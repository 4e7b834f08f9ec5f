import type {CollapsedRange} from '../../domain/messages/timeline.ts';
import {cleanLine} from '../cells/clean.ts';
import {type Safe, safe} from '../cells/safe.ts';
import {lineCount} from '../messages/collapsed-rows.ts';
import {byteSize} from '../values/numbers.ts';

/**
 * A big paste is one private-use code point in the text (a chip), so that it moves and is deleted as one.
 * Text that contains such code points itself is always folded: typed text is never mistaken for a chip.
 */
const firstChip = 0xf0000;
const lastChip = 0xffffd;
const chip = /[\u{f0000}-\u{ffffd}]/gu;

/** A paste over either limit is folded. */
const pasteLimit = {lines: 8, length: 1000} as const;
/** Any text over either limit is folded, whatever its source: laying out all its rows would slow down typing. */
const textLimit = {lines: 400, length: 32 * 1024} as const;

/** Text as it's stored in the editor, and the pastes it refers to. */
export type Folded = {readonly token: string; readonly pastes: readonly string[]};

/** Inserts a paste as is if small, else as a chip. Line ends become LF. */
export function foldPaste(raw: string, pastes: readonly string[]): Folded {
	const text = normalLines(raw);
	return isOver(pasteLimit, text) ? asChip(text, pastes) : keepPlain(text, pastes);
}

/** For text that is typed, or comes from the history or an editor: folded only if huge. */
export function keepPlain(raw: string, pastes: readonly string[]): Folded {
	const text = normalLines(raw);
	return text.search(chip) === -1 && !isOver(textLimit, text) ? {token: text, pastes} : asChip(text, pastes);
}

/** Folds the given ranges of a text again. Skips ranges that don't fit the text. */
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
	return isOver(textLimit, token) ? asChip(text, pastes) : {token, pastes: all};
}

/** The ranges of a text's chips in the unfolded text. */
export function foldsOf(text: string, pastes: readonly string[]): CollapsedRange[] {
	let shift = 0;
	return Array.from(text.matchAll(chip), ({0: token, index}): CollapsedRange => {
		const length = pasteOf(token, pastes)?.length ?? token.length;
		const start = index + shift;
		shift += length - token.length;
		return [start, start + length];
	});
}

/** Finds the pastes of `before` in another text, in the same order. */
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

/** Whether the text must stay folded: its length or private-use code points of its own prevent unfolding. */
export function isTooLong(text: string): boolean {
	return isOver(textLimit, text) || text.search(chip) !== -1;
}

function isOver(limit: {readonly lines: number; readonly length: number}, text: string): boolean {
	return text.length > limit.length || lineCount(text) > limit.lines;
}

function asChip(text: string, pastes: readonly string[]): Folded {
	if (firstChip + pastes.length > lastChip) return {token: text.replaceAll(chip, '\ufffd'), pastes};
	return {token: String.fromCodePoint(firstChip + pastes.length), pastes: [...pastes, text]};
}

/** Replaces the chips of a text with their pastes. */
export function unfold(text: string, pastes: readonly string[]): string {
	return text.replaceAll(chip, token => pasteOf(token, pastes) ?? token);
}

/** The paste of a grapheme, if it's a chip. */
export function pasteOf(grapheme: string, pastes: readonly string[]): string | undefined {
	const code = grapheme.codePointAt(0) ?? 0;
	return code >= firstChip && code <= lastChip ? pastes[code - firstChip] : undefined;
}

export function chipLabel(paste: string): Safe {
	const lines = lineCount(paste);
	if (lines > 1) return safe`[pasted ${lines} lines]`;
	return safe`[pasted ${byteSize(Buffer.byteLength(paste))}: ${cleanLine(paste.slice(0, 12))}]`;
}

function normalLines(text: string): string {
	return text.toWellFormed().replace(/\r\n?/g, '\n');
}

import {cutEnd, takeColumns} from './cut.ts';
import {textWidth} from './graphemes.ts';
import {type Safe, stillSafe} from './safe.ts';

/** Colors by meaning; the theme defines each one. */
export type Tone =
	| 'text'
	| 'dim'
	| 'strong'
	| 'accent'
	| 'good'
	| 'warn'
	| 'bad'
	| 'info'
	| 'user'
	| 'assistant'
	| 'tool'
	| 'code'
	| 'heading'
	| 'selected'
	| 'border';

/** Backgrounds by content: code, lines that a change adds or removes and their changed words, the user's messages. */
export type Tint = 'code' | 'added' | 'addedWords' | 'removed' | 'removedWords' | 'userText';

/** One row's part of a text wrapped over several rows. */
export type Piece = {
	/** The part in the row above. */
	readonly above?: Piece;
	/** The spaces dropped at the break between the two rows; empty inside a word. */
	readonly joint: Safe;
};

/** A run of text in one look. */
export type Span = {
	readonly text: Safe;
	readonly tone?: Tone;
	readonly bold?: boolean;
	readonly isItalic?: true;
	readonly inverse?: boolean;
	/** The tone whose color is the background. */
	readonly background?: Tone;
	/** Spans of one row that belong to the same text share a piece; absent if the text fits one row. */
	readonly piece?: Piece;
	/** A background of its own; the cursor's row hides it. */
	readonly tint?: Tint;
	/** Text that was cut or stands for more, which expanding its message may show. */
	readonly isCollapsed?: boolean;
	/** Not part of the message, such as its delivery state or the edge of code: not searched. */
	readonly isDecoration?: true;
};

/** One row of the screen, already cut to its width. */
export type Line = readonly Span[];

export function span(
	text: Safe,
	tone?: Tone,
	look: Pick<Span, 'bold' | 'inverse' | 'background'> = {},
): Span {
	return tone === undefined ? {text, ...look} : {text, tone, ...look};
}

export function lineWidth(line: Line): number {
	return line.reduce((sum, part) => sum + textWidth(part.text), 0);
}

export function lineText(line: Line): Safe {
	return stillSafe(line.map(part => part.text).join(''));
}

/** Cuts a line to at most `width` columns, with an ellipsis in the look of the last span kept. */
export function fitLine(line: Line, width: number): Line {
	if (lineWidth(line) <= width) return line;
	const spans: Span[] = [];
	let left = width;
	for (const part of line) {
		const columns = textWidth(part.text);
		if (columns >= left) {
			// Reserves a column for the ellipsis, as some text after this point is lost.
			const text =
				columns === left ? stillSafe(`${takeColumns(part.text, left - 1)}\u2026`) : cutEnd(part.text, left);
			if (left > 0) spans.push({...part, text, isCollapsed: true});
			return spans;
		}
		spans.push(part);
		left -= columns;
	}
	return spans;
}

/** A line on a background from edge to edge, but for spans with one of their own; its padding isn't searched. */
export function tinted(line: Line, tint: Tint | undefined, width: number): Line {
	if (!tint) return line;
	const free = width - lineWidth(line);
	const padding: Span[] = free > 0 ? [{text: stillSafe(' '.repeat(free)), isDecoration: true}] : [];
	return [...line, ...padding].map(part => ({...part, tint: part.tint ?? tint}));
}

/** Cuts or pads a line to exactly `width` columns. */
export function padLine(line: Line, width: number, align: 'start' | 'end' = 'start'): Line {
	const cut = fitLine(line, width);
	const missing = width - lineWidth(cut);
	if (missing <= 0) return cut;
	const spaces = {text: stillSafe(' '.repeat(missing))};
	return align === 'start' ? [...cut, spaces] : [spaces, ...cut];
}

/** Picks the first variant that fits, fullest first, or the last one if none fits. */
export function firstFitting(variants: readonly Line[], width: number): Line {
	return variants.find(line => lineWidth(line) <= width) ?? variants.at(-1) ?? [];
}

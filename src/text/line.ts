import {cutEnd, takeColumns} from './cut.ts';
import {type Safe, stillSafe} from './safe.ts';
import {textWidth} from './width.ts';

/** Colours by meaning; the theme says what each looks like. */
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

/** What one row shows of a text that goes over several. */
export type Piece = {
	/** What the row above shows of it. */
	readonly above?: Piece;
	/** The spaces that stood at the break between the two: none inside a word. */
	readonly joint: Safe;
};

/** A run of text in one look. */
export type Span = {
	readonly text: Safe;
	readonly tone?: Tone;
	readonly bold?: boolean;
	readonly inverse?: boolean;
	/** Spans of one row that show the same text have the same piece; none where the text is in one row. */
	readonly piece?: Piece;
	/** Stands beside what is said, as how far a message came: it is neither copied nor found. */
	readonly isAside?: true;
};

/** One row of the screen, already cut to its width. */
export type Line = readonly Span[];

/** A span in one call. */
export function span(text: Safe, tone?: Tone, look: {bold?: boolean; inverse?: boolean} = {}): Span {
	return tone === undefined ? {text, ...look} : {text, tone, ...look};
}

/** Columns of a line. */
export function lineWidth(line: Line): number {
	return line.reduce((sum, part) => sum + textWidth(part.text), 0);
}

/** The words of a line without their looks. */
export function lineText(line: Line): Safe {
	return stillSafe(line.map(part => part.text).join(''));
}

/** A line of at most `width` columns: spans that don't fit are cut, with an ellipsis in the look of the last one kept. */
export function fitLine(line: Line, width: number): Line {
	if (lineWidth(line) <= width) return line;
	const kept: Span[] = [];
	let left = width;
	for (const part of line) {
		const columns = textWidth(part.text);
		if (columns >= left) {
			// One column is kept for the ellipsis, since something after this point is lost.
			const text =
				columns === left ? stillSafe(`${takeColumns(part.text, left - 1)}\u2026`) : cutEnd(part.text, left);
			if (left > 0) kept.push({...part, text});
			return kept;
		}
		kept.push(part);
		left -= columns;
	}
	return kept;
}

/** A line of exactly `width` columns: cut, or filled with spaces. */
export function padLine(line: Line, width: number): Line {
	const cut = fitLine(line, width);
	const missing = width - lineWidth(cut);
	return missing > 0 ? [...cut, {text: stillSafe(' '.repeat(missing))}] : cut;
}

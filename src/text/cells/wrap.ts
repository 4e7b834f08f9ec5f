import {cutEnd, ellipsis} from './cut.ts';
import {eachGrapheme, graphemeWidth, isAscii, textWidth} from './graphemes.ts';
import {type Safe, stillSafe} from './safe.ts';

/** Closing punctuation never begins a row; opening punctuation never ends one (JIS X 4051, in part). */
const closing = new Set('、。，．：；？！・…‥）〕］｝〉》」』】〗〙〟’”ーゝゞヽヾ々〻～〜,.:;?!)]}%');
const opening = new Set('（〔［｛〈《「『【〖〘〝‘“');

/**
 * Wraps text at spaces and between wide characters; breaks a word longer than a row between graphemes. No row
 * is wider than `width` columns (at least 1), and rows are never padded. Drops spaces at a break and keeps
 * all others. Makes at most `maxRows` rows, which also bounds the cost.
 */
export function wrapText(text: Safe, width: number, maxRows = Number.POSITIVE_INFINITY): Safe[] {
	const columns = Math.max(1, Math.floor(width));
	const rows: Safe[] = [];
	let start = 0;
	while (start <= text.length && rows.length < maxRows) {
		const newline = text.indexOf('\n', start);
		const end = newline === -1 ? text.length : newline;
		wrapLine(text.slice(start, end), columns, maxRows, rows);
		start = end + 1;
	}
	return rows;
}

/** Wraps as much of the text as fits `maxRows` rows; if that isn't all, the last one ends with an ellipsis. */
export function wrapStart(text: Safe, width: number, maxRows: number): Safe[] {
	const rows = wrapText(text, width, maxRows + 1);
	if (rows.length <= maxRows) return rows;
	const last = stillSafe(`${rows[maxRows - 1] ?? ''}${ellipsis}`);
	return [...rows.slice(0, maxRows - 1), cutEnd(last, Math.max(1, Math.floor(width)))];
}

function wrapLine(line: string, columns: number, maxRows: number, rows: Safe[]): void {
	if (line.length <= columns && isAscii(line)) {
		rows.push(stillSafe(line));
		return;
	}
	const row = new Row(line, columns, maxRows, rows);
	eachGrapheme(line, grapheme => {
		row.add(grapheme);
		return rows.length < maxRows;
	});
	row.end();
}

/** The row being filled, and the last position where it may break: numbers, as objects would take a quarter longer. */
class Row {
	readonly #line: string;
	readonly #columns: number;
	readonly #maxRows: number;
	readonly #rows: Safe[];
	#text = '';
	#width = 0;
	#breakLength = 0;
	#breakWidth = 0;
	/** The position before that one; 0 if unknown. */
	#earlierLength = 0;
	#earlierWidth = 0;
	#hasInk = false;
	/** After a break at spaces, drops the remaining spaces. */
	#isSkippingSpaces = false;
	#madeRows = 0;
	/** Length of the line up to the grapheme that is being added. */
	#position = 0;

	constructor(line: string, columns: number, maxRows: number, rows: Safe[]) {
		this.#line = line;
		this.#columns = columns;
		this.#maxRows = maxRows;
		this.#rows = rows;
	}

	add(grapheme: string): void {
		const width = graphemeWidth(grapheme);
		if (grapheme === ' ') this.#addSpace();
		else if (width <= this.#columns) this.#addInk(grapheme, width);
		else this.#addPieces(grapheme);
		this.#position += grapheme.length;
	}

	end(): void {
		if (this.#rows.length < this.#maxRows && (this.#text !== '' || this.#madeRows === 0))
			this.#rows.push(stillSafe(this.#text));
	}

	#addSpace(): void {
		if (this.#isSkippingSpaces) return;
		if (this.#width + 1 > this.#columns) {
			this.#finish(this.#text);
			this.#restart('', 0);
			this.#isSkippingSpaces = true;
			return;
		}
		this.#text += ' ';
		this.#width += 1;
		if (this.#hasInk) this.#allowBreak();
	}

	#addInk(grapheme: string, width: number): void {
		this.#isSkippingSpaces = false;
		const isAfterInk = this.#breakLength === this.#text.length && !this.#text.endsWith(' ');
		if (isAfterInk && closing.has(grapheme)) this.#undoBreak();
		while (this.#width + width > this.#columns && this.#text !== '') {
			const isBefore = this.#breakLength > 0 && !this.#isInLongAddress();
			const length = isBefore ? this.#breakLength : breakInWord(this.#text, grapheme);
			const rest = this.#text.slice(length);
			this.#finish(this.#text.slice(0, length));
			this.#restart(rest, isBefore ? this.#width - this.#breakWidth : textWidth(rest));
		}
		this.#text += grapheme;
		this.#width += width;
		this.#hasInk = true;
		if (width > 1 && !opening.has(grapheme)) this.#allowBreak();
	}

	/**
	 * Whether the last word is an address that no row has room for, and may break here: then it starts in the row of
	 * the words before it.
	 */
	#isInLongAddress(): boolean {
		const word = this.#text.slice(this.#breakLength);
		const scheme = word.indexOf('://');
		const last = lastPunctuation(this.#text);
		if (scheme < 0 || last < this.#breakLength + scheme + 3 || last < this.#text.length / 2) return false;
		const next = this.#line.slice(this.#position, this.#position + this.#columns).split(' ', 1)[0] ?? '';
		return textWidth(word) + textWidth(next) > this.#columns;
	}

	/** Splits a grapheme wider than the row into code points with marks; replaces what still doesn't fit. */
	#addPieces(grapheme: string): void {
		let piece = '';
		for (const character of grapheme) {
			const isMark = piece !== '' && graphemeWidth(character) === 0;
			// Drops a mark that makes its base too wide (a keycap).
			if (isMark && graphemeWidth(piece + character) > this.#columns) continue;
			if (!isMark && piece !== '') this.#addInk(piece, graphemeWidth(piece));
			piece = isMark ? piece + character : graphemeWidth(character) > this.#columns ? '\ufffd' : character;
		}
		this.#addInk(piece, graphemeWidth(piece));
	}

	#allowBreak(): void {
		this.#earlierLength = this.#breakLength;
		this.#earlierWidth = this.#breakWidth;
		this.#breakLength = this.#text.length;
		this.#breakWidth = this.#width;
	}

	#undoBreak(): void {
		this.#breakLength = this.#earlierLength;
		this.#breakWidth = this.#earlierWidth;
		this.#earlierLength = 0;
		this.#earlierWidth = 0;
	}

	/** Ends a row at a break. Only plain spaces are dropped there: an ideographic or no-break space stays. */
	#finish(row: string): void {
		this.#rows.push(stillSafe(row.replace(/ +$/, '')));
		this.#madeRows++;
	}

	#restart(text: string, width: number): void {
		this.#text = text;
		this.#width = width;
		this.#breakLength = 0;
		this.#breakWidth = 0;
		this.#earlierLength = 0;
		this.#earlierWidth = 0;
		this.#hasInk = text !== '';
	}
}

/**
 * Where to break a word longer than a row: behind its last punctuation in the second half of the row, or at the end,
 * unless what closes would then stand alone.
 */
function breakInWord(row: string, next: string): number {
	const position = lastPunctuation(row);
	if (position >= row.length / 2) return position + 1;
	const isAlone = closing.has(next) && row.length > 2 * carried && isAscii(row);
	return isAlone ? row.length - carried : row.length;
}

/** Characters that go to the next row with what closes. */
const carried = 8;

/** The last punctuation in a row that ends in a word; -1 if there is none. */
function lastPunctuation(row: string): number {
	return /[-/.:_?&=](?=[^\W_]*$)/.exec(row)?.index ?? -1;
}

import {simpleText} from './simple-text.ts';

// What `ink-edits.ts` puts in the place of Ink's own way from styled text to cells and back. Output stays the same.

/** As @alcalzone/ansi-tokenize has them. */
type Code = {readonly type: 'ansi'; readonly code: string; readonly endCode: string};
type Cell = {
	readonly type: 'char';
	readonly value: string;
	readonly fullWidth: boolean;
	readonly styles: readonly Code[];
};

/** The parts of Ink and of its tokeniser that are used here. */
export type Library = {
	tokenize(text: string): readonly {readonly type: string}[];
	reduceAnsiCodes(codes: readonly Code[]): Code[];
	styledCharsFromTokens(tokens: readonly unknown[]): Cell[];
	ansiCodesToString(codes: readonly Code[]): string;
	diffAnsiCodes(from: readonly Code[], to: readonly Code[]): Code[];
	stringWidth(text: string): number;
};

/** One styled text and what is known of it. */
type Known = {
	readonly cells: readonly Cell[];
	/** Each character takes one column. */
	readonly isSimple: boolean;
	/** Ends without a style of its own and holds no control characters: it means the same wherever it stands. */
	readonly isClosed: boolean;
	text?: string;
	width?: number;
};

/** A style that cells share, and where one comes to from it. */
type Style = {
	readonly codes: readonly Code[];
	readonly cells: Map<string, Cell>;
	readonly after: Map<string, Style>;
	readonly changes: Map<readonly Code[], string>;
};

/** Kept at most, of each; then all are forgotten. A screen of 200x50 has some hundred texts and thousand cells. */
const mostTexts = 1500;
const maxCells = 10_000;
const mostStyles = 500;

/** Anything but simple characters, and sequences for colours and weight as everyone takes them. */
const isOther = new RegExp(`[^\\x1b${simpleText}]|\\x1b(?!\\[(?:\\d{1,3}(?:;\\d{1,3})*)?m)`);
const sgr = /\u001b\[[\d;]*m/g;
const control = /[\u0000-\u001f\u007f-\u009f]/;
const ignorable = /^\p{Default_Ignorable_Code_Point}+$/u;

/**
 * Texts as cells: the same text, style and cell is the same object each time, so that a frame makes few new ones, and
 * rows that stayed as they were are known by comparing objects.
 */
export class InkRows {
	readonly #library: Library;
	#texts = new Map<string, Known>();
	#widths = new Map<string, number>();
	#styles = new Map<string, Style>();
	#styleOf = new Map<readonly Code[], Style>();
	#cellCount = 0;
	/** The rows of the last frame. */
	readonly #drawn: {cells: readonly (Cell | undefined)[]; text: string}[] = [];
	#plain: Style;
	blank: Cell;

	constructor(library: Library) {
		this.#library = library;
		this.#plain = this.#style([]);
		this.blank = this.#cell(this.#plain, ' ', false);
	}

	/** Between frames: what is kept stays within its bounds. */
	tidy(): void {
		if (this.#texts.size > mostTexts) this.#texts.clear();
		if (this.#widths.size > maxCells) this.#widths.clear();
		if (this.#cellCount <= maxCells && this.#styles.size <= mostStyles) return;
		this.#texts.clear();
		this.#styles.clear();
		this.#styleOf.clear();
		this.#cellCount = 0;
		this.#plain = this.#style([]);
		this.blank = this.#cell(this.#plain, ' ', false);
	}

	/** Styled characters of a text. The array is not to be changed. */
	cells(text: string): readonly Cell[] {
		return this.#known(text).cells;
	}

	/** Columns of one character. */
	width(value: string): number {
		let width = this.#widths.get(value);
		if (width === undefined) {
			width = this.#library.stringWidth(value);
			this.#widths.set(value, width);
		}
		return width;
	}

	/** Columns of one row of a text. */
	rowWidth(row: string): number {
		const known = this.#known(row);
		known.width ??= known.isSimple ? known.cells.length : this.#library.stringWidth(row);
		return known.width;
	}

	/** Columns of the widest row of a text. */
	widest(text: string): number {
		let widest = 0;
		for (const row of text.split('\n')) widest = Math.max(widest, this.rowWidth(row));
		return widest;
	}

	/** The rows of a text, when each means by itself what it means in the whole. */
	rows(text: string): string[] | undefined {
		if (text.includes('\r')) return undefined;
		const rows = text.split('\n');
		for (let index = 0; index < rows.length; index++) {
			const known = this.#known(rows[index] ?? '');
			if (!known.isClosed) return undefined;
			rows[index] = this.#textOf(known);
		}
		return rows;
	}

	/** The whole row as it would be cut out of itself, when nothing of it is cut off. */
	uncut(row: string, from: number, to: number): string | undefined {
		const known = this.#known(row);
		return known.isSimple && from === 0 && to === known.cells.length && to > 0
			? this.#textOf(known)
			: undefined;
	}

	/** Text of cells, with the styles that begin and end in it. */
	text(cells: readonly Cell[]): string {
		const parts: string[] = [];
		let codes: readonly Code[] | undefined;
		for (const {value, styles} of cells) {
			if (styles !== codes) {
				parts.push(codes ? this.#change(codes, styles) : this.#library.ansiCodesToString(styles));
				codes = styles;
			}
			parts.push(value);
		}
		if (codes) parts.push(this.#change(codes, this.#plain.codes));
		return parts.join('');
	}

	/** Text of a row of the frame, trimmed at its end. */
	draw(y: number, row: readonly (Cell | undefined)[]): string {
		const last = this.#drawn[y];
		if (last && isSame(last.cells, row)) return last.text;
		const text = this.text(row.filter(cell => cell !== undefined)).trimEnd();
		this.#drawn[y] = {cells: row, text};
		return text;
	}

	#known(text: string): Known {
		let known = this.#texts.get(text);
		if (!known) {
			known = isOther.test(text) ? this.#tokenized(text) : this.#simple(text);
			this.#texts.set(text, known);
		}
		return known;
	}

	#textOf(known: Known): string {
		known.text ??= this.text(known.cells);
		return known.text;
	}

	/** Every UTF-16 unit outside a sequence is a character of one column. */
	#simple(text: string): Known {
		const cells: Cell[] = [];
		let style = this.#plain;
		for (let index = 0; index < text.length; ) {
			if (text.charCodeAt(index) !== 0x1b) {
				cells.push(this.#cell(style, text.charAt(index++), false));
				continue;
			}
			const end = text.indexOf('m', index) + 1;
			style = this.#after(style, text.slice(index, end));
			index = end;
		}
		return {cells, isSimple: true, isClosed: style === this.#plain};
	}

	#tokenized(text: string): Known {
		const {tokenize, styledCharsFromTokens, reduceAnsiCodes} = this.#library;
		const tokens = tokenize(text);
		const cells = styledCharsFromTokens(tokens)
			.filter(({value}) => !ignorable.test(value))
			.map(({value, fullWidth, styles}) => this.#cell(this.#style(styles), value, fullWidth));
		const isPlain = !control.test(text.replaceAll(sgr, ''));
		const isClosed =
			isPlain && reduceAnsiCodes(tokens.filter(token => token.type === 'ansi') as Code[]).length === 0;
		return {cells, isSimple: false, isClosed};
	}

	#style(codes: readonly Code[]): Style {
		const key = codes.map(({code}) => code).join('\0');
		let style = this.#styles.get(key);
		if (!style) {
			style = {codes, cells: new Map(), after: new Map(), changes: new Map()};
			this.#styles.set(key, style);
			this.#styleOf.set(codes, style);
		}
		return style;
	}

	#cell(style: Style, value: string, fullWidth: boolean): Cell {
		let cell = style.cells.get(value);
		if (!cell) {
			cell = {type: 'char', value, fullWidth, styles: style.codes};
			style.cells.set(value, cell);
			this.#cellCount++;
		}
		return cell;
	}

	/** The style that one sequence leads to. */
	#after(style: Style, sequence: string): Style {
		let next = style.after.get(sequence);
		if (!next) {
			const {tokenize, reduceAnsiCodes} = this.#library;
			next = this.#style(reduceAnsiCodes([...style.codes, ...(tokenize(sequence) as Code[])]));
			style.after.set(sequence, next);
		}
		return next;
	}

	/** The sequences that lead from one style to another. */
	#change(from: readonly Code[], to: readonly Code[]): string {
		const known = this.#styleOf.get(from)?.changes;
		let change = known?.get(to);
		if (change === undefined) {
			const {ansiCodesToString, diffAnsiCodes} = this.#library;
			change = ansiCodesToString(diffAnsiCodes(from, to));
			known?.set(to, change);
		}
		return change;
	}
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
	if (a.length !== b.length) return false;
	for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
	return true;
}

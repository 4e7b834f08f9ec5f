import {simpleText} from './simple-text.ts';

// Replaces the caches of Ink's `output.js` (`ink-edits.ts`). The output stays the same.

/** Types of @alcalzone/ansi-tokenize. */
type Code = {readonly type: 'ansi'; readonly code: string; readonly endCode: string};
type Cell = {
	readonly type: 'char';
	readonly value: string;
	readonly fullWidth: boolean;
	readonly styles: readonly Code[];
};

/** Functions of the tokenizer and string-width that Ink itself uses. */
export type Library = {
	tokenize(text: string): readonly {readonly type: string}[];
	reduceAnsiCodes(codes: readonly Code[]): Code[];
	styledCharsFromTokens(tokens: readonly unknown[]): Cell[];
	ansiCodesToString(codes: readonly Code[]): string;
	diffAnsiCodes(from: readonly Code[], to: readonly Code[]): Code[];
	stringWidth(text: string): number;
};

/** A styled text and what is known about it. */
type Known = {
	readonly cells: readonly Cell[];
	/** Each character takes one column. */
	readonly isSimple: boolean;
	/** Has no control characters and leaves no style open, so it looks the same after any other text. */
	readonly isClosed: boolean;
	text?: string;
};

/** A style shared by cells, with caches of what follows from it. */
type Style = {
	readonly codes: readonly Code[];
	readonly cells: Map<string, Cell>;
	readonly after: Map<string, Style>;
	readonly changes: Map<readonly Code[], string>;
};

/** Limits; a full cache is emptied. A screen of 200x50 has some hundred texts and a thousand different cells. */
const maxTexts = 1500;
const maxCells = 10_000;
const maxStyles = 500;

/** Anything but simple characters and plain SGR sequences. */
const isOther = new RegExp(`[^\\x1b${simpleText}]|\\x1b(?!\\[(?:\\d{1,3}(?:;\\d{1,3})*)?m)`);
const sgr = /\u001b\[[\d;]*m/g;
const control = /[\u0000-\u001f\u007f-\u009f]/;
const ignorable = /^\p{Default_Ignorable_Code_Point}+$/u;

/** Joins texts in a buffer that is used again: an array of a row's cells is thrown away with each row. */
class TextBuilder {
	#bytes = Buffer.alloc(256);
	#length = 0;

	add(text: string): void {
		const end = this.#length + 2 * text.length;
		if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * end);
		for (let index = 0; index < text.length; index++) {
			const unit = text.charCodeAt(index);
			this.#bytes[this.#length++] = unit & 0xff;
			this.#bytes[this.#length++] = unit >> 8;
		}
	}

	/** The texts added since the last call. */
	take(): string {
		const text = this.#bytes.toString('utf16le', 0, this.#length);
		this.#length = 0;
		return text;
	}
}

/**
 * Splits texts into cells and joins them again. Equal texts, styles and cells are the same object, so a frame creates
 * few objects and compares styles by identity. Its `get` methods are those of Ink's own `OutputCaches`.
 */
export class InkRows {
	readonly #library: Library;
	#texts = new Map<string, Known>();
	#widths = new Map<string, number>();
	#styles = new Map<string, Style>();
	#styleOf = new Map<readonly Code[], Style>();
	#cellCount = 0;
	readonly #builder = new TextBuilder();
	#plain: Style;
	blank: Cell;

	constructor(library: Library) {
		this.#library = library;
		this.#plain = this.#style([]);
		this.blank = this.#cell(this.#plain, ' ', false);
	}

	/** Empties full caches. Call it between frames: cells from before must not be mixed with later ones. */
	tidy(): void {
		if (this.#texts.size > maxTexts) this.#texts.clear();
		if (this.#widths.size > maxTexts) this.#widths.clear();
		if (this.#cellCount <= maxCells && this.#styles.size <= maxStyles) return;
		this.#texts.clear();
		this.#styles.clear();
		this.#styleOf.clear();
		this.#cellCount = 0;
		this.#plain = this.#style([]);
		this.blank = this.#cell(this.#plain, ' ', false);
	}

	/** Cells of a text. Don't change the array. */
	getStyledChars(text: string): readonly Cell[] {
		return this.#known(text).cells;
	}

	/** Columns of one character or row. */
	getStringWidth(text: string): number {
		let width = this.#widths.get(text);
		if (width === undefined) {
			const known = this.#texts.get(text);
			width = known?.isSimple ? known.cells.length : this.#library.stringWidth(text);
			this.#widths.set(text, width);
		}
		return width;
	}

	/** Columns of the widest row of a text. */
	getWidestLine(text: string): number {
		let widest = 0;
		for (const row of text.split('\n')) widest = Math.max(widest, this.getStringWidth(row));
		return widest;
	}

	/** The rows of a text, or nothing when a row depends on the one before it. */
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

	/** Whether each character of a text takes one column. */
	isSimple(text: string): boolean {
		return this.#known(text).isSimple;
	}

	/** Whether a row can stay as it is in so many columns: cutting it would give the same text. */
	fits(row: string, columns: number): boolean {
		const known = this.#known(row);
		return known.isSimple && known.cells.length <= columns && this.#textOf(known) === row;
	}

	/** Text of cells, with the sequences where their style changes. */
	text(cells: readonly Cell[]): string {
		const builder = this.#builder;
		let codes: readonly Code[] | undefined;
		for (const {value, styles} of cells) {
			if (styles !== codes) {
				builder.add(codes ? this.#change(codes, styles) : this.#library.ansiCodesToString(styles));
				codes = styles;
			}
			builder.add(value);
		}
		if (codes) builder.add(this.#change(codes, this.#plain.codes));
		return builder.take();
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
		if (known.text === undefined) {
			known.text = this.text(known.cells);
			// Cells of one style each can be read back from it. With more, their order may change.
			const {isSimple, isClosed, cells} = known;
			if (isSimple && isClosed && cells.every(({styles}) => styles.length < 2))
				this.#texts.set(known.text, known);
		}
		return known.text;
	}

	/** For text whose every UTF-16 unit outside a sequence is a character of one column. */
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

	/** The style after a sequence. */
	#after(style: Style, sequence: string): Style {
		let next = style.after.get(sequence);
		if (!next) {
			const {tokenize, reduceAnsiCodes} = this.#library;
			next = this.#style(reduceAnsiCodes([...style.codes, ...(tokenize(sequence) as Code[])]));
			style.after.set(sequence, next);
		}
		return next;
	}

	/** The sequences that change one style into another. */
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

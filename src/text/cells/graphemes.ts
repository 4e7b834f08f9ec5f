import stringWidth from 'string-width';

/** Splits text into graphemes. Intl, whose first use costs 25-45 ms, is used only where clusters can form. */

/** First and last code points of ranges that always stand alone, are assigned, and fill one column. */
const narrow = [
	[0x20, 0x7e],
	[0xa0, 0xac],
	[0xae, 0x2ff],
	[0x391, 0x3a1],
	[0x3a3, 0x3ff],
	[0x400, 0x482],
	[0x48a, 0x52f],
	[0x2010, 0x2027],
	[0x2030, 0x205e],
	[0x2190, 0x2317],
	[0x2400, 0x2426],
	[0x2500, 0x25fc],
	[0x2713, 0x2718],
	[0x2768, 0x2775],
	[0x2800, 0x28ff],
	[0xfffd, 0xfffd],
] as const;

/** The same for two columns: kana, Han, Hangul syllables, full-width forms. */
const wide = [
	[0x3000, 0x3029],
	[0x3041, 0x3096],
	[0x30a0, 0x30ff],
	[0x3105, 0x312f],
	[0x3400, 0x4dbf],
	[0x4e00, 0x9fff],
	[0xac00, 0xd7a3],
	[0xff01, 0xff60],
] as const;

let columns: Uint8Array | undefined;
let segmenter: Intl.Segmenter | undefined;

function columnTable(): Uint8Array {
	const table = new Uint8Array(0x10000);
	for (const [first, last] of narrow) table.fill(1, first, last + 1);
	for (const [first, last] of wide) table.fill(2, first, last + 1);
	return table;
}

/** Columns of a UTF-16 unit that always stands alone: 1 or 2; 0 if the segmenter must decide. */
export function plainColumns(unit: number): 0 | 1 | 2 {
	if (unit < 0x7f) return unit >= 0x20 ? 1 : 0;
	columns ??= columnTable();
	return columns[unit] as 0 | 1 | 2;
}

/** Is this only printable ASCII? */
export function isAscii(text: string): boolean {
	return /^[ -~]*$/.test(text);
}

function standsAlone(unit: number): boolean {
	return unit === 0x0a || plainColumns(unit) !== 0;
}

/** Calls `visit` with each grapheme and its index until it returns `false`. A line feed is one. */
export function eachGrapheme(
	text: string,
	visit: (grapheme: string, index: number) => boolean | undefined,
): void {
	let index = 0;
	while (index < text.length) {
		const next = index + 1;
		if (standsAlone(text.charCodeAt(index)) && (next === text.length || standsAlone(text.charCodeAt(next)))) {
			if (visit(text[index] as string, index) === false) return;
			index = next;
			continue;
		}
		const end = clusterEnd(text, next);
		segmenter ??= new Intl.Segmenter();
		for (const part of segmenter.segment(text.slice(index, end)))
			if (visit(part.segment, index + part.index) === false) return;
		index = end;
	}
}

/** End of the run that needs the segmenter: two units that both stand alone have a boundary between them. */
function clusterEnd(text: string, from: number): number {
	for (let index = from; index < text.length; index++)
		if (standsAlone(text.charCodeAt(index)) && standsAlone(text.charCodeAt(index - 1))) return index;
	return text.length;
}

export function graphemes(text: string): string[] {
	if (isAscii(text)) return text.split('');
	const all: string[] = [];
	eachGrapheme(text, grapheme => {
		all.push(grapheme);
		return undefined;
	});
	return all;
}

const widths = new Map<string, number>();
const maxWidths = 4096;

/** Columns of one grapheme, as Ink measures it. */
export function graphemeWidth(grapheme: string): number {
	if (grapheme.length === 1) {
		const plain = plainColumns(grapheme.charCodeAt(0));
		if (plain > 0) return plain;
	}
	let columns = widths.get(grapheme);
	if (columns === undefined) {
		columns = stringWidth(grapheme);
		if (widths.size >= maxWidths) widths.clear();
		widths.set(grapheme, columns);
	}
	return columns;
}

/** Width in columns of a text without line feeds: the same as Ink's string-width, but faster for plain text. */
export function textWidth(text: string): number {
	if (isAscii(text)) return text.length;
	let columns = 0;
	eachGrapheme(text, grapheme => {
		columns += graphemeWidth(grapheme);
		return undefined;
	});
	return columns;
}

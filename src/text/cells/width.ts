import stringWidth from 'string-width';
import {eachGrapheme, isAscii, plainColumns} from './graphemes.ts';

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

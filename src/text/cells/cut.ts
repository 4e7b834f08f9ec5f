import {eachGrapheme, graphemes, graphemeWidth, isAscii, textWidth} from './graphemes.ts';
import {type Safe, stillSafe} from './safe.ts';

export const ellipsis = '\u2026';

/** The longest prefix of a single-line text that fits `width` columns. */
export function takeColumns(text: Safe, width: number): Safe {
	if (isAscii(text)) return stillSafe(text.slice(0, Math.max(0, width)));
	let end = 0;
	let columns = 0;
	eachGrapheme(text, (grapheme, index) => {
		columns += graphemeWidth(grapheme);
		if (columns > width) return false;
		end = index + grapheme.length;
		return undefined;
	});
	return stillSafe(text.slice(0, end));
}

/** Cuts the end: at most `width` columns, with an ellipsis for the cut part. */
export function cutEnd(text: Safe, width: number): Safe {
	if (fits(text, width)) return text;
	return width < 1 ? stillSafe('') : stillSafe(takeColumns(text, width - 1) + ellipsis);
}

/** Cuts the middle, for paths and ids: at most `width` columns, with an ellipsis in the middle. */
export function cutMiddle(text: Safe, width: number): Safe {
	if (fits(text, width)) return text;
	if (width < 1) return stillSafe('');
	const head = takeColumns(text, Math.floor((width - 1) / 2));
	return stillSafe(head + ellipsis + takeLast(text, width - 1 - textWidth(head)));
}

/** Exactly `width` columns: cuts longer text and pads shorter text with spaces. */
export function pad(text: Safe, width: number, align: 'start' | 'end' = 'start'): Safe {
	const cut = cutEnd(text, width);
	const spaces = ' '.repeat(Math.max(0, width - textWidth(cut)));
	return stillSafe(align === 'start' ? cut + spaces : spaces + cut);
}

/** ASCII text of at most `width` units fits without being measured. */
function fits(text: string, width: number): boolean {
	return (text.length <= width && isAscii(text)) || textWidth(text) <= width;
}

/** Cuts the start: at most `width` columns, with an ellipsis for the cut part. */
export function cutStart(text: Safe, width: number): Safe {
	if (fits(text, width)) return text;
	return width < 1 ? stillSafe('') : stillSafe(ellipsis + takeLast(text, width - 1));
}

function takeLast(text: string, width: number): string {
	const all = graphemes(text);
	let start = all.length;
	let columns = 0;
	while (start > 0) {
		columns += graphemeWidth(all[start - 1] as string);
		if (columns > width) break;
		start--;
	}
	return all.slice(start).join('');
}

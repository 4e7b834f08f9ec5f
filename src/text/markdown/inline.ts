import type {Line, Piece, Span} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {wrapText} from '../cells/wrap.ts';

type Look = Omit<Span, 'text'>;

/** A link target, bounded so that a text full of brackets still takes linear time. */
const address = String.raw`<[^<>\n]{1,500}>|[^\s()<>]{1,500}(?:\([^\s()<>]{0,100}\)[^\s()<>]{0,200})?`;

/** Inline marks, by precedence: escapes, code, links and images, bare URLs, bold, struck, emphasis. */
const marked = new RegExp(
	[
		String.raw`\\(?<escaped>[!-/:-@[-${'`'}{-~])`,
		String.raw`(?<!${'`'})(?<ticks>${'`'}{1,8})(?!${'`'})(?<code>[^${'`'}\n]{1,200})\k<ticks>(?!${'`'})`,
		String.raw`!?\[(?<label>[^[\]\n]{1,200})\]\((?<target>${address})(?: +"[^"\n]{0,200}")?\)`,
		String.raw`<(?<auto>https?://[^\s<>]{1,500})>`,
		String.raw`(?<bare>https?://[^\s<>()*${'`'}]{1,500})`,
		String.raw`(?<![\w/*.-])\*\*\*(?=[^\s*])(?<both>[^*\n]{1,200})(?<=\S)\*\*\*(?![\w/*])`,
		String.raw`(?<![\w/*.-])\*\*(?=[^\s*])(?<bold>[^*\n]{1,200})(?<=\S)\*\*(?![\w/*])`,
		String.raw`(?<![\w/_.-])__(?=[^\s_])(?<strong>[^_\n]{1,200})(?<=\S)__(?![\w/_])`,
		String.raw`(?<!~)~~(?=[^\s~])(?<struck>[^~\n]{1,200})(?<=\S)~~(?!~)`,
		String.raw`(?<![\w/*.-])\*(?=[^\s*])(?<starred>[^*\n]{1,200})(?<=\S)\*(?![\w/*])`,
		String.raw`(?<![\w/_.-])_(?=[^\s_])(?<lined>[^_\n]{1,200})(?<=\S)_(?![\w/_])`,
	].join('|'),
	'g',
);

/** Splits prose into styled spans without its marks; a link becomes its label and its address. */
export function inlineSpans(text: Safe, look: Look = {}): Span[] {
	const spans: Span[] = [];
	let end = 0;
	const add = (piece: string, more: Look = {}) => {
		if (piece !== '') spans.push({...look, ...more, text: stillSafe(piece)});
	};
	for (const match of text.matchAll(marked)) {
		add(text.slice(end, match.index));
		end = match.index + match[0].length;
		const found = match.groups ?? {};
		if (found.escaped !== undefined) add(found.escaped);
		else if (found.code !== undefined) add(found.code, {tone: 'code'});
		else if (found.label !== undefined) spans.push(...linkSpans(found.label, found.target ?? '', look));
		else if (found.auto !== undefined) add(found.auto, {tone: 'info'});
		else if (found.bare !== undefined) add(found.bare, {tone: 'info'});
		else spans.push(...wordSpans(found, look));
	}
	add(text.slice(end));
	return spans;
}

/** Parses marks nested in marked words. Ends, as each kind excludes its own mark. */
function wordSpans(found: Readonly<Record<string, string | undefined>>, look: Look): Span[] {
	if (found.both !== undefined)
		return inlineSpans(stillSafe(found.both), {...look, bold: true, tone: 'strong'});
	const bold = found.bold ?? found.strong;
	if (bold !== undefined) return inlineSpans(stillSafe(bold), {...look, bold: true});
	if (found.struck !== undefined) return inlineSpans(stillSafe(found.struck), {...look, tone: 'dim'});
	return inlineSpans(stillSafe(found.starred ?? found.lined ?? ''), {...look, tone: 'strong'});
}

/** Shows a link's address beside its label, so that a label can't disguise it. */
function linkSpans(label: string, target: string, look: Look): Span[] {
	const to = target.startsWith('<') ? target.slice(1, -1) : target;
	if (label === to) return [{...look, text: stillSafe(to), tone: 'info'}];
	return [
		{...look, text: stillSafe(label), tone: 'accent'},
		{...look, text: safe` (${stillSafe(to)})`, tone: 'dim'},
	];
}

/** Wraps spans as one text: each keeps its look, and each row's pieces link to those above. */
export function wrapSpans(spans: readonly Span[], width: number, maxRows: number): Line[] {
	const text = stillSafe(spans.map(part => part.text).join(''));
	const rows = wrapText(text, width, maxRows);
	let position = 0;
	let index = 0;
	let start = 0;
	let above: Piece | undefined;
	return rows.map(row => {
		const before = position;
		// Rows lose only spaces at a break. A row with a replaced character keeps its text but loses its
		// look.
		while (text[position] === ' ' && !text.startsWith(row, position)) position++;
		if (!text.startsWith(row, position)) return [{text: row}];
		const joint = stillSafe(text.slice(before, position));
		const piece: Piece | undefined = rows.length > 1 ? {joint, ...(above && {above})} : undefined;
		above = piece;
		const line: Span[] = [];
		const end = position + row.length;
		while (position < end) {
			const part = spans[index] as Span;
			const stop = Math.min(end, start + part.text.length);
			if (stop > position)
				line.push({...part, text: stillSafe(text.slice(position, stop)), ...(piece && {piece})});
			position = Math.max(position, stop);
			if (start + part.text.length <= end) {
				start += part.text.length;
				index++;
			}
			if (position >= end) break;
		}
		return line;
	});
}

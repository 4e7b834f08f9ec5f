import type {Token} from 'markdown-it';
import {cleanLine} from '../cells/clean.ts';
import type {Line, Piece, Span} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {wrapText} from '../cells/wrap.ts';
import {parseInline} from './markdown-parser.ts';

type Look = Omit<Span, 'text'>;

/** Longer content is parsed part by part (UTF-16 units), as far as there is room for its rows. */
const maxParsed = 4000;
/** Characters that a reference such as `&lt;` may stand for; all others are shown as written. */
const plainCharacter =
	/^[ -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2200-\u22ff]$/;

/** Splits a block's content into styled spans without its marks, one list for each line. */
export function* inlineLines(content: Safe, look: Look = {}): Generator<readonly Span[]> {
	let start = 0;
	let open: readonly Span[] = [];
	while (start <= content.length) {
		const limit = start + maxParsed;
		const feed = content.length > limit ? content.lastIndexOf('\n', limit) : -1;
		const end = feed > start ? feed : Math.min(limit, content.length);
		const [first = [], ...lines] = spansOf(parseInline(content.slice(start, end)), look);
		let last = [...open, ...first];
		for (const line of lines) {
			yield last;
			last = line;
		}
		const isLineEnd = end === feed || end === content.length;
		if (isLineEnd) yield last;
		open = isLineEnd ? [] : last;
		start = isLineEnd ? end + 1 : end;
	}
}

/** The spans of a content without line feeds, such as a cell of a table. */
export function inlineSpans(content: Safe, look: Look = {}): Span[] {
	return [...inlineLines(content, look)].flat();
}

type OpenLink = {readonly href: string; readonly title: string; readonly isAuto: boolean; label: string};

function spansOf(tokens: readonly Token[], look: Look): Span[][] {
	let line: Span[] = [];
	const lines = [line];
	const looks: Look[] = [look];
	let link: OpenLink | undefined;
	const add = (text: string, more: Look = {}) => {
		if (text === '') return;
		if (link) link.label += text;
		line.push({...looks.at(-1), ...more, text: stillSafe(text)});
	};
	const open = (more: Look) => looks.push({...looks.at(-1), ...more});
	for (const token of tokens) {
		switch (token.type) {
			case 'softbreak':
			case 'hardbreak':
				line = [];
				lines.push(line);
				break;
			case 'code_inline':
				add(token.content.replaceAll('\n', ' '), {tone: 'code', tint: 'code'});
				break;
			case 'text_special':
				add(plainCharacter.test(token.content) ? token.content : token.markup);
				break;
			case 'strong_open':
				open({bold: true});
				break;
			case 'em_open':
				open({isItalic: true});
				break;
			case 's_open':
				open({tone: 'dim'});
				break;
			case 'link_open': {
				const isAuto = token.info === 'auto';
				link = {...addressOf(token, 'href'), isAuto, label: ''};
				open({tone: isAuto ? 'info' : 'accent'});
				break;
			}
			case 'link_close':
				looks.pop();
				if (link) line.push(...targetSpans(link, looks.at(-1) ?? look));
				link = undefined;
				break;
			case 'image': {
				const label = token.content.replaceAll('\n', ' ');
				const image: OpenLink = {...addressOf(token, 'src'), isAuto: false, label};
				add(label, {tone: 'accent'});
				line.push(...targetSpans(image, looks.at(-1) ?? look));
				break;
			}
			case 'strong_close':
			case 'em_close':
			case 's_close':
				looks.pop();
				break;
			default:
				add(token.content);
		}
	}
	return lines;
}

function addressOf(token: Token, name: 'href' | 'src') {
	return {href: String(token.attrGet(name) ?? ''), title: String(token.attrGet('title') ?? '')};
}

/** Shows a link's address after its label, so that a label can't disguise it. */
function targetSpans({href, title, isAuto, label}: OpenLink, look: Look): Span[] {
	const address = cleanLine(href);
	const words = title === '' ? safe`` : safe` "${cleanLine(title)}"`;
	if (isAuto || (label === address && words === '')) return [];
	return [{...look, text: safe` (${address}${words})`, tone: 'dim'}];
}

/** Wraps spans as one text: each keeps its look, and each row's pieces link to those above. */
export function wrapSpans(spans: readonly Span[], width: number, maxRows = Number.POSITIVE_INFINITY): Line[] {
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
		const piece: Piece | undefined = rows.length > 1 ? {joint, above} : undefined;
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

import type {KeyMap} from '../../keys/key-map.ts';
import type {Find} from '../../state/find.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {takeLastColumns} from '../../text/cells/cut.ts';
import {type Line, lineWidth, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {strings} from './strings.ts';

const text = strings.find;
const findMark = safe`/ `;
const maxColumns = 30;
/** Columns that the words leave for the count on a narrow screen. */
const countColumns = 18;

/**
 * `/ words   3 of 17 · 2 of 5 here · n N · Esc`, for the stream's lower border. Parts that don't fit `width`
 * columns are dropped, last first. `inMessage`: number of matches in the current message.
 */
export function findLine(find: Find, inMessage: number, width: number, {label}: Pick<KeyMap, 'label'>): Line {
	const moves = find.count > 0 ? safe`${label('find-next')} ${label('find-previous')} · ` : safe``;
	const more = [
		inMessageSpans(find, inMessage),
		find.isTyping ? [] : [span(safe` · ${moves}${label('clear-find')}`, 'dim')],
	];
	let line: Line = [
		span(findMark, 'accent'),
		span(shownText(find.words, width), 'strong'),
		span(safe`   `),
		countSpan(find),
	];
	for (const part of more) {
		const longer = [...line, ...part];
		if (lineWidth(longer) > width) break;
		line = longer;
	}
	return line;
}

/** The column right after the words, where typed text goes. */
export function findCursor({words}: Find, width: number): number {
	return textWidth(findMark) + textWidth(shownText(words, width));
}

function shownText(words: string, width: number): Safe {
	return takeLastColumns(cleanLine(words, 200), Math.max(1, Math.min(maxColumns, width - countColumns)));
}

function countSpan({words, isTyping, count, newer, hit, isSearching, isIncomplete}: Find): Span {
	if (isSearching) return span(count > 0 ? text.soFar(count) : text.searching, 'info');
	if (count > 0) return span(hit ? text.position(count - newer, count) : text.found(count), 'accent');
	if (words.trim() === '') return span(text.hint, 'dim');
	if (isIncomplete) return span(text.unreadable, 'bad');
	return span(isTyping ? text.notFound : text.notFoundYet, 'warn');
}

function inMessageSpans({hit, isSearching}: Find, inMessage: number): Line {
	if (!hit || isSearching || inMessage < 2) return [];
	return [span(text.inMessage(Math.min(hit.nth + 1, inMessage), inMessage), 'dim')];
}

import type {KeyMap} from '../../keys/key-map.ts';
import type {Find} from '../../state/find.ts';
import {cleanLine} from '../../text/clean.ts';
import {takeLastColumns} from '../../text/cut.ts';
import {type Line, type Span, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {textWidth} from '../../text/width.ts';

const findMark = safe`/ `;
const mostColumns = 30;

/** `/ words   3 of 17 · 2 of 5 in it`, for the lower border of the stream; `inMessage`: how often the message at hand holds them. */
export function findLine(find: Find, inMessage: number, {label}: Pick<KeyMap, 'label'>): Line {
	const {words, isTyping, count} = find;
	const keys =
		count > 0
			? safe`${label('find-next')} ${label('find-previous')} · ${label('clear-find')}`
			: label('clear-find');
	return [
		span(findMark, 'accent'),
		span(shownWords(words), 'strong'),
		span(safe`   `),
		countSpan(find),
		...inMessageSpans(find, inMessage),
		...(isTyping ? [] : [span(safe` · ${keys}`, 'dim')]),
	];
}

/** The column of the line after the words, where what is typed comes. */
export function findCursor({words}: Find): number {
	return textWidth(findMark) + textWidth(shownWords(words));
}

function shownWords(words: string): Safe {
	return takeLastColumns(cleanLine(words, 200), mostColumns);
}

function countSpan({words, count, newer, hit, isLooking}: Find): Span {
	if (isLooking) return span(count > 0 ? safe`${count} so far ...` : safe`looking ...`, 'info');
	if (count > 0) return span(hit ? safe`${count - newer} of ${count}` : safe`${count} found`, 'accent');
	return words.trim() === '' ? span(safe`words by their beginnings`, 'dim') : span(safe`not found`, 'warn');
}

function inMessageSpans({hit, isLooking}: Find, inMessage: number): Line {
	if (!hit || isLooking || inMessage < 2) return [];
	return [span(safe` · ${Math.min(hit.nth + 1, inMessage)} of ${inMessage} in it`, 'dim')];
}

import type {KeyMap} from '../../keys/key-map.ts';
import type {Find} from '../../state/find.ts';
import {cleanLine} from '../../text/clean.ts';
import {takeLastColumns} from '../../text/cut.ts';
import {type Line, type Span, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {textWidth} from '../../text/width.ts';

const findMark = safe`/ `;
const mostColumns = 30;

/** `/ words  3 of 17`, for the lower border of the stream. */
export function findLine(find: Find, {label}: Pick<KeyMap, 'label'>): Line {
	const {words, isTyping, count, isLooking} = find;
	const isLeft = isTyping || (count === 0 && !isLooking);
	return [
		span(findMark, 'accent'),
		span(shownWords(words), 'strong'),
		span(safe`   `),
		countSpan(find),
		...(isLeft
			? []
			: [span(safe` · ${label('find-next')} ${label('find-previous')} · ${label('clear-find')}`, 'dim')]),
	];
}

/** The column of the line after the words, where what is typed comes. */
export function findCursor({words}: Find): number {
	return textWidth(findMark) + textWidth(shownWords(words));
}

function shownWords(words: string): Safe {
	return takeLastColumns(cleanLine(words, 200), mostColumns);
}

function countSpan({words, count, at, isLooking}: Find): Span {
	if (isLooking) return span(safe`${count} so far ...`, 'info');
	if (count > 0) return span(safe`${count - at} of ${count}`, 'accent');
	return words.trim() === '' ? span(safe`words by their beginnings`, 'dim') : span(safe`not found`, 'warn');
}

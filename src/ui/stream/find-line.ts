import type {Find} from '../../state/find.ts';
import {cleanLine} from '../../text/clean.ts';
import {cutEnd} from '../../text/cut.ts';
import {type Line, type Span, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';

/** `/ words  3 of 17`, for the lower border of the stream. */
export function findLine(find: Find): Line {
	const {words, isTyping, hits, isLooking} = find;
	const isLeft = isTyping || (hits.length === 0 && !isLooking);
	return [
		span(safe`/ `, 'accent'),
		span(cutEnd(cleanLine(words, 200), 30), 'strong'),
		...(isTyping ? [span(safe`▏`, 'accent')] : []),
		span(safe`  `),
		countSpan(find),
		...(isLeft ? [] : [span(safe` · n N · Esc`, 'dim')]),
	];
}

function countSpan({words, hits, at, isLooking}: Find): Span {
	if (isLooking) return span(safe`${hits.length} so far ...`, 'info');
	if (hits.length > 0) return span(safe`${hits.length - at} of ${hits.length}`, 'accent');
	return words.trim() === '' ? span(safe`words by their beginnings`, 'dim') : span(safe`not found`, 'warn');
}

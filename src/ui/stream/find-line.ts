import {type Find, hitsAtMost} from '../../state/find.ts';
import {cleanLine} from '../../text/clean.ts';
import {cutEnd} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';

/** `/ words  3 of 17`, for the lower border of the stream. */
export function findLine({words, isTyping, hits, at}: Find): Line {
	const more = hits.length >= hitsAtMost ? safe`+` : safe``;
	const count =
		hits.length > 0
			? span(safe`${at + 1} of ${hits.length}${more}`, 'accent')
			: span(
					words.trim() === '' ? safe`words by their beginnings` : safe`not found`,
					words.trim() === '' ? 'dim' : 'warn',
				);
	return [
		span(safe`/ `, 'accent'),
		span(cutEnd(cleanLine(words, 200), 30), 'strong'),
		...(isTyping ? [span(safe`▏`, 'accent')] : []),
		span(safe`  `),
		count,
		...(isTyping || hits.length === 0 ? [] : [span(safe` · n N · Esc`, 'dim')]),
	];
}

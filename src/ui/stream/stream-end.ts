import type {KeyMap} from '../../keys/key-map.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import type {Window} from './viewport.ts';

/**
 * The lower border: the key that goes to the end and the number of new messages; at the end, what the session
 * `asks` for.
 */
export function streamEnd(
	{unseen, isAtEnd}: Window,
	hasNewer: boolean,
	isMarking: boolean,
	asks: string | undefined,
	{label}: Pick<KeyMap, 'label'>,
): {bottom?: Line} {
	if (isMarking)
		return {
			bottom: [
				span(safe`marking`, 'accent', {bold: true}),
				span(safe` · ${label('copy-marked')} copies · ${label('end-mark')} ends`, 'dim'),
			],
		};
	if (unseen > 0) return {bottom: [span(safe`↓ ${unseen} new · ${label('bottom')}`, 'accent', {bold: true})]};
	if (isAtEnd && !hasNewer)
		return asks === undefined ? {} : {bottom: [span(safe`! ${cleanLine(asks, 200)}`, 'warn')]};
	return {bottom: [span(safe`↓ ${label('bottom')}`, 'dim')]};
}

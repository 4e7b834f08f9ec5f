import type {KeyMap} from '../../keys/key-map.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import type {Window} from './viewport.ts';

/** What the lower border says: how the end is reached, and what came there meanwhile. */
export function streamEnd(
	{unseen, isAtEnd}: Window,
	hasNewer: boolean,
	isMarking: boolean,
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
	return isAtEnd && !hasNewer ? {} : {bottom: [span(safe`↓ ${label('bottom')}`, 'dim')]};
}

import type {ComputerItem} from '../../state/computer-items.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, padLine, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {age} from '../../text/values/times.ts';
import {failureText, needsLook} from '../looks/needs-look.ts';
import {ageWidth} from './session-row.ts';

/** A failure cut shorter than this says nothing, columns. */
const failureMin = 8;
const maxFailure = 200;

/**
 * `✗ gpu-lab clone: disk full   failed   3m`, exactly `width` columns, with the parts of a session's row; `words` is
 * the width of the state words.
 */
export function failedComputerRow(item: ComputerItem, width: number, words: number, now: number): Line {
	const {glyph, word, tone} = needsLook(item);
	const room = Math.max(4, width - words - ageWidth - 4);
	const since = item.since === undefined ? safe`` : age(now - item.since);
	return [
		span(glyph, tone, {bold: true}),
		span(safe` `),
		...padLine(nameSpans(item, room), room),
		span(safe` `),
		span(pad(word, words), tone),
		span(safe` `),
		span(pad(since, ageWidth, 'end'), 'dim'),
	];
}

/** Its name, and what failed if there is room. */
function nameSpans(item: ComputerItem, room: number): Line {
	const name = cutEnd(cleanLine(item.name), room);
	const left = room - textWidth(name) - 1;
	if (left < failureMin) return [span(name)];
	return [span(name), span(safe` ${cutEnd(failureText(item, maxFailure), left)}`, 'dim')];
}

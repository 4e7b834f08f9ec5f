import type {SessionItem} from '../../state/session-items.ts';
import {cleanLine} from '../../text/clean.ts';
import {cutEnd, pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {age, clockTime} from '../../text/times.ts';
import {sessionLook} from '../panes/session-state.ts';

const stateWidth = 10;
const waitWidth = 14;
const placeWidth = 16;
/** From so many columns on the computer has a column, and what is asked for has another. */
const wideFrom = 76;

/** `! approve   fix-login        build-box   waits 4m   May I run npm test?`, exactly `width` columns. */
export function inboxRow(item: SessionItem, width: number, now: number): Line {
	const {glyph, word, tone} = sessionLook({state: item.state});
	const isWide = width >= wideFrom;
	const rest = width - stateWidth - waitWidth - 4;
	const name = isWide ? Math.min(28, Math.floor((rest - placeWidth) / 2)) : rest;
	const reason = rest - name - placeWidth - 2;
	const looks = item.mark ? 'dim' : tone;
	return [
		span(safe` ${glyph} `, looks, {bold: item.mark === undefined}),
		span(pad(word, stateWidth - 2), looks),
		span(safe` `),
		span(pad(cleanLine(item.name, 200), name), item.mark ? 'dim' : 'text'),
		span(safe` `),
		...(isWide
			? [
					span(
						pad(cleanLine(item.computerName ?? item.computerId ?? item.client ?? '', 80), placeWidth),
						'dim',
					),
					span(safe` `),
				]
			: []),
		span(pad(waits(item, now), waitWidth), item.mark ? 'dim' : 'strong'),
		...(isWide
			? [span(safe` `), span(cutEnd(cleanLine(item.reason ?? '', 400), Math.max(0, reason)), 'dim')]
			: []),
	];
}

/** How long it has waited; of what was put aside, until when. */
function waits({mark, since}: SessionItem, now: number): Safe {
	if (mark?.until !== undefined) {
		const isToday = new Date(mark.until).toDateString() === new Date(now).toDateString();
		return isToday ? safe`until ${clockTime(mark.until)}` : safe`tomorrow ${clockTime(mark.until)}`;
	}
	if (mark) return safe`seen ${age(now - mark.at)} ago`;
	return since === undefined ? safe`waits` : safe`waits ${age(now - since)}`;
}

import type {SessionItem} from '../../state/session-items.ts';
import {cleanLine} from '../../text/clean.ts';
import {cutEnd, pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {age, clockTime} from '../../text/times.ts';
import {sessionLook} from '../panes/session-state.ts';

/** Glyph and word of a state, with the spaces around them. */
const stateWidth = 11;
const wordWidth = 7;
const waitWidth = 14;
const placeWidth = 16;
const nameMost = 28;
/** From so many columns on there is room for what is asked, and from so many for the computer as well. */
const reasonFrom = 60;
const placeFrom = 96;

/** `! approve   fix-login        build-box   waits 4m   May I run npm test?`, in `width` columns. */
export function inboxRow(item: SessionItem, width: number, now: number): Line {
	const {glyph, word, tone} = sessionLook({state: item.state});
	const place = width >= placeFrom ? placeWidth + 1 : 0;
	const rest = width - stateWidth - waitWidth - place - 1;
	const name = width >= reasonFrom ? Math.min(nameMost, Math.floor(rest / 2)) : rest;
	const looks = item.mark ? 'dim' : tone;
	return [
		span(safe` ${glyph} `, looks, {bold: item.mark === undefined}),
		span(pad(word, wordWidth), looks),
		span(safe` `),
		span(pad(cleanLine(item.name, 200), name), item.mark ? 'dim' : 'text'),
		span(safe` `),
		...(place > 0 ? [span(pad(placeOf(item), placeWidth), 'dim'), span(safe` `)] : []),
		span(pad(waits(item, now), waitWidth), item.mark ? 'dim' : 'strong'),
		...(width >= reasonFrom
			? [span(safe`  ${cutEnd(cleanLine(item.reason ?? '', 400), Math.max(0, rest - name - 2))}`, 'dim')]
			: []),
	];
}

function placeOf({computerName, computerId, client}: SessionItem): Safe {
	return cleanLine(computerName ?? computerId ?? client ?? '', 80);
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

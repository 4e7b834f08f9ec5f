import type {SessionItem} from '../../state/session-items.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {age, clockTime} from '../../text/values/times.ts';
import {sessionLook} from '../looks/session-look.ts';

/** Glyph and word of a state, including spaces. */
const stateWidth = 11;
const wordWidth = 7;
/** `waits 12m`; for a snoozed session, `tomorrow 08:00`. */
const waitWidth = {waiting: 10, aside: 14} as const;
/** Minimum columns of the name and the computer, reserved before others grow. */
const nameWidth = 28;
const placeLeast = 16;
const maxLengths = {name: 60, place: 32, reason: 120} as const;
/** Widths, in columns, from which the reason and the computer are shown. */
const reasonFrom = 60;
const placeFrom = 96;
const gap = 2;

/** Columns of each part of a row; 0 omits it. */
export type InboxColumns = Readonly<Record<'name' | 'place' | 'wait' | 'reason', number>>;

/**
 * Divides `width` columns among the parts of the rows: names, then computers, grow into room the reasons
 * don't need.
 */
export function inboxColumns(items: readonly SessionItem[], width: number): InboxColumns {
	const widest = (textOf: (item: SessionItem) => Safe) =>
		items.reduce((columns, item) => Math.max(columns, textWidth(textOf(item))), 0);
	const wait = items.some(({mark}) => mark !== undefined) ? waitWidth.aside : waitWidth.waiting;
	const room = width - stateWidth - wait - gap;
	if (width < reasonFrom) return {name: room, place: 0, wait, reason: 0};
	const wholePlace = width < placeFrom ? 0 : widest(placeOf);
	const places = Math.min(wholePlace, placeLeast);
	const shared = room - gap - (places > 0 ? gap : 0);
	const names = Math.min(nameWidth, Math.floor((room - places) / 2));
	let spare = Math.max(0, shared - names - places - widest(reasonOf));
	const name = names + Math.min(spare, Math.max(0, widest(nameOf) - names));
	spare -= name - names;
	const place = places + Math.min(spare, wholePlace - places);
	return {name, place, wait, reason: shared - name - place};
}

/** `! approve  fix-login         build-box  waits 4m  May I run npm test?` */
export function inboxRow(item: SessionItem, {name, place, wait, reason}: InboxColumns, now: number): Line {
	const {glyph, word, tone} = sessionLook({state: item.state});
	const looks = item.mark ? 'dim' : tone;
	const space = span(safe`  `);
	return [
		span(safe` ${glyph} `, looks, {bold: item.mark === undefined}),
		span(pad(word, wordWidth), looks),
		span(safe` `),
		span(pad(nameOf(item), name), item.mark ? 'dim' : 'text'),
		space,
		...(place > 0 ? [span(pad(placeOf(item), place), 'dim'), space] : []),
		span(pad(waits(item, now), wait), item.mark ? 'dim' : 'strong'),
		...(reason > 0 ? [space, span(cutEnd(cleanLine(item.reason ?? '', 400), reason), 'dim')] : []),
	];
}

function nameOf({name}: SessionItem): Safe {
	return cleanLine(name, maxLengths.name);
}

function placeOf({computerName, computerId, client}: SessionItem): Safe {
	return cleanLine(computerName ?? computerId ?? client ?? '', maxLengths.place);
}

function reasonOf({reason = ''}: SessionItem): Safe {
	return cleanLine(reason, maxLengths.reason);
}

/** How long the session has waited; when snoozed, until when. */
function waits({mark, since}: SessionItem, now: number): Safe {
	if (mark?.until !== undefined) {
		const isToday = new Date(mark.until).toDateString() === new Date(now).toDateString();
		return isToday ? safe`until ${clockTime(mark.until)}` : safe`tomorrow ${clockTime(mark.until)}`;
	}
	if (mark) return safe`seen ${age(now - mark.at)} ago`;
	return since === undefined ? safe`waits` : safe`waits ${age(now - since)}`;
}

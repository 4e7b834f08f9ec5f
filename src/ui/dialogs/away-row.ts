import {maskText} from '../../domain/masking.ts';
import type {AwayEntry, AwayEvent} from '../../state/away.ts';
import {stateLooks} from '../../state/computers/computer-look.ts';
import {type Look, sessionLook} from '../../state/sessions/session-look.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {age} from '../../text/values/times.ts';

export const eventTexts: Readonly<Record<AwayEvent, Safe>> = {
	asks: safe`asks`,
	failed: safe`failed`,
	unsent: safe`unsent`,
	unconfirmed: safe`unconfirmed`,
	done: safe`done`,
	working: safe`working`,
	ended: safe`ended`,
	up: safe`is up`,
	'provisioning-failed': safe`failed`,
};

const minEventWidth = 8;
const ageWidth = 4;
const gap = 2;
/** Columns of the title: reserved before the words, and at most. */
const titleWidth = {min: 28, max: 60};
const maxWordsLength = 400;

/** Widths of the event, the title and the last words, in columns. */
type AwayColumns = Readonly<Record<'event' | 'title' | 'words', number>>;

/** Divides `width` columns: titles grow into half of the room, the last words take the rest. */
export function awayColumns(entries: readonly AwayEntry[], width: number): AwayColumns {
	const widest = (textOf: (entry: AwayEntry) => Safe) =>
		entries.reduce((columns, entry) => Math.max(columns, textWidth(textOf(entry))), 0);
	const event = Math.max(minEventWidth, widest(eventText));
	const room = width - 3 - event - gap - gap - ageWidth;
	const title = Math.min(room, widest(titleOf), Math.max(titleWidth.min, Math.floor(room / 2)));
	return {event, title, words: Math.max(0, room - title - gap)};
}

/** ` ! asks      Fix the login test    Which one do you want?     4m` */
export function awayRow(entry: AwayEntry, {event, title, words}: AwayColumns, now: number): Line {
	const {glyph, tone} = lookOf(entry.event);
	return [
		span(safe` ${glyph} `, tone, {bold: true}),
		span(pad(eventText(entry), event), tone),
		span(safe`  `),
		span(pad(titleOf(entry), title), 'text'),
		...(words > 0 ? [span(safe`  `), span(pad(wordsOf(entry, words), words), 'dim')] : []),
		span(safe`  `),
		span(pad(age(now - entry.at), ageWidth, 'end'), 'dim'),
	];
}

function titleOf({name}: AwayEntry): Safe {
	return cleanLine(name, titleWidth.max);
}

function wordsOf({words = '', event, tool}: AwayEntry, width: number): Safe {
	if (event === 'working' && tool !== undefined)
		return cutEnd(safe`running ${cleanLine(maskText(tool), maxWordsLength)}`, width);
	if (words === '' && event === 'up') return cutEnd(safe`the computer is provisioned`, width);
	if (words === '' && event === 'provisioning-failed') return cutEnd(safe`provisioning failed`, width);
	return cutEnd(cleanLine(maskText(words), maxWordsLength), width);
}

function eventText({event}: AwayEntry): Safe {
	return eventTexts[event];
}

function lookOf(event: AwayEvent): Look {
	switch (event) {
		case 'asks':
			return sessionLook({state: 'input'});
		case 'failed':
			return sessionLook({state: 'error'});
		case 'unconfirmed':
			return sessionLook({state: 'unsent'});
		case 'up':
			return stateLooks.active;
		case 'provisioning-failed':
			return stateLooks.error;
		default:
			return sessionLook({state: event});
	}
}

import {maskText} from '../../domain/masking.ts';
import {failedLook, failureText} from '../../state/computers/computer-look.ts';
import type {NeedsItem} from '../../state/lists/lists.ts';
import {type Look, sessionLook} from '../../state/sessions/session-look.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {age, clockTime} from '../../text/values/times.ts';

/** Columns of the state's glyph and of the space after its word, and at least of the word. */
const glyphWidth = 4;
const minWordWidth = 7;
/** `waiting 12m`; for a handled session, `acknowledged 12m` or `tomorrow 08:00`. */
const waitWidth = {waiting: 12, snoozed: 14, acknowledged: 16} as const;
/** Minimum columns of the name and the computer, reserved before others grow. */
const nameWidth = 28;
const minComputerWidth = 16;
const maxLengths = {name: 60, computer: 32, reason: 120} as const;
/** Minimum width, in columns, for the reason and the computer in the row. */
const minFullWidth = 96;
const gap = 2;

/** Columns of each part of a row; 0 omits it. */
type InboxColumns = Readonly<Record<'word' | 'name' | 'computer' | 'wait' | 'reason', number>>;

/**
 * Divides `width` columns among the parts of the rows: names, then computers, grow into room the reasons
 * don't need.
 */
export function inboxColumns(items: readonly NeedsItem[], width: number): InboxColumns {
	const widest = (textOf: (item: NeedsItem) => Safe) =>
		items.reduce((columns, item) => Math.max(columns, textWidth(textOf(item))), 0);
	const wait = Math.max(waitWidth.waiting, ...items.map(({mark}) => waitWidth[mark?.kind ?? 'waiting']));
	const word = Math.max(
		minWordWidth,
		widest(item => stateLook(item).word),
	);
	const room = width - glyphWidth - word - wait - gap;
	if (isNarrow(width)) return {word, name: room, computer: 0, wait, reason: 0};
	const maxComputer = widest(computerOf);
	const minComputer = Math.min(maxComputer, minComputerWidth);
	const shared = room - gap - (minComputer > 0 ? gap : 0);
	const minName = Math.min(nameWidth, Math.floor((room - minComputer) / 2));
	let spare = Math.max(0, shared - minName - minComputer - widest(item => reasonOf(item)));
	const name = minName + Math.min(spare, Math.max(0, widest(nameOf) - minName));
	spare -= name - minName;
	const computer = minComputer + Math.min(spare, maxComputer - minComputer);
	return {word, name, computer, wait, reason: shared - name - computer};
}

/** Whether rows of this width have room for names only, so that the reason is shown below the list. */
export function isNarrow(width: number): boolean {
	return width < minFullWidth;
}

/** The request or question of the item, in `rows` rows below the list. */
export function reasonRows(item: NeedsItem, width: number, rows: number): readonly Line[] {
	const reason = wrapText(shownReason(item), width, rows);
	return Array.from({length: rows}, (_, index) => (reason[index] ? [span(reason[index])] : []));
}

/** `! approve  fix-login         build-box  waiting 4m  May I run npm test?` */
export function inboxRow(
	item: NeedsItem,
	{word: wordColumns, name, computer, wait, reason}: InboxColumns,
	now: number,
): Line {
	const {glyph, word, tone} = stateLook(item);
	const stateTone = item.mark ? 'dim' : tone;
	const space = span(safe`  `);
	return [
		span(safe` ${glyph} `, stateTone, {bold: item.mark === undefined}),
		span(pad(word, wordColumns), stateTone),
		span(safe` `),
		span(pad(nameOf(item), name), item.mark ? 'dim' : 'text'),
		space,
		...(computer > 0 ? [span(pad(computerOf(item), computer), 'dim'), space] : []),
		span(pad(waitText(item, now), wait), item.mark ? 'dim' : 'strong'),
		...(reason > 0 ? [space, span(cutEnd(shownReason(item), reason), 'dim')] : []),
	];
}

/** The state that the row is about, whatever the user did about it. */
function stateLook(item: NeedsItem): Look {
	if (item.kind === 'computer') return failedLook;
	const {state, word} = item;
	return sessionLook({state, word});
}

function nameOf({name}: NeedsItem): Safe {
	return cleanLine(name, maxLengths.name);
}

function computerOf(item: NeedsItem): Safe {
	if (item.kind === 'computer') return safe`computer`;
	return cleanLine(item.computerName ?? item.computerId ?? '', maxLengths.computer);
}

function reasonOf(item: NeedsItem, maxLength: number = maxLengths.reason): Safe {
	return item.kind === 'computer' ? failureText(item, maxLength) : cleanLine(item.reason ?? '', maxLength);
}

/** The reason without secrets. Only for rows in sight: masking every row would take too long. */
function shownReason(item: NeedsItem): Safe {
	return reasonOf(item.reason === undefined ? item : {...item, reason: maskText(item.reason)}, 400);
}

/** How long the item has waited; when snoozed, until when. */
function waitText({mark, since}: NeedsItem, now: number): Safe {
	if (mark?.until !== undefined) {
		const isToday = new Date(mark.until).toDateString() === new Date(now).toDateString();
		return safe`${isToday ? safe`until` : safe`tomorrow`} ${clockTime(mark.until)}`;
	}
	if (mark) return safe`acknowledged ${age(now - mark.at)}`;
	return since === undefined ? safe`waiting` : safe`waiting ${age(now - since)}`;
}

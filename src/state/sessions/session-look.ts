import {isArchived} from '../../domain/known.ts';
import {quietWork, type SessionActivity} from '../../domain/sessions/activity.ts';
import type {AttentionMark} from '../../domain/sessions/attention.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {age, shortTime} from '../../text/values/times.ts';
import {isLimited, type SessionItem} from './session-items.ts';
import {isUnsure, type SessionState} from './session-state.ts';

/** Beside the name of a session with an unsent draft. */
export const draftMark = safe`✎`;
/** Beside the name of a session with a message that waits on this machine. */
export const queuedMark = safe`queued`;

const sources = {
	created: safe`created`,
	updated: safe`checked`,
	posted: safe`your message`,
	hook: safe`reported`,
	activity: safe`last message`,
	step: safe`install`,
} as const;

type ItemState = Pick<
	SessionItem,
	'state' | 'source' | 'knownAt' | 'isAssumed' | 'isUnreachable' | 'client' | 'activity' | 'known'
>;

const isBusy = ({state}: Pick<SessionItem, 'state'>) => state === 'working' || state === 'pending';

/** The source and age of a state, such as ` · last message 3s ago`; empty when unknown. */
export function statusSource(item: ItemState & Pick<SessionItem, 'since'>, now: number): Safe {
	const {source, since} = item;
	if (source === undefined || since === undefined) return safe``;
	const ago = age(now - since);
	// An install is followed from its beginning.
	if (source === 'step' && isBusy(item)) return safe` · for ${ago}`;
	return isStuck(item, now) && !isUnsure(item, now)
		? safe` · no activity for ${ago}`
		: safe` · ${sources[source]} ${ago} ago`;
}

/** Whether a busy session has shown no activity for so long that it may be stuck. An install may be silent for long. */
export function isStuck(
	{state, source, since}: Pick<SessionItem, 'state' | 'source' | 'since'>,
	now: number,
): boolean {
	return isBusy({state}) && source !== 'step' && since !== undefined && now - since >= quietWork;
}

/** When a working session's turn began; for others, when their state began. Unix ms. */
export function turnStart({
	state,
	source,
	since,
	activity,
}: Pick<SessionItem, 'state' | 'source' | 'since' | 'activity'>): number | undefined {
	if (state !== 'working' || source === 'hook' || activity?.userAt === undefined) return since;
	return activity.turnAt ?? (source === 'posted' ? since : activity.userAt);
}

const spinner = [safe`◐`, safe`◓`, safe`◑`, safe`◒`] as const;

/** The glyph of a working session. It turns once a second, unless `isSpinnerStill`. */
export function spinnerAt(now: number, isSpinnerStill: boolean): Safe {
	const frame = isSpinnerStill ? 0 : Math.floor(now / 1000) % spinner.length;
	return spinner[frame] ?? spinner[0];
}

/** How a state is shown: a glyph, a word and a color, never color alone. */
export type Look = {readonly glyph: Safe; readonly word: Safe; readonly tone: Tone};

/** The glyph and the word, such as `● working`; a state that isn't known is only `?`. */
export function lookText({glyph, word}: Look): Safe {
	return word === glyph ? glyph : safe`${glyph} ${word}`;
}

const looks: Readonly<Record<SessionState, Look>> = {
	permission: {glyph: safe`!`, word: safe`asks`, tone: 'warn'},
	input: {glyph: safe`!`, word: safe`asks`, tone: 'warn'},
	error: {glyph: safe`✗`, word: safe`failed`, tone: 'bad'},
	unsent: {glyph: safe`!`, word: safe`unsent`, tone: 'bad'},
	done: {glyph: safe`✓`, word: safe`done`, tone: 'info'},
	working: {glyph: safe`●`, word: safe`working`, tone: 'good'},
	pending: {glyph: safe`◌`, word: safe`working`, tone: 'info'},
	idle: {glyph: safe`○`, word: safe`idle`, tone: 'dim'},
	ended: {glyph: safe`·`, word: safe`ended`, tone: 'dim'},
	unknown: {glyph: safe`?`, word: safe`?`, tone: 'dim'},
	raw: {glyph: safe`?`, word: safe`?`, tone: 'info'},
};

/** Messages of the agent that the user hasn't read: at most two digits, and `+` when there may be more. */
export function unreadCount({unread, isUnreadPartial}: SessionActivity): Safe {
	const isMore = isUnreadPartial === true || unread > maxCounted;
	return safe`${Math.min(unread, maxCounted)}${isMore ? safe`+` : safe``}`;
}

const maxCounted = 99;

/** How something that needs the user is shown once they have acknowledged or snoozed it. */
export function markLook(look: Look, mark: AttentionMark | undefined): Look {
	return mark
		? {...look, word: mark.kind === 'snoozed' ? safe`snoozed` : safe`acknowledged`, tone: 'dim'}
		: look;
}

/** The look of a session at `now`, Unix ms; without it, of a state that was certain when it was recorded. */
export function sessionLook(
	item: ItemState &
		Pick<SessionItem, 'word' | 'mark' | 'isSettled' | 'limitedUntil'> & {
			readonly group?: SessionItem['group'];
		},
	now?: number,
): Look {
	const look = looks[item.state];
	if (item.state === 'ended' && isArchived(item.known)) return {...look, word: safe`archived`};
	if (item.mark) return markLook(look, item.mark);
	if (item.limitedUntil !== undefined && now !== undefined && isLimited(item, now))
		return {...look, word: safe`limited until ${shortTime(item.limitedUntil, now)}`, tone: 'warn'};
	const isLost = item.state === 'idle' && item.isUnreachable;
	if (now !== undefined && (isLost || isUnsure(item, now))) return unsureLook(item.state, look);
	// An old question or failure needs no action.
	if (item.isSettled) return {...look, tone: 'dim'};
	return item.word === undefined ? look : {...look, word: cleanLine(item.word, 24)};
}

/** A session that wasn't read for long or is out of reach, or one that only silence shows to be done. */
function unsureLook(state: SessionState, look: Look): Look {
	return {glyph: safe`◌`, word: safe`${look.word}?`, tone: state === 'done' ? look.tone : 'dim'};
}

/** States as the commands name them, in the order of the help. `waiting` is a condition, not a state. */
export const stateNames = [
	'asks',
	'failed',
	'done',
	'working',
	'idle',
	'unsent',
	'ended',
	'archived',
] as const;
type StateName = (typeof stateNames)[number];

/** By state; `?` if it isn't known, or is a word of the service that is new to us. */
export const nameByState: Readonly<Record<SessionState, StateName | '?'>> = {
	permission: 'asks',
	input: 'asks',
	error: 'failed',
	unsent: 'unsent',
	done: 'done',
	working: 'working',
	pending: 'working',
	idle: 'idle',
	ended: 'ended',
	unknown: '?',
	raw: '?',
};

/** The state of a session as the commands name it: `?` if it isn't known, and the service's own word if that is new to us. */
export function stateName({state, word, known}: SessionItem): string {
	if (state === 'ended' && isArchived(known)) return 'archived';
	const name = nameByState[state];
	return name === '?' ? (word ?? name) : name;
}

/** The state as commands show it: `working?` or `idle?` if the turn may be over or go on. */
export function shownState(item: SessionItem, now: number): string {
	return isUnsure(item, now) ? `${stateName(item)}?` : stateName(item);
}

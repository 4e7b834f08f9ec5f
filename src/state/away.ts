import {highest} from '../domain/large-arrays.ts';
import type {SessionActivity} from '../domain/sessions/activity.ts';
import {type ComputerItem, conditionOf} from './computers/computer-items.ts';
import type {Lists} from './lists/lists.ts';
import {compareText} from './rows/table-rows.ts';
import type {SessionItem} from './sessions/session-items.ts';
import type {SessionState} from './sessions/session-state.ts';

export type AwayEvent =
	| 'asks'
	| 'failed'
	| 'unsent'
	| 'unconfirmed'
	| 'done'
	| 'working'
	| 'ended'
	| 'up'
	| 'provisioning-failed';

/** One row of "While you were away". Text is raw. */
export type AwayEntry = {
	readonly kind: 'session' | 'computer';
	readonly id: string;
	readonly name: string;
	readonly event: AwayEvent;
	/** Unix ms. */
	readonly at: number;
	/** The last answer or question, or why it failed. */
	readonly words?: string;
	readonly tool?: string;
};

/** When computers were seen to change, by id, Unix ms; a computer's own times win. */
export type ComputerChanges = ReadonlyMap<string, number>;

/** What happened after `since` (Unix ms), the newest first: one entry for each session and computer. */
export function awayEntries(
	{sessions, computers}: Lists['all'],
	since: number,
	changes: ComputerChanges = new Map(),
): AwayEntry[] {
	const entries = [
		...sessions.flatMap(item => (item.isPast ? [] : (sessionEntry(item) ?? []))),
		...computers.flatMap(item => computerEntry(item, changes) ?? []),
	];
	return entries.filter(({at}) => at > since).sort((a, b) => b.at - a.at || compareText(a.id, b.id));
}

const hookEvents: Readonly<Partial<Record<SessionState, AwayEvent>>> = {
	permission: 'asks',
	input: 'asks',
	error: 'failed',
	working: 'working',
	ended: 'ended',
};

/**
 * The last event of a session, read or not: an answer that came while its session was on the screen counts as read
 * although nobody was there.
 */
function sessionEntry(item: SessionItem): AwayEntry | undefined {
	const {id, name, state, word, source, since, reason, activity} = item;
	const words = reason ?? activity?.words;
	const entry = (event: AwayEvent, at: number): AwayEntry => ({
		kind: 'session',
		id,
		name,
		event,
		at,
		words,
		tool: activity?.tool,
	});
	if (state === 'unsent' && since !== undefined) return entry(word === 'unconfirmed' ? word : state, since);
	if (source === 'hook') {
		const event = state === 'idle' && item.signal?.state === 'done' ? 'done' : hookEvents[state];
		return event && since !== undefined ? entry(event, since) : undefined;
	}
	const event = activity && activityEvent(activity);
	return event && entry(event, activity.changedAt);
}

/** Undefined for a message of the user's own, which they wrote elsewhere. */
function activityEvent({state, evidence, unread}: SessionActivity): AwayEvent | undefined {
	if (state !== 'working') return state;
	return evidence === 'user-message' && unread === 0 ? undefined : 'working';
}

function computerEntry(item: ComputerItem, changes: ComputerChanges): AwayEntry | undefined {
	const {id, name, known, isFailed, since, reason} = item;
	if (!isFailed && conditionOf(item).state !== 'active') return undefined;
	const ends = (known.computer?.provisioningSteps ?? []).flatMap(({completedAt}) => completedAt ?? []);
	const endedAt = ends.length > 0 ? highest(ends) : undefined;
	const at = (isFailed ? since : undefined) ?? endedAt ?? changes.get(id);
	if (at === undefined) return undefined;
	return {kind: 'computer', id, name, event: isFailed ? 'provisioning-failed' : 'up', at, words: reason};
}

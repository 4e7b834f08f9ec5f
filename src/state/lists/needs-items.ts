import type {ComputerItem} from '../computers/computer-items.ts';
import type {Connection} from '../connection.ts';
import type {SessionItem} from '../sessions/session-items.ts';
import {compareNeeds} from '../sessions/session-sort.ts';
import type {Targets} from '../view/targets.ts';
import type {View} from '../view/view.ts';
import type {Lists} from './lists.ts';

/** An item that can need the user: a session, or a computer whose provisioning failed or seems not to go on. */
export type NeedsItem = SessionItem | ComputerItem;

/** Whether it needs the user, who has neither acknowledged nor snoozed that. */
export function isWaiting(item: NeedsItem): boolean {
	if (item.kind === 'session') return item.group === 'needs';
	return (item.isFailed || item.isStuck === true) && item.mark === undefined;
}

/** Why nobody can say that nothing needs the user, though nothing is known to; undefined if somebody can. */
export function whyUnknown(
	{state, refusal}: Pick<Connection, 'state' | 'refusal'>,
	{unread}: Pick<Lists['counts'], 'unread'>,
): 'unauthorized' | 'offline' | 'refusal' | Lists['counts']['unread'] {
	if (state === 'unauthorized' || state === 'offline') return state;
	if (refusal) return 'refusal';
	return unread;
}

/** All sessions and computers that need the user, in the order of `compareNeeds`. */
export function needsItems(
	sessions: readonly SessionItem[],
	computers: readonly ComputerItem[],
): NeedsItem[] {
	return [...sessions, ...computers].filter(isWaiting).sort(compareNeeds);
}

/** The session or computer that keys act on (`targets`). */
export function itemAt(
	{sessionsById, computers}: Pick<Lists['all'], 'sessionsById' | 'computers'>,
	{sessionId, computerId}: Targets,
): NeedsItem | undefined {
	if (sessionId !== undefined) return sessionsById.get(sessionId);
	return computerId === undefined ? undefined : computers.find(({id}) => id === computerId);
}

/**
 * What needs the user besides an item, beginning after it. One that was answered or read is no longer there: then it
 * begins with those that followed it, if `place` is its own.
 */
export function needsAfter(
	needs: readonly NeedsItem[],
	id: string | undefined,
	place: View['needsPlace'],
): readonly NeedsItem[] {
	const index = needs.findIndex(item => item.id === id);
	if (index >= 0) return [...needs.slice(index + 1), ...needs.slice(0, index)];
	const followers = place?.id === id ? place?.followers : undefined;
	const start = Math.max(
		0,
		needs.findIndex(item => followers?.includes(item.id)),
	);
	return [...needs.slice(start), ...needs.slice(0, start)];
}

import {isRequesting, type SessionItem} from './session-items.ts';

/** Number of current (not past) sessions on one computer, and of those that need the user. */
export type SessionCount = {readonly sessions: number; readonly needs: number};

const none: SessionCount = {sessions: 0, needs: 0};
const counted = new WeakMap<readonly SessionItem[], ReadonlyMap<string, SessionCount>>();

/** Counts the sessions on a computer. The first call counts all computers and caches the result. */
export function sessionsOn(sessions: readonly SessionItem[], computerId: string): SessionCount {
	const counts = counted.get(sessions) ?? count(sessions);
	counted.set(sessions, counts);
	return counts.get(computerId) ?? none;
}

function count(sessions: readonly SessionItem[]): ReadonlyMap<string, SessionCount> {
	const counts = new Map<string, {sessions: number; needs: number}>();
	for (const {computerId, isPast, group} of sessions) {
		if (computerId === undefined || isPast) continue;
		const onThis = counts.get(computerId) ?? {...none};
		onThis.sessions++;
		if (group === 'needs') onThis.needs++;
		counts.set(computerId, onThis);
	}
	return counts;
}

const requesting = new WeakMap<readonly SessionItem[], boolean>();

/** Whether the agent of any of these sessions waits for the answer to a request. Cached by list. */
export function someRequest(sessions: readonly SessionItem[]): boolean {
	const known = requesting.get(sessions) ?? sessions.some(isRequesting);
	requesting.set(sessions, known);
	return known;
}

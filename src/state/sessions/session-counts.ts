import {rememberEach} from '../rows/remember.ts';
import {isRequesting, type SessionItem} from './session-items.ts';

/** Number of current (not past) sessions on one computer, and of those that need the user. */
export type SessionCount = {readonly sessions: number; readonly needs: number};

const none: SessionCount = {sessions: 0, needs: 0};

/** Counts the sessions on a computer. The first call for a list counts those on all computers. */
export function sessionsOn(sessions: readonly SessionItem[], computerId: string): SessionCount {
	return countsOf(sessions).get(computerId) ?? none;
}

const countsOf = rememberEach((sessions: readonly SessionItem[]): ReadonlyMap<string, SessionCount> => {
	const counts = new Map<string, {sessions: number; needs: number}>();
	for (const {computerId, isPast, group} of sessions) {
		if (computerId === undefined || isPast) continue;
		const onThis = counts.get(computerId) ?? {...none};
		onThis.sessions++;
		if (group === 'needs') onThis.needs++;
		counts.set(computerId, onThis);
	}
	return counts;
});

/** Whether the agent of any of these sessions waits for the answer to a request. */
export const someRequest = rememberEach((sessions: readonly SessionItem[]) => sessions.some(isRequesting));

import type {SessionItem} from './session-items.ts';

/** Sessions on one computer that are not past, and those of them that need the user. */
export type SessionCount = {readonly sessions: number; readonly needs: number};

const none: SessionCount = {sessions: 0, needs: 0};
const counted = new WeakMap<readonly SessionItem[], ReadonlyMap<string, SessionCount>>();

/** How many of these sessions are on a computer. They are all counted at the first question. */
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

/**
 * How the user handled a session that needs them. Valid for one episode only: once the session asks again
 * (different state, start time or message), the mark is void. Times are Unix ms.
 */
export type AttentionMark = {
	readonly sessionId: string;
	readonly episode: string;
	/** Acknowledged: seen, no action taken. Snoozed: hidden until a given time. */
	readonly kind: 'acknowledged' | 'snoozed';
	readonly at: number;
	/** When a snooze ends. */
	readonly until?: number;
};

/** Identifies one episode in which a session asks for the user, distinct from its other episodes. */
export function episodeOf(signal: {
	readonly state: string;
	readonly since?: number;
	readonly reason?: string;
}): string {
	return [signal.state, signal.since ?? '', signal.reason ?? ''].join('|');
}

/** Available snooze durations. */
export const snoozes = [
	{key: '1', name: 'quarter', title: '15 minutes'},
	{key: '2', name: 'hour', title: '1 hour'},
	{key: '3', name: 'tomorrow', title: 'until tomorrow, 8:00'},
] as const;
export type Snooze = (typeof snoozes)[number]['name'];

const minute = 60_000;
const morning = 8;

/** When a snooze started at `now` ends, Unix ms. "Tomorrow" follows this machine's local time. */
export function snoozeEnd(snooze: Snooze, now: number): number {
	if (snooze === 'quarter') return now + 15 * minute;
	if (snooze === 'hour') return now + 60 * minute;
	const date = new Date(now);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, morning).getTime();
}

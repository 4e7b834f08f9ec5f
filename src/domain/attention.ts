/**
 * What the user did about a session that needs them. It holds for one episode of its state: when the session asks anew
 * (another state, another beginning, other words) it is void. Times are Unix ms.
 */
export type AttentionMark = {
	readonly sessionId: string;
	readonly episode: string;
	/** Seen and left as it is; or out of the way until a time. */
	readonly kind: 'acknowledged' | 'snoozed';
	readonly at: number;
	/** When a snoozed one comes back. */
	readonly until?: number;
};

/** One time of asking, told apart from every other of the same session. */
export function episodeOf(signal: {
	readonly state: string;
	readonly since?: number;
	readonly reason?: string;
}): string {
	return [signal.state, signal.since ?? '', signal.reason ?? ''].join('|');
}

/** For how long something can be put off. */
export const snoozes = [
	{key: '1', name: 'quarter', title: '15 minutes'},
	{key: '2', name: 'hour', title: '1 hour'},
	{key: '3', name: 'tomorrow', title: 'until tomorrow, 8:00'},
] as const;
export type Snooze = (typeof snoozes)[number]['name'];

const minute = 60_000;
const morning = 8;

/** When a snooze that begins at `now` ends, Unix ms. Tomorrow begins by this machine's own clock. */
export function snoozeEnd(snooze: Snooze, now: number): number {
	if (snooze === 'quarter') return now + 15 * minute;
	if (snooze === 'hour') return now + 60 * minute;
	const date = new Date(now);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, morning).getTime();
}

/** A daily time span, in minutes after midnight, local time; spans midnight if `from` is later than `to`. */
export type QuietHours = {readonly from: number; readonly to: number};

const span = /^([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]):([0-5]\d)$/;

/** Parses `22:00-07:30`; undefined if the text is not a time span, or the span is empty. */
export function parseQuietHours(text: string): QuietHours | undefined {
	const found = span.exec(text.trim());
	if (!found) return undefined;
	const [, fromHour, fromMinute, toHour, toMinute] = found.map(Number);
	const from = (fromHour ?? 0) * 60 + (fromMinute ?? 0);
	const to = (toHour ?? 0) * 60 + (toMinute ?? 0);
	return from === to ? undefined : {from, to};
}

/** Whether `now` (Unix ms) falls within the quiet hours, start inclusive, end exclusive. */
export function isQuiet({from, to}: QuietHours, now: number): boolean {
	const date = new Date(now);
	const minute = date.getHours() * 60 + date.getMinutes();
	return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** What can need the user. */
export type Subject = {readonly kind: 'session' | 'computer'; readonly id: string};

/** Tells sessions and computers apart, whose ids may be the same. A session's key is its id. */
export function subjectKey({kind, id}: Subject): string {
	return kind === 'session' ? id : `computer:${id}`;
}

/**
 * How the user handled what needs them. Valid for one episode only: once the session asks again (different
 * state, start time or message), or the computer fails again, the mark is void. Times are Unix ms.
 */
export type AttentionMark = {
	readonly subject: Subject;
	readonly episode: string;
	/** Acknowledged: seen, no action taken. Snoozed: hidden until a given time. */
	readonly kind: 'acknowledged' | 'snoozed';
	readonly at: number;
	readonly until?: number;
};

/**
 * Identifies one episode in which a session or computer needs the user. The message that caused it counts instead of
 * its time, since that changes whenever the service touches a message.
 */
export function episodeOf(signal: {
	readonly state: string;
	readonly since?: number;
	readonly derivedFrom?: string;
	readonly reason?: string;
}): string {
	return [signal.state, signal.derivedFrom ?? signal.since ?? '', signal.reason ?? ''].join('|');
}

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

import type {Envelope} from '../../hooks/wire.ts';

/** A hook event as received: the envelope, when it reached us (Unix ms) and by which way. */
export type HookEvent = Envelope & {
	readonly receivedAt: number;
	readonly delivery: 'socket' | 'spool';
};

/** Hook events that are kept; those before them are gone, from disk and from the log. */
export const maxStoredEvents = 20_000;

/** An event of this age or older, in ms, is history: it changes the session's state but alerts nobody. */
const historyAge = 10 * 60_000;

/** Was the event told so late that nobody should be called for it? */
export function isHistory(event: HookEvent): boolean {
	return event.receivedAt - event.ts > historyAge;
}

/** What lies ahead of now by more than this was told before the clock was set back, ms: it says nothing of what came first. */
export const clockSlack = 5_000;

/** When the event happened, Unix ms: a clock that runs ahead can't put it later than it reached us. */
export function eventTime(event: HookEvent): number {
	return Math.min(event.ts, event.receivedAt);
}

import type {Envelope} from '../../hooks/wire.ts';

/** A hook event as received: the envelope, plus when (Unix ms) and how it reached us. */
export type HookEvent = Envelope & {
	readonly receivedAt: number;
	readonly delivery: 'socket' | 'spool';
};

/** Maximum number of stored hook events; older ones are deleted from disk and from the log. */
export const maxStoredEvents = 20_000;

/** Age in ms at which an event counts as history: it updates the session's state but raises no alert. */
const historyAge = 10 * 60_000;

/** Whether the event arrived too late to alert the user. */
export function isHistory(event: HookEvent): boolean {
	return event.receivedAt - event.ts > historyAge;
}

/**
 * A timestamp further ahead of now than this, in ms, predates a clock that was set back and can't be used for
 * ordering.
 */
export const clockSlack = 5_000;

/** When the event happened, Unix ms, capped at its arrival time in case the sender's clock runs ahead. */
export function eventTime(event: HookEvent): number {
	return Math.min(event.ts, event.receivedAt);
}

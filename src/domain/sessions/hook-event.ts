import type {Envelope, HookData} from '../../../hooks/wire.ts';
import {ownEntry} from '../own-entry.ts';

/** The meaning of an event for its session's state, whatever the client calls it. */
export type HookKind =
	| 'started'
	| 'prompted'
	| 'permission'
	/** The user has answered a permission prompt. */
	| 'answered'
	/** The client's reminder that it has been idle for a while. */
	| 'idle'
	| 'question'
	| 'stopped'
	| 'failed'
	/** The session ended to be replaced by a successor. */
	| 'cleared'
	| 'ended'
	/** Interrupted by the user, who acts next. */
	| 'interrupted'
	/** Appears in the log but changes no state. */
	| 'other';

/** Event kinds by name, lower-cased without `_` and `-`, across clients. */
const kinds: {readonly [event: string]: HookKind} = {
	sessionstart: 'started',
	userpromptsubmit: 'prompted',
	beforeagent: 'prompted',
	permissionrequest: 'permission',
	permissionanswered: 'answered',
	clientbusy: 'answered',
	clientidle: 'interrupted',
	clientended: 'ended',
	stop: 'stopped',
	afteragent: 'stopped',
	stopfailure: 'failed',
	interrupt: 'interrupted',
	sessionend: 'ended',
};

/** Determines an event's kind from its name and, where one name covers several kinds, from its data. */
export function hookKind(event: string, data: HookData): HookKind {
	const name = event.toLowerCase().replace(/[_-]/g, '');
	if (name === 'notification') return notificationKind(data);
	if (name === 'clientwaiting')
		return /permission|approv/i.test(data.message ?? '') ? 'permission' : 'question';
	const kind = ownEntry(kinds, name);
	if (kind === 'ended') return data.reason === 'clear' || data.reason === 'resume' ? 'cleared' : 'ended';
	return kind ?? 'other';
}

/** Uses the type (an open set) if present, otherwise the message text, which is all that older clients send. */
function notificationKind({notification_type: type, message = ''}: HookData): HookKind {
	if (type) {
		if (/permission|approval/i.test(type)) return 'permission';
		if (/idle/i.test(type)) return 'idle';
		return /^(elicitation_dialog|.*question.*|.*needs_input)$/i.test(type) ? 'question' : 'other';
	}
	if (/\b(permission|approval|approve)\b/i.test(message)) return 'permission';
	if (/\b(waiting for (your|user) input|idle)\b/i.test(message)) return 'idle';
	return /\bquestion\b|\?\s*$/i.test(message) ? 'question' : 'other';
}

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

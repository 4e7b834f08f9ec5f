import type {HookData} from '../../hooks/wire.ts';

/** What an event means for the state of its session, whatever its client calls it. */
export type HookKind =
	| 'started'
	| 'prompted'
	| 'permission'
	/** The client's own reminder that it has been idle for a while. */
	| 'idle'
	/** It asks something. */
	| 'question'
	| 'stopped'
	| 'failed'
	/** Ended to make room for a successor. */
	| 'cleared'
	| 'ended'
	/** Interrupted by the user, whose turn it is. */
	| 'interrupted'
	/** Shown in the log, changes nothing. */
	| 'other';

/** Events by their names in lower case without `_` and `-`, in the words of the different clients. */
const kinds: {readonly [event: string]: HookKind} = {
	sessionstart: 'started',
	userpromptsubmit: 'prompted',
	beforeagent: 'prompted',
	permissionrequest: 'permission',
	stop: 'stopped',
	afteragent: 'stopped',
	stopfailure: 'failed',
	interrupt: 'interrupted',
	sessionend: 'ended',
};

/** Reads an event's kind from its name and, for those that come in several sorts, from its data. */
export function hookKind(event: string, data: HookData): HookKind {
	const name = event.toLowerCase().replace(/[_-]/g, '');
	if (name === 'notification') return notificationKind(data);
	const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
	if (kind === 'ended') return data.reason === 'clear' || data.reason === 'resume' ? 'cleared' : 'ended';
	return kind ?? 'other';
}

/** By type where there is one (an open set), else by the text that older clients send alone. */
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

import type {HookEvent} from '../../src/domain/sessions/signal.ts';
import {noon} from './fleet.ts';

let made = 0;

/** A hook event with an id of its own, delivered by the socket within 12 ms. */
export function hookEvent(more: Partial<HookEvent> = {}): HookEvent {
	const ts = more.ts ?? noon;
	return {
		v: 1,
		id: `event-${++made}`,
		ts,
		client: 'claude',
		event: 'Notification',
		pid: 1,
		agentPid: 2,
		data: {session_id: 's', cwd: '/home/me/shop'},
		receivedAt: ts + 12,
		delivery: 'socket',
		...more,
	};
}

import type {KnownSession} from '../domain/known.ts';
import {isBusy} from '../domain/session-status.ts';
import type {FleetStore} from '../state/fleet.ts';

/** So many sessions at work are followed beside those on screen. */
const most = 20;

/**
 * Follows the sessions that are at work until their turn is over, though nobody has them open: nothing else would tell
 * that they are done. Those that only hook events know are not the service's to ask about.
 */
export type Attendance = {start(): void; stop(): void};

export function createAttendance(fleet: FleetStore, open: (sessionId: string) => () => void): Attendance {
	const held = new Map<string, () => void>();
	let unsubscribe = () => {};

	function attend({id, status, origin, session}: KnownSession): void {
		const isOurs = origin !== 'hook' || session !== undefined;
		if (isOurs && isBusy(status)) {
			if (!held.has(id) && held.size < most) held.set(id, open(id));
		} else leave(id);
	}

	function leave(id: string): void {
		const release = held.get(id);
		held.delete(id);
		release?.();
	}

	return {
		start() {
			unsubscribe = fleet.subscribe(({sessions}, before) => {
				if (sessions === before.sessions) return;
				for (const [id, known] of sessions) if (known !== before.sessions.get(id)) attend(known);
				for (const id of held.keys()) if (!sessions.has(id)) leave(id);
			});
			for (const known of fleet.getState().sessions.values()) attend(known);
		},
		stop() {
			unsubscribe();
			for (const id of [...held.keys()]) leave(id);
		},
	};
}

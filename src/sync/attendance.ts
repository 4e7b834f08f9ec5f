import {isArchived, isOutsideService, type KnownSession} from '../domain/known.ts';
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

	/** Lets go of what is no longer at work, and then takes up what is, as far as there is room. */
	function attend(): void {
		const {sessions} = fleet.getState();
		for (const [id, release] of held) {
			if (isAtWork(sessions.get(id))) continue;
			held.delete(id);
			release();
		}
		for (const known of sessions.values()) {
			if (held.size >= most) return;
			if (isAtWork(known) && !held.has(known.id)) held.set(known.id, open(known.id));
		}
	}

	return {
		start() {
			unsubscribe = fleet.subscribe((state, before) => {
				if (state.sessions !== before.sessions) attend();
			});
			attend();
		},
		stop() {
			unsubscribe();
			for (const release of held.values()) release();
			held.clear();
		},
	};
}

function isAtWork(known: KnownSession | undefined): boolean {
	return known !== undefined && isBusy(known.status) && !isOutsideService(known) && !isArchived(known);
}

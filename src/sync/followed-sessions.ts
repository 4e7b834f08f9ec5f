import {isArchived, isOutsideService, type KnownSession} from '../domain/known.ts';
import {isBusy} from '../domain/session-status.ts';
import type {FleetStore} from '../state/fleet.ts';

/** So many sessions at work are followed beside those on screen. */
const maxFollowed = 20;

/**
 * Follows the sessions that are at work until their turn is over, though nobody has them open: nothing else would tell
 * that they are done. Those that only hook events know are not the service's to ask about.
 */
export type FollowedSessions = {start(): void; stop(): void};

export function createFollowedSessions(
	fleet: FleetStore,
	open: (sessionId: string) => () => void,
): FollowedSessions {
	const followed = new Map<string, () => void>();
	let unsubscribe = () => {};

	/** Lets go of what is no longer at work, and then takes up what is, as far as there is room. */
	function update(): void {
		const {sessions} = fleet.getState();
		for (const [id, release] of followed) {
			if (isAtWork(sessions.get(id))) continue;
			followed.delete(id);
			release();
		}
		for (const known of sessions.values()) {
			if (followed.size >= maxFollowed) return;
			if (isAtWork(known) && !followed.has(known.id)) followed.set(known.id, open(known.id));
		}
	}

	return {
		start() {
			unsubscribe = fleet.subscribe((state, before) => {
				if (state.sessions !== before.sessions) update();
			});
			update();
		},
		stop() {
			unsubscribe();
			for (const release of followed.values()) release();
			followed.clear();
		},
	};
}

function isAtWork(known: KnownSession | undefined): boolean {
	return known !== undefined && isBusy(known.status) && !isOutsideService(known) && !isArchived(known);
}

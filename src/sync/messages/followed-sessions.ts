import {isArchived, isOutsideService, type KnownSession} from '../../domain/known.ts';
import {isBusy} from '../../domain/sessions/session-status.ts';
import type {FleetStore} from '../../state/fleet.ts';

/** Maximum number of working sessions that are followed in addition to those on screen. */
const maxFollowed = 20;

/**
 * Follows sessions that are at work until their turn is over, even if nobody has them open: nothing else
 * would show that they are done. Skips sessions known only from hook events, as the service doesn't know
 * them.
 */
export type FollowedSessions = {start(): void; stop(): void};

export function createFollowedSessions(
	fleet: FleetStore,
	open: (sessionId: string) => () => void,
): FollowedSessions {
	const followed = new Map<string, () => void>();
	let unsubscribe = () => {};

	/** Releases sessions that are no longer at work, then follows working ones up to the limit. */
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

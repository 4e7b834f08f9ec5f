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
export class FollowedSessions {
	readonly #fleet: FleetStore;
	readonly #open: (sessionId: string) => () => void;
	/** How to close each followed session. */
	readonly #followed = new Map<string, () => void>();
	#unsubscribe = () => {};

	constructor(fleet: FleetStore, open: (sessionId: string) => () => void) {
		this.#fleet = fleet;
		this.#open = open;
	}

	start(): void {
		this.#unsubscribe = this.#fleet.subscribe((state, before) => {
			if (state.sessions !== before.sessions) this.#update();
		});
		this.#update();
	}

	stop(): void {
		this.#unsubscribe();
		for (const close of this.#followed.values()) close();
		this.#followed.clear();
	}

	/** Closes sessions that are no longer at work, then follows working ones up to the limit. */
	#update(): void {
		const {sessions} = this.#fleet.getState();
		for (const [id, close] of this.#followed) {
			if (isAtWork(sessions.get(id))) continue;
			this.#followed.delete(id);
			close();
		}
		for (const known of sessions.values()) {
			if (this.#followed.size >= maxFollowed) return;
			if (isAtWork(known) && !this.#followed.has(known.id))
				this.#followed.set(known.id, this.#open(known.id));
		}
	}
}

function isAtWork(known: KnownSession | undefined): boolean {
	return known !== undefined && isBusy(known.status) && !isOutsideService(known) && !isArchived(known);
}

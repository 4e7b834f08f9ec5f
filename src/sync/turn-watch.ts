import type {MessageRole} from '../domain/message.ts';
import {activeStatus, isAtWork, type Turn} from '../domain/session-status.ts';
import type {FleetStore} from '../state/fleet.ts';
import type {Clock} from './clock.ts';
import type {Registry} from './registry.ts';

/** Tracks a session's turn by its messages, and saves the status inferred from them. */
export type TurnWatch = {
	readonly turn: Turn;
	readonly isAtWork: boolean;
	/** Call when the service has accepted one of our messages. */
	posted(): void;
	/** Call after a successful poll. `isChanged`: it found something new, and was not the first poll. */
	polled(isChanged: boolean, newestRole: MessageRole | undefined): void;
};

/** `isAsked`: whether the service is regularly asked for the status itself. */
export function createTurnWatch(
	sessionId: string,
	fleet: FleetStore,
	registry: Registry,
	clock: Clock,
	isAsked: () => boolean,
): TurnWatch {
	let turn: Turn = {};

	function status() {
		return fleet.getState().sessions.get(sessionId)?.status;
	}

	return {
		get turn() {
			return turn;
		},
		get isAtWork() {
			return isAtWork(status(), turn, clock.now());
		},
		posted() {
			turn = {...turn, postedAt: clock.now()};
		},
		polled(isChanged, newestRole) {
			const {newestRole: _before, ...times} = turn;
			turn = {...times, ...(isChanged && {changedAt: clock.now()}), ...(newestRole && {newestRole})};
			const next = activeStatus(status(), turn, clock.now(), isAsked());
			if (next) registry.setStatus(sessionId, next);
		},
	};
}

import type {KnownSession} from '../../domain/known.ts';
import {expireStatus, statusExpiresAt} from '../../domain/sessions/session-status.ts';
import {expireSignal, type Signal, signalExpiresAt} from '../../domain/sessions/signal.ts';
import type {FleetStore} from '../../state/fleet.ts';
import type {Clock} from '../core/clock.ts';

/**
 * Expires outdated statuses and signals in the store, with one timer for the next to expire. The disk keeps
 * them as reported.
 */
export class StatusExpiry {
	readonly #fleet: FleetStore;
	readonly #clock: Clock;
	#cancel = () => {};
	#unsubscribe = () => {};

	constructor(fleet: FleetStore, clock: Clock) {
		this.#fleet = fleet;
		this.#clock = clock;
	}

	start(): void {
		this.#unsubscribe = this.#fleet.subscribe((state, before) => {
			if (state.sessions !== before.sessions || state.signals !== before.signals) this.#expire();
		});
		this.#expire();
	}

	stop(): void {
		this.#unsubscribe();
		this.#cancel();
	}

	#expire(): void {
		this.#cancel();
		const now = this.#clock.now();
		const {sessions, signals} = this.#fleet.getState();
		const expiredSessions = expiredMap(sessions, session => expireSession(session, now));
		const expiredSignals = expiredMap(signals, signal => expireSignal(signal, now));
		if (expiredSessions || expiredSignals) {
			// Triggers the subscription, which calls `#expire` again and sets the timer.
			this.#fleet.setState({
				...(expiredSessions && {sessions: expiredSessions}),
				...(expiredSignals && {signals: expiredSignals}),
			});
			return;
		}
		const next = nextExpiry(sessions.values(), signals.values());
		this.#cancel = Number.isFinite(next) ? this.#clock.after(next - now + 1, () => this.#expire()) : () => {};
	}
}

function expireSession(session: KnownSession, now: number): KnownSession {
	if (!session.status) return session;
	const status = expireStatus(session.status, now);
	return status === session.status ? session : {...session, status};
}

function nextExpiry(sessions: Iterable<KnownSession>, signals: Iterable<Signal>): number {
	let next = Number.POSITIVE_INFINITY;
	for (const {status} of sessions) if (status) next = Math.min(next, statusExpiresAt(status));
	for (const signal of signals) next = Math.min(next, signalExpiresAt(signal));
	return next;
}

/** Returns a copy of the map with the changed values; `undefined` if nothing changed. */
function expiredMap<T>(
	map: ReadonlyMap<string, T>,
	expire: (value: T) => T,
): ReadonlyMap<string, T> | undefined {
	let next: Map<string, T> | undefined;
	for (const [key, value] of map) {
		const after = expire(value);
		if (after === value) continue;
		next ??= new Map(map);
		next.set(key, after);
	}
	return next;
}

import type {KnownSession} from '../domain/known.ts';
import {fadeStatus, statusFadesAt} from '../domain/session-status.ts';
import {fadeSignal, type Signal, signalFadesAt} from '../domain/signal.ts';
import type {FleetStore} from '../state/fleet.ts';
import type {Clock} from './clock.ts';

/** Lets what is no longer believed fade in the store, by one timer that is due with the next. Disk keeps what was told. */
export type Fading = {start(): void; stop(): void};

export function createFading(fleet: FleetStore, clock: Clock): Fading {
	let cancel = () => {};
	let unsubscribe = () => {};

	function fade(): void {
		cancel();
		const now = clock.now();
		const {sessions, signals} = fleet.getState();
		const fadedSessions = faded(sessions, session => fadeSession(session, now));
		const fadedSignals = faded(signals, signal => fadeSignal(signal, now));
		if (fadedSessions || fadedSignals)
			// Setting the state comes back here through the subscription, which sets the timer.
			fleet.setState({
				...(fadedSessions && {sessions: fadedSessions}),
				...(fadedSignals && {signals: fadedSignals}),
			});
		else wait(nextFading(sessions.values(), signals.values()), now);
	}

	function wait(next: number, now: number): void {
		cancel = Number.isFinite(next) ? clock.after(next - now + 1, fade) : () => {};
	}

	return {
		start() {
			unsubscribe = fleet.subscribe((state, before) => {
				if (state.sessions !== before.sessions || state.signals !== before.signals) fade();
			});
			fade();
		},
		stop() {
			unsubscribe();
			cancel();
		},
	};
}

function fadeSession(session: KnownSession, now: number): KnownSession {
	if (!session.status) return session;
	const status = fadeStatus(session.status, now);
	return status === session.status ? session : {...session, status};
}

function nextFading(sessions: Iterable<KnownSession>, signals: Iterable<Signal>): number {
	let next = Number.POSITIVE_INFINITY;
	for (const {status} of sessions) if (status) next = Math.min(next, statusFadesAt(status));
	for (const signal of signals) next = Math.min(next, signalFadesAt(signal));
	return next;
}

/** The map with what changed in it replaced; nothing when all stayed. */
function faded<T>(map: ReadonlyMap<string, T>, fade: (value: T) => T): ReadonlyMap<string, T> | undefined {
	let next: Map<string, T> | undefined;
	for (const [key, value] of map) {
		const after = fade(value);
		if (after === value) continue;
		next ??= new Map(map);
		next.set(key, after);
	}
	return next;
}

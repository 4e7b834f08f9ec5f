import type {Clock} from '../../domain/clock.ts';
import {lowest} from '../../domain/large-arrays.ts';
import {expireSignal, signalExpiresAt} from '../../domain/sessions/signal.ts';
import type {FleetStore} from '../../state/fleet.ts';

/**
 * Expires outdated signals in the store until the returned function is called, with one timer for the next to expire.
 * The disk keeps them as reported.
 */
export function expireSignals(fleet: FleetStore, clock: Clock): () => void {
	let cancel = () => {};

	function expire(): void {
		cancel();
		const now = clock.now();
		const {signals} = fleet.getState();
		const expired = [...signals].flatMap(([key, signal]) => {
			const after = expireSignal(signal, now);
			return after === signal ? [] : [[key, after] as const];
		});
		if (expired.length > 0) {
			// Triggers the subscription, which calls `expire` again and sets the timer.
			fleet.setState({signals: new Map([...signals, ...expired])});
			return;
		}
		const next = lowest([...signals.values()].map(signalExpiresAt));
		cancel = Number.isFinite(next) ? clock.after(next - now + 1, expire) : () => {};
	}

	const unsubscribe = fleet.subscribe((state, before) => {
		if (state.signals !== before.signals) expire();
	});
	expire();
	return () => {
		unsubscribe();
		cancel();
	};
}

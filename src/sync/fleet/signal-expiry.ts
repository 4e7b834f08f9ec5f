import {expireSignal, signalExpiresAt} from '../../domain/sessions/signal.ts';
import type {FleetStore} from '../../state/fleet.ts';
import type {Clock} from '../core/clock.ts';

/** Expires outdated signals in the store, with one timer for the next to expire. The disk keeps them as reported. */
export class SignalExpiry {
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
			if (state.signals !== before.signals) this.#expire();
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
		const {signals} = this.#fleet.getState();
		const expired = [...signals].flatMap(([key, signal]) => {
			const after = expireSignal(signal, now);
			return after === signal ? [] : [[key, after] as const];
		});
		if (expired.length > 0) {
			// Triggers the subscription, which calls `#expire` again and sets the timer.
			this.#fleet.setState({signals: new Map([...signals, ...expired])});
			return;
		}
		const next = Math.min(...[...signals.values()].map(signalExpiresAt));
		this.#cancel = Number.isFinite(next) ? this.#clock.after(next - now + 1, () => this.#expire()) : () => {};
	}
}

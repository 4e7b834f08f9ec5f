import {z} from 'zod';
import type {Database} from '../../db/database.ts';
import {type Signal, signalKey} from '../../domain/sessions/signal.ts';

const setting = 'hooks.forgotten';
const stored = z.array(z.tuple([z.string(), z.number()])).catch([]);
/** Oldest ones beyond this many are shown again. */
const maxForgotten = 1000;

/**
 * Signals whose sessions the user has forgotten, each until its next event. Signals belong to the machine and this to an
 * account: another account goes on showing them.
 */
export class ForgottenSignals {
	readonly #settings: Database['settings'];
	/** Unix ms of the last event that the user knew of, by the signal's key. */
	#times: ReadonlyMap<string, number> = new Map();

	constructor({settings}: Pick<Database, 'settings'>) {
		this.#settings = settings;
	}

	/** Reads what this and other programs have saved. */
	load(): void {
		this.#times = new Map(stored.parse(this.#settings.get(setting)));
	}

	has({client, sessionId, lastEventAt}: Pick<Signal, 'client' | 'sessionId' | 'lastEventAt'>): boolean {
		return lastEventAt <= (this.#times.get(signalKey(client, sessionId)) ?? Number.NEGATIVE_INFINITY);
	}

	add(signals: readonly Signal[]): void {
		if (signals.length === 0) return;
		const added = signals.map(
			signal => [signalKey(signal.client, signal.sessionId), signal.lastEventAt] as const,
		);
		this.#save(new Map([...this.#times, ...added]));
	}

	remove({client, sessionId}: Signal): void {
		const times = new Map(this.#times);
		if (times.delete(signalKey(client, sessionId))) this.#save(times);
	}

	#save(times: ReadonlyMap<string, number>): void {
		this.#times = times;
		this.#settings.put(setting, [...times].slice(-maxForgotten));
	}
}

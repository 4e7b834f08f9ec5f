import type {Database} from '../../db/database.ts';
import {type Signal, signalKey} from '../../domain/sessions/signal.ts';

const setting = 'hooks.forgotten';
/** Maximum number to save; the oldest beyond it are shown again. */
const maxForgotten = 1000;

/**
 * Signals whose sessions the user has forgotten, each until its next event. Saved for each account: signals belong to
 * the machine, and other accounts still show them.
 */
export class ForgottenSignals {
	readonly #settings: Database['settings'];
	/** Unix ms of the last event that the user knew of, by the signal's key. */
	#times: ReadonlyMap<string, number> = new Map();

	constructor({settings}: Database) {
		this.#settings = settings;
	}

	/** Reads what this and other programs have saved. */
	load(): void {
		const saved = this.#settings.get(setting);
		this.#times = new Map(Array.isArray(saved) ? saved.filter(isEntry) : []);
	}

	has({client, sessionId, lastEventAt}: Pick<Signal, 'client' | 'sessionId' | 'lastEventAt'>): boolean {
		return lastEventAt <= (this.#times.get(signalKey(client, sessionId)) ?? Number.NEGATIVE_INFINITY);
	}

	/** Of a client that runs, all until `now` is known: its own file can be later than its last hook. */
	add(signals: readonly Signal[], now: number): void {
		if (signals.length === 0) return;
		const added = signals.map(({client, sessionId, lastEventAt, process}) => {
			const time = process?.start === undefined ? lastEventAt : Math.max(lastEventAt, now);
			return [signalKey(client, sessionId), time] as const;
		});
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

/** Checked by hand: zod isn't loaded before the first frame. */
function isEntry(saved: unknown): saved is readonly [string, number] {
	return Array.isArray(saved) && typeof saved[0] === 'string' && typeof saved[1] === 'number';
}

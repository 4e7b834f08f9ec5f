import {AbortError, ForbiddenError, isServiceError, MalformedError, RejectedError} from '../../api/errors.ts';
import type {Session} from '../../domain/sessions/session.ts';
import type {EngineParts} from '../engine-parts.ts';

/** `manual`: only when the user asks; `auto`: also while a turn that we began or wait for is silent. */
export type ProbeMode = 'off' | 'manual' | 'auto';

/** Minimum time between two probes of a session that the user didn't ask for, ms; the embedded service writes nothing. */
const interval = {hosted: 15_000, embedded: 1_000};
const refusedSetting = 'statusProbe.refused';

type StatusProbeOptions = EngineParts & {
	readonly mode: ProbeMode;
	readonly isEmbedded: () => boolean;
	readonly onSession: (session: Session) => void;
};

function isProbeRefused({settings}: EngineParts['database']): boolean {
	return settings.get(refusedSetting) === true;
}

/**
 * Reads a session by updating it with an empty body, which returns the whole session, as there is no endpoint
 * to get one. Technically this is a write, so probing stays off once a service has refused it, or doesn't return a status.
 */
export class StatusProbe {
	readonly #options: StatusProbeOptions;
	readonly #ending = new AbortController();
	readonly #lastAt = new Map<string, number>();
	readonly #running = new Map<string, Promise<void>>();
	/** Sessions that were updated while their probe was under way. */
	readonly #outdated = new Set<string>();
	/** Sessions to probe once more after the probe under way. */
	readonly #again = new Set<string>();
	#isRefused: boolean;

	constructor(options: StatusProbeOptions) {
		this.#options = options;
		this.#isRefused = isProbeRefused(options.database);
	}

	/** Probes a session. Unless the user asked for it (`isRequested`), only in `auto` mode, and not too often. */
	probe(sessionId: string, isRequested: boolean): void {
		const {mode, clock, isEmbedded} = this.#options;
		const apart = isEmbedded() ? interval.embedded : interval.hosted;
		if (this.#isRefused || mode === 'off' || this.#running.has(sessionId)) return;
		const last = this.#lastAt.get(sessionId);
		if (!isRequested && (mode !== 'auto' || (last !== undefined && clock.now() - last < apart))) return;
		this.#lastAt.set(sessionId, clock.now());
		this.#running.set(
			sessionId,
			this.#probe(sessionId).finally(() => {
				this.#running.delete(sessionId);
				this.#outdated.delete(sessionId);
				if (this.#again.delete(sessionId) && !this.#ending.signal.aborted) this.probe(sessionId, true);
			}),
		);
	}

	/** Ignores the answer of a probe under way: the session was updated, and the answer may be older. */
	outdate(sessionId: string): void {
		if (this.#running.has(sessionId)) this.#outdated.add(sessionId);
	}

	/** Probes a session whose status has changed: a probe under way may have been answered before. */
	renew(sessionId: string): void {
		if (!this.#running.has(sessionId)) {
			this.probe(sessionId, true);
			return;
		}
		this.outdate(sessionId);
		this.#again.add(sessionId);
	}

	/** Whether working sessions are probed without the user asking. */
	get isAuto(): boolean {
		return this.#options.mode === 'auto' && !this.#isRefused;
	}

	/** Aborts the probes under way; resolves when none is left. */
	async close(): Promise<void> {
		this.#ending.abort();
		await Promise.all(this.#running.values());
	}

	async #probe(sessionId: string): Promise<void> {
		const {scheduler, service, onSession} = this.#options;
		try {
			const session = await scheduler.request(
				`session:${sessionId}`,
				signal => service.sessions.update(sessionId, {}, {signal}),
				{signal: this.#ending.signal, priority: 'background'},
			);
			if (session.status === undefined) this.#refused();
			if (!this.#outdated.has(sessionId)) onSession({...session, sessionId});
		} catch (error) {
			if (error instanceof AbortError) return;
			if (!isServiceError(error)) throw error;
			// A service that is down will come back.
			if (
				error instanceof RejectedError ||
				error instanceof ForbiddenError ||
				error instanceof MalformedError
			)
				this.#refused();
		}
	}

	#refused(): void {
		const {database, safeWrite, isEmbedded} = this.#options;
		// Another machine that it asked said so, and speaks for its own sessions only.
		if (isEmbedded()) return;
		this.#isRefused = true;
		safeWrite(() => database.settings.put(refusedSetting, true));
	}
}

import {AbortError, ForbiddenError, isServiceError, RejectedError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import type {Session} from '../../domain/sessions/session.ts';
import type {Clock} from '../core/clock.ts';
import type {SafeWrite} from '../core/safe-write.ts';
import type {Scheduler} from '../core/scheduler.ts';

/**
 * `manual`: only when the user asks; `auto`: also for followed sessions that are at work or have no known
 * status.
 */
export type ProbeMode = 'off' | 'manual' | 'auto';

/**
 * Reads a session by updating it with an empty body, which returns the whole session, as there is no endpoint
 * to get one. Technically this is a write, so the remote default is `manual`, and probing stays off once a
 * service has refused it.
 */
export type StatusProbe = {
	/**
	 * Probes a session. `isAsked`: the user asked for it; otherwise probes only in `auto` mode, at least 15 s
	 * apart.
	 */
	ask(sessionId: string, isAsked: boolean): void;
	/** Whether working sessions are probed without the user asking. */
	readonly isAuto: boolean;
	/** Aborts the probes under way; resolves when none is left. */
	close(): Promise<void>;
};

const apart = 15_000;
const refusedSetting = 'statusProbe.refused';

export function createStatusProbe({
	mode,
	service,
	database,
	safeWrite,
	scheduler,
	clock,
	onSession,
}: {
	readonly mode: ProbeMode;
	readonly service: Service;
	readonly database: Database;
	readonly safeWrite: SafeWrite;
	readonly scheduler: Scheduler;
	readonly clock: Clock;
	readonly onSession: (session: Session) => void;
}): StatusProbe {
	const ending = new AbortController();
	const lastAt = new Map<string, number>();
	const running = new Map<string, Promise<void>>();
	let isRefused = database.settings.get(refusedSetting) === true;

	async function probe(sessionId: string): Promise<void> {
		try {
			const session = await scheduler.request(
				`session:${sessionId}`,
				signal => service.sessions.update(sessionId, {}, {signal}),
				{signal: ending.signal},
			);
			onSession(session);
		} catch (error) {
			if (error instanceof AbortError) return;
			if (!isServiceError(error)) throw error;
			// Only a rejection turns probing off: a service that is down will come back.
			if (!(error instanceof RejectedError) && !(error instanceof ForbiddenError)) return;
			isRefused = true;
			safeWrite(() => database.settings.put(refusedSetting, true));
		}
	}

	return {
		ask(sessionId, isAsked) {
			if (isRefused || mode === 'off' || running.has(sessionId)) return;
			const last = lastAt.get(sessionId);
			if (!isAsked && (mode !== 'auto' || (last !== undefined && clock.now() - last < apart))) return;
			lastAt.set(sessionId, clock.now());
			running.set(
				sessionId,
				probe(sessionId).finally(() => running.delete(sessionId)),
			);
		},
		get isAuto() {
			return mode === 'auto' && !isRefused;
		},
		async close() {
			ending.abort();
			await Promise.all(running.values());
		},
	};
}

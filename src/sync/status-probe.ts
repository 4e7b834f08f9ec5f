import {AbortError, ForbiddenError, isServiceError, RejectedError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {Session} from '../domain/session.ts';
import type {Clock} from './clock.ts';
import type {SafeWrite} from './safe-write.ts';
import type {Scheduler} from './scheduler.ts';

/** `manual`: only when the user asks; `auto`: of followed sessions at work, or of which nothing is known, too. */
export type ProbeMode = 'off' | 'manual' | 'auto';

/**
 * Reads a session by an update with an empty body, which returns the whole session: there is no endpoint that gets one.
 * Formally this is a write, so the remote default is `manual`, and it stays off once a service has refused it.
 */
export type StatusProbe = {
	/** `isAsked`: the user pressed the key for it; otherwise only in `auto`, and at least 15 s apart. */
	ask(sessionId: string, isAsked: boolean): void;
	/** Are sessions at work asked without anyone's key? */
	readonly isAuto: boolean;
	/** Ends the probes under way. */
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
			// Only what says "not this request" turns it off: a service that is down will be back.
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

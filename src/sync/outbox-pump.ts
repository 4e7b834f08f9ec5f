import {isStorageError} from '../db/storage-error.ts';
import type {OutboxItem} from '../domain/delivery.ts';
import type {Clock} from './clock.ts';
import {elsewhereAgain} from './outbox-leases.ts';
import type {OutboxStep} from './outbox-step.ts';

export type OutboxPumpOptions = {
	readonly clock: Clock;
	/** What a session's outbox needs next. */
	readonly next: (sessionId: string) => OutboxStep;
	/** Does one step; answers when to go on: at a time (Unix ms), or at once. */
	readonly work: Record<'take-over' | 'look' | 'send', (item: OutboxItem) => Promise<number | undefined>>;
	/** No step begins once it is aborted. */
	readonly ending: AbortSignal;
};

/** Keeps the outboxes of all sessions moving: one step of a session at a time, and a wake-up for what has to wait. */
export type OutboxPump = {
	/** Does the next thing a session's outbox needs. Called whenever something of it may have changed. */
	pump(sessionId: string): void;
	/** Ends the wake-ups; resolves when no step is left. To be called after the end began. */
	stop(): Promise<void>;
};

export function createOutboxPump({clock, next, work, ending}: OutboxPumpOptions): OutboxPump {
	const busy = new Map<string, Promise<void>>();
	const wakes = new Map<string, () => void>();

	function pump(sessionId: string): void {
		wakes.get(sessionId)?.();
		wakes.delete(sessionId);
		if (ending.aborted || busy.has(sessionId)) return;
		const step = next(sessionId);
		if (step.kind === 'wait') wake(sessionId, step.until);
		if (step.kind === 'wait' || step.kind === 'rest') return;
		const done = work[step.kind](step.item)
			.catch(error => {
				if (!isStorageError(error)) throw error;
				return clock.now() + elsewhereAgain;
			})
			.then(again => {
				busy.delete(sessionId);
				if (again !== undefined && !ending.aborted) wake(sessionId, again);
				else pump(sessionId);
			});
		busy.set(sessionId, done);
	}

	function wake(sessionId: string, at: number): void {
		wakes.get(sessionId)?.();
		wakes.set(
			sessionId,
			clock.after(at - clock.now(), () => pump(sessionId)),
		);
	}

	return {
		pump,
		async stop() {
			for (const cancel of wakes.values()) cancel();
			wakes.clear();
			await Promise.all(busy.values());
		},
	};
}

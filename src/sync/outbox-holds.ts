import {holdOf} from './post-outcome.ts';

/** What an answer stopped until the user acts: everything (a bad key), or one session (no right, no credit). */
export type OutboxHolds = {
	isHeld(sessionId: string): boolean;
	/** Takes note of what a failed call stops; does it stop anything? */
	note(sessionId: string, error: unknown): boolean;
	lift(sessionId: string): void;
	liftAll(): void;
};

export function createOutboxHolds(): OutboxHolds {
	const sessions = new Set<string>();
	let isAllHeld = false;
	return {
		isHeld: sessionId => isAllHeld || sessions.has(sessionId),
		note(sessionId, error) {
			const kind = holdOf(error);
			if (kind === 'all') isAllHeld = true;
			if (kind === 'session') sessions.add(sessionId);
			return kind !== undefined;
		},
		lift: sessionId => void sessions.delete(sessionId),
		liftAll() {
			isAllHeld = false;
			sessions.clear();
		},
	};
}

import type {Database} from '../db/database.ts';
import {unlessStorageFails} from '../db/storage-error.ts';
import type {Clock} from './clock.ts';

/** Between two looks at the database, ms: another program at work writes all the time. */
const apart = 5_000;

/**
 * Looks whether another program wrote to the shared database, and calls `onWritten` when one did. It has no timer: call
 * it on occasions that exist anyway.
 */
export function createOtherPrograms(database: Database, clock: Clock, onWritten: () => void): () => void {
	let version = unlessStorageFails(database.writesElsewhere);
	let lookedAt = clock.now();
	return () => {
		if (clock.now() - lookedAt < apart) return;
		lookedAt = clock.now();
		unlessStorageFails(() => {
			const now = database.writesElsewhere();
			if (now === version) return;
			version = now;
			onWritten();
		});
	};
}

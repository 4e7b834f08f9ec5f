import {unlessStorageFails} from '../db/storage-error.ts';

/** What `run` answers; nothing where the storage fails, which the connection's state tells. */
export function withStorage<T>(run: () => T): T | undefined {
	return unlessStorageFails(run);
}

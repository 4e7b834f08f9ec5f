import {unlessStorageFails} from '../db/storage-error.ts';

/** Returns the result of `run`, or undefined if storage fails, which the connection's state reports. */
export function withStorage<T>(run: () => T): T | undefined {
	return unlessStorageFails(run);
}

import {isStorageError} from '../db/storage-error.ts';

/** Iterates over stored data. If the file can't be read, calls `onError` and ends. */
export function* stopOnStorageError<Step>(steps: Iterable<Step>, onError: () => void): Generator<Step> {
	try {
		yield* steps;
	} catch (error) {
		if (!isStorageError(error)) throw error;
		onError();
	}
}

import {isStorageError} from '../db/storage-error.ts';

/** Steps through kept data. A file that can't be read holds nothing more: `tell` is called then. */
export function* stopOnStorageError<Step>(steps: Iterable<Step>, onError: () => void): Generator<Step> {
	try {
		yield* steps;
	} catch (error) {
		if (!isStorageError(error)) throw error;
		onError();
	}
}

import {isStorageError} from '../db/storage-error.ts';

/** Steps through kept data. A file that can't be read holds nothing more: `tell` is called then. */
export function* untilUnreadable<Step>(steps: Iterable<Step>, tell: () => void): Generator<Step> {
	try {
		yield* steps;
	} catch (error) {
		if (!isStorageError(error)) throw error;
		tell();
	}
}

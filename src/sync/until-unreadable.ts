import {isStorageError} from '../db/storage-error.ts';

/** Steps through kept data. A file that can't be read holds nothing more: that it can't is told where it is kept. */
export function* untilUnreadable<Step>(steps: Iterable<Step>): Generator<Step> {
	try {
		yield* steps;
	} catch (error) {
		if (!isStorageError(error)) throw error;
	}
}

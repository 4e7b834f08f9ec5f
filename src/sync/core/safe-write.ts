import type {Database} from '../../db/database.ts';
import {isStorageError} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import type {ConnectionStore} from '../../state/connection.ts';
import {problemOf} from './problem.ts';

/** Writes to disk; if that fails (full, read-only), reports it on screen instead of throwing. */
export type SafeWrite = (write: () => void) => void;

export function createSafeWrite(database: Database, connection: ConnectionStore, clock: Clock): SafeWrite {
	return write => {
		try {
			write();
			if (!database.problem && connection.getState().storage) connection.setState({storage: undefined});
		} catch (error) {
			if (!isStorageError(error)) throw error;
			const problem = problemOf(error, clock.now());
			connection.setState({storage: database.problem ? {...problem, needsRestart: true} : problem});
		}
	};
}

/** Iterates over stored data. If the file can't be read, calls `onError` and ends. */
export function* stopOnStorageError<Step>(steps: Iterable<Step>, onError: () => void): Generator<Step> {
	try {
		yield* steps;
	} catch (error) {
		if (!isStorageError(error)) throw error;
		onError();
	}
}

import {setTimeout as delay} from 'node:timers/promises';
import {isFileError, reasonOf} from '../db/file/storage-error.ts';

/** Makes a write to the storage; resolves with its result. */
export type Save = <T>(write: () => T) => Promise<T>;

/** Time between two attempts, ms. */
const retryInterval = 1000;
/** Problems that the user or another program can end; all others are final. */
const temporary: ReadonlySet<string> = new Set(['full', 'busy', 'read-only']);

/**
 * Saves results without which work would never end. The first attempt is immediate. While the disk is full or the
 * file locked, repeats the write until it succeeds. Rejects with any other error, and with this one when `closing` is
 * aborted.
 */
export function createSave(closing: AbortSignal): Save {
	return async write => {
		for (;;) {
			try {
				return write();
			} catch (error) {
				const isTemporary = isFileError(error) && temporary.has(reasonOf(error));
				if (!isTemporary || closing.aborted) throw error;
			}
			// Closing ends the wait, for one last attempt.
			await delay(retryInterval, undefined, {signal: closing}).catch(() => {});
		}
	};
}

/** Tracks work that no request waits for. */
export function createBackgroundWork() {
	const running = new Set<Promise<void>>();
	return {
		/** Drops errors (a full disk): the next start or request reports what could not be saved. */
		add(work: Promise<void>): void {
			const tracked = work.catch(() => {}).finally(() => running.delete(tracked));
			running.add(tracked);
		},
		async settled(): Promise<void> {
			while (running.size > 0) await Promise.all(running);
		},
	};
}

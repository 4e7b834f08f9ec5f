import type {Database} from '../db/database.ts';
import {unlessStorageFails} from '../db/storage-error.ts';
import type {Clock} from './clock.ts';

/** Interval between two checks, ms: short after a write, then growing. A check takes a few microseconds. */
const minPause = 20;
const maxPause = {soon: 250, later: 1_000} as const;

/** How soon a write must be noticed. */
type Haste = keyof typeof maxPause;

/**
 * While started, calls `onWrite` after another process has written to the database. Writes before the start
 * that were not noticed yet count, too.
 */
export function watchWrites(
	database: Pick<Database, 'peerWriteCount'>,
	clock: Clock,
	onWrite: () => void,
): {start(haste: Haste): void; stop(): void} {
	let version = unlessStorageFails(database.peerWriteCount);
	let cancel: (() => void) | undefined;
	let pause: number = minPause;
	let haste: Haste = 'later';

	function look(): void {
		const now = unlessStorageFails(database.peerWriteCount);
		const isNew = now !== version;
		version = now;
		pause = isNew ? minPause : Math.min(maxPause[haste], pause * 1.5);
		cancel = clock.after(pause, look);
		if (isNew) onWrite();
	}

	return {
		start(wanted) {
			if (cancel && (haste === 'soon' || wanted === haste)) return;
			cancel?.();
			haste = wanted;
			pause = minPause;
			cancel = clock.after(pause, look);
		},
		stop() {
			cancel?.();
			cancel = undefined;
		},
	};
}

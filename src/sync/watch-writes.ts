import type {Database} from '../db/database.ts';
import {unlessStorageFails} from '../db/storage-error.ts';
import type {Clock} from './clock.ts';

/** Between two looks, ms: short after something was written, then longer and longer. A look costs some microseconds. */
const minPause = 20;
const maxPause = {soon: 250, later: 1_000} as const;

/** How much it matters to notice a write at once. */
type Haste = keyof typeof maxPause;

/**
 * Calls `onWrite` after another process wrote to the database, while it is started. What was written before the start,
 * and not noticed yet, counts.
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

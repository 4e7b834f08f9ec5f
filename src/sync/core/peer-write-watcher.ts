import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/storage-error.ts';
import type {Clock} from './clock.ts';

/** Minimum time between two checks of the database, ms: a busy program writes all the time. */
const apart = 700;
/** Delay from a write to its check, ms: one change often takes several writes. */
const settling = 50;

/** Detects writes of other programs to the shared database. Uses no idle timer: the system reports writes. */
export type PeerWriteWatcher = {
	start(): void;
	/**
	 * Checks for writes. Call this when something else happens anyway, for systems that can't report writes.
	 */
	look(): void;
	stop(): void;
};

/** Calls `onWritten` within a second of another program's write, and never for this program's own writes. */
export function createPeerWriteWatcher(
	database: Database,
	clock: Clock,
	onWritten: () => void,
): PeerWriteWatcher {
	let version = unlessStorageFails(database.peerWriteCount);
	let lookedAt = clock.now();
	let cancel = () => {};

	function wait(): void {
		cancel = database.onNextWrite(() => {
			cancel = clock.after(Math.max(settling, lookedAt + apart - clock.now()), () => {
				// Wait first, so that a write during the check causes another check.
				wait();
				look();
			});
		});
	}

	function look(): void {
		lookedAt = clock.now();
		unlessStorageFails(() => {
			const now = database.peerWriteCount();
			if (now === version) return;
			version = now;
			onWritten();
		});
	}

	return {
		start() {
			cancel();
			wait();
			look();
		},
		look() {
			if (clock.now() - lookedAt >= apart) look();
		},
		stop() {
			cancel();
			cancel = () => {};
		},
	};
}

import type {Database} from '../db/database.ts';
import {unlessStorageFails} from '../db/storage-error.ts';
import type {Clock} from './clock.ts';

/** Between two looks at the database, ms: another program at work writes all the time. */
const apart = 700;
/** From a write to the look at it, ms: a change is often several writes. */
const settling = 50;

/** Notices what other programs write to the shared database. At rest it has no timer: the system tells of writes. */
export type PeerWriteWatcher = {
	start(): void;
	/** For occasions that exist anyway: where the system can't tell of writes, they are noticed then. */
	look(): void;
	stop(): void;
};

/** `onWritten` is called within a second of what another program wrote, and not for this program's own writes. */
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
				// First: what is written during the look is looked at again.
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

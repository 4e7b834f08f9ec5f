import {unlessStorageFails} from '../../db/storage-error.ts';
import type {HookEvent} from '../../domain/sessions/hook-event.ts';
import type {Clock} from '../core/clock.ts';
import type {HookInbox} from './hook-inbox.ts';

/** Rows per read: a few ms of work, so that keys aren't delayed. */
const atOnce = 250;
/** Delay between two reads, ms, so that keys and frames go first. */
const apart = 16;

/**
 * Reads hook events that another program of this user has stored and this one never received: when several
 * programs drain the spool, a file may be seen only by the fastest. Every program needs every event, so the
 * others' events are read from the shared database.
 */
export type PeerEventSync = {
	/**
	 * Reads the events stored so far, a few at a time. There is no idle timer: call this when something else
	 * happens anyway.
	 */
	look(): void;
	/** Stops reading; later calls of `look` do nothing. */
	stop(): void;
};

export function createPeerEventSync(
	inbox: Pick<HookInbox, 'adopt'>,
	clock: Clock,
	onEvents: (events: readonly HookEvent[]) => void,
): PeerEventSync {
	let cancel: (() => void) | undefined;
	let isStopped = false;

	function read(): void {
		cancel = undefined;
		const found = unlessStorageFails(() => inbox.adopt(atOnce, clock.now()));
		if (!found) return;
		if (found.events.length > 0) onEvents(found.events);
		if (!found.isAll) cancel = clock.after(apart, read);
	}

	return {
		look() {
			if (!cancel && !isStopped) read();
		},
		stop() {
			isStopped = true;
			cancel?.();
			cancel = undefined;
		},
	};
}

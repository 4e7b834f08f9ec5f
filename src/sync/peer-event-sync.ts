import {unlessStorageFails} from '../db/storage-error.ts';
import type {HookEvent} from '../domain/hook-event.ts';
import type {Clock} from './clock.ts';
import type {HookInbox} from './hook-inbox.ts';

/** Rows that are read at a time: a few ms, which no key waits for. */
const atOnce = 250;
/** Between two reads, ms: keys and frames have their turn. */
const apart = 16;

/**
 * The hook events that another program of this user has kept and this one was never given: of several that drain the
 * spool the quickest may be the only one to find a file. Every program is to know every event, so what the others kept
 * is read from the disk they share.
 */
export type PeerEventSync = {
	/** Hands over what is there by now, a little at a time. It has no timer at rest: call it on occasions that exist anyway. */
	look(): void;
	/** Whoever still looks after that finds nothing. */
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

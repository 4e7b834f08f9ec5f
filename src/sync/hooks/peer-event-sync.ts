import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import type {HookEvent} from '../../domain/sessions/hook-event.ts';
import type {HookInbox} from './hook-inbox.ts';

/** Rows per read: a few ms of work, so that keys aren't delayed. */
const rowsPerRead = 250;
/** Delay between two reads, ms, so that keys and frames go first. */
const readDelay = 16;

/**
 * Reads hook events that another program of this user has stored and this one never received: when several
 * programs drain the spool, a file may be seen only by the fastest. Every program needs every event, so the
 * others' events are read from the shared database.
 */
export function createPeerEventSync(
	inbox: Pick<HookInbox, 'readPeerEvents'>,
	clock: Clock,
	onEvents: (events: readonly HookEvent[]) => void,
) {
	let cancel: (() => void) | undefined;
	let isStopped = false;

	function read(): void {
		cancel = undefined;
		const found = unlessStorageFails(() => inbox.readPeerEvents(rowsPerRead, clock.now()));
		if (!found) return;
		if (found.events.length > 0) onEvents(found.events);
		if (!found.isAll) cancel = clock.after(readDelay, read);
	}

	return {
		/** Reads the events stored so far, a few at a time. Has no timer: call it when something else happens. */
		sync(): void {
			if (!cancel && !isStopped) read();
		},
		/** Stops reading; later calls of `sync` do nothing. */
		stop(): void {
			isStopped = true;
			cancel?.();
			cancel = undefined;
		},
	};
}

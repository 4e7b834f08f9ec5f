import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {HookEvent} from '../../domain/sessions/hook-event.ts';
import type {Clock} from '../core/clock.ts';
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
export class PeerEventSync {
	readonly #inbox: Pick<HookInbox, 'readPeerEvents'>;
	readonly #clock: Clock;
	readonly #onEvents: (events: readonly HookEvent[]) => void;
	#cancel: (() => void) | undefined;
	#isStopped = false;

	constructor(
		inbox: Pick<HookInbox, 'readPeerEvents'>,
		clock: Clock,
		onEvents: (events: readonly HookEvent[]) => void,
	) {
		this.#inbox = inbox;
		this.#clock = clock;
		this.#onEvents = onEvents;
	}

	/** Reads the events stored so far, a few at a time. Has no timer: call it when something else happens. */
	sync(): void {
		if (!this.#cancel && !this.#isStopped) this.#read();
	}

	/** Stops reading; later calls of `sync` do nothing. */
	stop(): void {
		this.#isStopped = true;
		this.#cancel?.();
		this.#cancel = undefined;
	}

	#read(): void {
		this.#cancel = undefined;
		const found = unlessStorageFails(() => this.#inbox.readPeerEvents(rowsPerRead, this.#clock.now()));
		if (!found) return;
		if (found.events.length > 0) this.#onEvents(found.events);
		if (!found.isAll) this.#cancel = this.#clock.after(readDelay, () => this.#read());
	}
}

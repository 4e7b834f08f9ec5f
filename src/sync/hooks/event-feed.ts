import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import type {HookEvent} from '../../domain/sessions/signal.ts';
import {type EventLogStore, emptyLog, withNewer, withOlder} from '../../state/event-log.ts';

/** Minimum time between two log updates, ms: each copies the log, about 1 ms when it is full. */
const updateInterval = 50;
/** Events per read: more than any screen shows, and only a few ms of work, so that keys aren't delayed. */
const eventsPerRead = 250;
/** Delay before older events are read, ms, so that keys and frames go first. */
const readDelay = 16;

/** Fills the event log while at least one watcher is active. */
export class EventFeed {
	readonly #events: Database['events'];
	readonly #store: EventLogStore;
	readonly #clock: Clock;
	#watchers = 0;
	#waiting: HookEvent[] = [];
	/** Ids in the log: the spool can deliver an event again long after it was stored. */
	#ids = new Set<string>();
	#cancelUpdate: (() => void) | undefined;
	#cancelOlder: (() => void) | undefined;

	constructor(events: Database['events'], store: EventLogStore, clock: Clock) {
		this.#events = events;
		this.#store = store;
		this.#clock = clock;
	}

	/** Loads the newest events and adds new ones until every watcher has called its returned function. */
	watch(): () => void {
		if (this.#watchers++ === 0) this.#begin();
		let isWatching = true;
		return () => {
			if (!isWatching) return;
			isWatching = false;
			if (--this.#watchers === 0) this.#end();
		};
	}

	/** Loads the events before the first in the log, after a short delay, unless a load is pending. */
	loadOlder(): void {
		if (this.#store.getState().hasOlder)
			this.#cancelOlder ??= this.#clock.after(readDelay, () => this.#readOlder());
	}

	/** Adds newly stored events to the log, skipping those already in it. */
	received(events: readonly HookEvent[]): void {
		if (this.#watchers === 0) return;
		const added = this.#notInLog(events);
		if (added.length === 0) return;
		this.#waiting.push(...added);
		this.#cancelUpdate ??= this.#clock.after(updateInterval, () => this.#update());
	}

	stop(): void {
		this.#watchers = 0;
		this.#end();
	}

	#begin(): void {
		const newest = this.#page();
		const kept = unlessStorageFails(this.#events.count) ?? newest.length;
		this.#ids = new Set(newest.map(({id}) => id));
		this.#store.setState({...withOlder(emptyLog, newest, kept > newest.length), storedCount: kept}, true);
	}

	#update(): void {
		this.#cancelUpdate = undefined;
		const log = withNewer(this.#store.getState(), this.#waiting);
		this.#waiting = [];
		this.#store.setState(log, true);
		if (this.#ids.size > 2 * log.entries.length) this.#ids = new Set(log.entries.map(({event}) => event.id));
	}

	#readOlder(): void {
		this.#cancelOlder = undefined;
		const log = this.#store.getState();
		const first = log.entries[0];
		if (!first || !log.hasOlder) return;
		const older = this.#page(first.event);
		this.#store.setState(withOlder(log, this.#notInLog(older), older.length > 0), true);
	}

	/** Returns the events that are not in the log, and records their ids. */
	#notInLog(events: readonly HookEvent[]): readonly HookEvent[] {
		const added = events.filter(({id}) => !this.#ids.has(id));
		for (const {id} of added) this.#ids.add(id);
		return added;
	}

	#page(before?: HookEvent): HookEvent[] {
		return unlessStorageFails(() => this.#events.recent(eventsPerRead, before).toReversed()) ?? [];
	}

	#end(): void {
		this.#cancelUpdate?.();
		this.#cancelUpdate = undefined;
		this.#cancelOlder?.();
		this.#cancelOlder = undefined;
		this.#waiting = [];
		this.#ids = new Set();
		this.#store.setState(emptyLog, true);
	}
}

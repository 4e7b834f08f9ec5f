import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/storage-error.ts';
import type {HookEvent} from '../../domain/sessions/hook-event.ts';
import {type EventLogStore, emptyLog, withNewer, withOlder} from '../../state/event-log.ts';
import type {Clock} from '../core/clock.ts';

/** Fills the event log while at least one watcher is active. */
export type EventFeed = {
	/** Loads the newest events and adds new ones until every watcher has called its returned function. */
	watch(): () => void;
	/**
	 * Loads the events just before the first one in the log, after a short delay. Does nothing while a load is
	 * pending.
	 */
	loadOlder(): void;
	/** Adds newly stored events to the log, skipping those already in it. */
	received(events: readonly HookEvent[]): void;
	stop(): void;
};

/** Minimum time between two log updates, ms: each copies the log, about 1 ms when it is full. */
const interval = 50;
/** Events per read: more than any screen shows, and only a few ms of work, so that keys aren't delayed. */
const atOnce = 250;
/** Delay before older events are read, ms, so that keys and frames go first. */
const apart = 16;

export function createEventFeed(events: Database['events'], store: EventLogStore, clock: Clock): EventFeed {
	let watchers = 0;
	let waiting: HookEvent[] = [];
	/**
	 * Ids in the log. The spool can deliver an event again long after this program or another one stored it.
	 */
	let known = new Set<string>();
	let cancel: (() => void) | undefined;
	let cancelOlder: (() => void) | undefined;

	function flush(): void {
		cancel = undefined;
		const log = withNewer(store.getState(), waiting);
		waiting = [];
		store.setState(log, true);
		if (known.size > 2 * log.entries.length) known = new Set(log.entries.map(({event}) => event.id));
	}

	function page(before?: HookEvent): HookEvent[] {
		return unlessStorageFails(() => events.recent(atOnce, before).toReversed()) ?? [];
	}

	function begin(): void {
		const newest = page();
		const kept = unlessStorageFails(events.count) ?? newest.length;
		known = new Set(newest.map(({id}) => id));
		store.setState({...withOlder(emptyLog, newest, kept > newest.length), kept}, true);
	}

	function readOlder(): void {
		cancelOlder = undefined;
		const log = store.getState();
		const first = log.entries[0];
		if (!first || !log.hasOlder) return;
		const older = page(first.event);
		const fresh = older.filter(({id}) => !known.has(id));
		for (const {id} of fresh) known.add(id);
		store.setState(withOlder(log, fresh, older.length > 0), true);
	}

	function end(): void {
		cancel?.();
		cancel = undefined;
		cancelOlder?.();
		cancelOlder = undefined;
		waiting = [];
		known = new Set();
		store.setState(emptyLog, true);
	}

	return {
		watch() {
			if (watchers++ === 0) begin();
			let isWatching = true;
			return () => {
				if (!isWatching) return;
				isWatching = false;
				if (--watchers === 0) end();
			};
		},
		loadOlder() {
			if (store.getState().hasOlder) cancelOlder ??= clock.after(apart, readOlder);
		},
		received(came) {
			if (watchers === 0) return;
			const fresh = came.filter(({id}) => !known.has(id));
			if (fresh.length === 0) return;
			for (const {id} of fresh) known.add(id);
			waiting.push(...fresh);
			cancel ??= clock.after(interval, flush);
		},
		stop() {
			watchers = 0;
			end();
		},
	};
}

import type {Database} from '../db/database.ts';
import {hookPositionSetting, storedHookPosition} from '../db/hook-position.ts';
import {unlessStorageFails} from '../db/storage-error.ts';
import {eventTime, type HookEvent} from '../domain/hook-event.ts';
import {replacePredecessor} from '../domain/session-successor.ts';
import {
	type Alert,
	reduceSignal,
	type Signal,
	signalKey,
	statusOfSignal,
	withClient,
} from '../domain/signal.ts';
import type {Registry} from './registry.ts';

/** What the hook events of one session mean for those who follow it. */
export type HookUpdate = {readonly sessionId: string; readonly event: HookEvent; readonly alert?: Alert};

/** An event as it is kept, and what it means; nothing for one that names no session. */
type Taken = {readonly event: HookEvent; readonly update?: HookUpdate};

/**
 * So many envelope ids are remembered at least: a sender that saw no acknowledgement gives its event again. While there
 * is something of others to adopt, all are, since it lies among our own.
 */
const remembered = 20_000;

/**
 * Stores each hook event once and updates the signal of its session. Both methods return the events that this program
 * had not seen before.
 */
export type HookInbox = {
	/** Keeps what came. Throws when it can't be kept, so that all of it stays with its senders. */
	take(events: readonly HookEvent[]): readonly HookEvent[];
	/**
	 * Takes in what other programs of this user have kept and this one was never given: they had it from the spool, or
	 * were reached when this one was not. It is told now, at `now` (Unix ms): what is history by then calls nobody. At
	 * most so many rows are read; `isAll` when there are no more. Raises `StorageError`.
	 */
	adopt(limit: number, now: number): {readonly events: readonly HookEvent[]; readonly isAll: boolean};
};

/** What of a registry hook events change. */
export type InboxRegistry = Pick<Registry, 'addSession' | 'setStatus' | 'putSignal' | 'together'> & {
	current(): {readonly signals: ReadonlyMap<string, Signal>};
};

export function createHookInbox(
	database: Pick<Database, 'events' | 'settings'>,
	registry: InboxRegistry,
	onUpdate: (update: HookUpdate) => void,
): HookInbox {
	const seen = new Set<string>();
	/** What was kept up to this place is known here: by this program itself, or adopted. */
	let place = unlessStorageFails(() => storedHookPosition(database) ?? database.events.newestPosition());

	/** Hook events are the machine's: each account remembers how far it has come among them. */
	function savePosition(): void {
		if (place !== undefined) database.settings.put(hookPositionSetting, place);
	}

	function take(given: HookEvent): Taken {
		const event = withClient(given, registry.current().signals.values());
		const isNew = database.events.add(event);
		return understand(event, !isNew && event.delivery === 'spool');
	}

	/** `isAgain`: an event that was kept before and comes by the spool once more. `reportedAt`: when it is told here, Unix ms. */
	function understand(event: HookEvent, isAgain: boolean, reportedAt = event.receivedAt): Taken {
		const {signals} = registry.current();
		const sessionId = event.data.session_id;
		const replaced = replacePredecessor(signals.values(), event);
		if (replaced) registry.putSignal(replaced);
		if (!sessionId) return {event};
		const previous = signals.get(signalKey(event.client, sessionId));
		// Another program that shares the database may have kept it first: for this one it is new all the same. One that
		// comes again by the spool has had its say, unless its signal was never kept.
		if (isAgain && previous && eventTime(event) <= previous.lastEventAt)
			return {event, update: {sessionId, event}};
		const {signal, alert} = reduceSignal(previous, {...event, receivedAt: reportedAt});
		if (signal && signal !== previous) saveSignal(registry, signal);
		return {event, update: {sessionId, event, ...(alert && {alert})}};
	}

	/**
	 * One transaction and one change: a kill can't leave an event without what it changed, and a flood costs one write to
	 * disk and one look at everything known.
	 */
	function together<T>(run: () => T): T {
		return registry.together(() => database.events.together(run));
	}

	function remember(taken: readonly Taken[], isAllKnown: boolean): readonly HookEvent[] {
		for (const {event} of taken) seen.add(event.id);
		if (isAllKnown && seen.size > remembered)
			for (const id of [...seen].slice(0, -remembered / 2)) seen.delete(id);
		for (const {update} of taken) if (update) onUpdate(update);
		return taken.map(({event}) => event);
	}

	return {
		take(events) {
			const fresh = [...new Map(events.map(event => [event.id, event])).values()].filter(
				({id}) => !seen.has(id),
			);
			if (fresh.length === 0) return fresh;
			const {taken, isAlone} = together(() => {
				const isAlone = database.events.newestPosition() === place;
				const taken = fresh.map(take);
				if (isAlone) place = database.events.newestPosition();
				savePosition();
				return {taken, isAlone};
			});
			return remember(taken, isAlone);
		},
		adopt(limit, now) {
			const newest = database.events.newestPosition();
			// A file that was damaged and begun again counts from the start.
			if (place === undefined || newest <= place) {
				place = newest;
				return {events: [], isAll: true};
			}
			const kept = database.events.since(place, limit);
			const fresh = kept.events.filter(({id}) => !seen.has(id));
			const taken = together(() => {
				const understood = fresh.map(event => understand(event, false, now));
				place = kept.place;
				savePosition();
				return understood;
			});
			const isAll = place >= newest;
			return {events: remember(taken, isAll), isAll};
		},
	};
}

function saveSignal(registry: InboxRegistry, signal: Signal): void {
	registry.addSession(signal.sessionId, 'hook', signal.cwd === undefined ? {} : {cwd: signal.cwd});
	registry.putSignal(signal);
	const status = statusOfSignal(signal);
	if (status) registry.setStatus(signal.sessionId, status);
}

import type {Database} from '../../db/database.ts';
import {hookPositionSetting, storedHookPosition} from '../../db/hook-position.ts';
import {unlessStorageFails} from '../../db/storage-error.ts';
import {eventTime, type HookEvent} from '../../domain/sessions/hook-event.ts';
import {replacePredecessor} from '../../domain/sessions/session-successor.ts';
import {
	type Alert,
	reduceSignal,
	type Signal,
	signalKey,
	statusOfSignal,
	withClient,
} from '../../domain/sessions/signal.ts';
import {log} from '../../log/log.ts';
import type {Registry} from '../fleet/registry.ts';

/** The effect of a hook event on its session, for subscribers. */
export type HookUpdate = {readonly sessionId: string; readonly event: HookEvent; readonly alert?: Alert};

/** An event as stored, and its effect; no effect if it names no session. */
type Taken = {readonly event: HookEvent; readonly update?: HookUpdate};

/**
 * Minimum number of envelope ids remembered, to recognize events that are sent again for lack of an
 * acknowledgment. While events of other programs have yet to be adopted, all ids are kept, since our own are
 * mixed in with those events.
 */
const remembered = 20_000;

/**
 * Stores each hook event once and updates the signal of its session. Both methods return the events that are
 * new to this program.
 */
export type HookInbox = {
	/** Stores the events. Throws if that fails, so that all of them stay with their senders. */
	take(events: readonly HookEvent[]): readonly HookEvent[];
	/**
	 * Processes events that other programs of this user have stored and this one never received, because it was
	 * not running or the others emptied the spool first. They count as reported at `now` (Unix ms), so that old
	 * events raise no alert. Reads at most `limit` rows; `isAll` is true if there are no more. Throws
	 * `StorageError`.
	 */
	adopt(limit: number, now: number): {readonly events: readonly HookEvent[]; readonly isAll: boolean};
};

/** The part of the registry that hook events change. */
export type InboxRegistry = Pick<Registry, 'addSession' | 'setStatus' | 'putSignal' | 'together'> & {
	current(): {readonly signals: ReadonlyMap<string, Signal>};
};

export function createHookInbox(
	database: Pick<Database, 'events' | 'settings'>,
	registry: InboxRegistry,
	onUpdate: (update: HookUpdate) => void,
): HookInbox {
	const seen = new Set<string>();
	/** Position up to which this program knows all stored events, its own and adopted ones. */
	let place = unlessStorageFails(() => storedHookPosition(database) ?? database.events.newestPosition());

	/** Hook events belong to the machine: each account stores its own position among them. */
	function savePosition(): void {
		if (place !== undefined) database.settings.put(hookPositionSetting, place);
	}

	function take(given: HookEvent): Taken {
		const event = withClient(given, registry.current().signals.values());
		const {client, delivery, data} = event;
		log('info', 'hook event', {event: event.event, client, session: data.session_id, delivery});
		const isNew = database.events.add(event);
		return understand(event, !isNew && event.delivery === 'spool');
	}

	/**
	 * `isAgain`: the event was stored before and the spool delivers it again. `reportedAt`: when it is reported
	 * here, Unix ms.
	 */
	function understand(event: HookEvent, isAgain: boolean, reportedAt = event.receivedAt): Taken {
		const {signals} = registry.current();
		const sessionId = event.data.session_id;
		const replaced = replacePredecessor(signals.values(), event);
		if (replaced) registry.putSignal(replaced);
		if (!sessionId) return {event};
		const previous = signals.get(signalKey(event.client, sessionId));
		// An event that another program stored first is still new to this one. One that the spool delivers again
		// has already been handled, unless its signal was never saved.
		if (isAgain && previous && eventTime(event) <= previous.lastEventAt)
			return {event, update: {sessionId, event}};
		const {signal, alert} = reduceSignal(previous, {...event, receivedAt: reportedAt});
		if (signal && signal !== previous) saveSignal(registry, signal);
		return {event, update: {sessionId, event, ...(alert && {alert})}};
	}

	/**
	 * Runs in one transaction and one store update: a crash can't separate an event from its effect, and a
	 * flood costs one write and one update.
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
			// A damaged file that was replaced counts from the start again.
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

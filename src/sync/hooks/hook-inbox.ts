import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import {hookPositionSetting, storedHookPosition} from '../../db/hook-position.ts';
import {isOfComputer} from '../../domain/known.ts';
import {eventTime, type HookEvent} from '../../domain/sessions/hook-event.ts';
import {replacePredecessor} from '../../domain/sessions/session-successor.ts';
import {type Alert, reduceSignal, type Signal, signalKey, withClient} from '../../domain/sessions/signal.ts';
import {log} from '../../log/log.ts';
import type {Fleet} from '../../state/fleet.ts';
import type {Registry} from '../fleet/registry.ts';

/** The effect of a hook event on its session, for subscribers. */
export type HookUpdate = {readonly sessionId: string; readonly event: HookEvent; readonly alert?: Alert};

/** An event as stored, and its effect; no effect if it names no session. */
type StoredEvent = {readonly event: HookEvent; readonly update?: HookUpdate};

/**
 * Envelope ids to remember, for events that are sent again because their acknowledgment was lost. While there are
 * events of other programs to read, all ids are remembered: our own events are among them.
 */
const maxRemembered = 20_000;

/** The part of the registry that hook events change. */
export type InboxRegistry = Pick<Registry, 'putSignal' | 'together'> & {
	readonly forgotten: Pick<Registry['forgotten'], 'has'>;
	addSession(...session: Parameters<Registry['addSession']>): void;
	current(): {readonly signals: ReadonlyMap<string, Signal>; readonly sessions: Fleet['sessions']};
};

/** Stores each hook event once and updates its session's signal; returns the events new to this program. */
export class HookInbox {
	readonly #database: Pick<Database, 'events' | 'settings'>;
	readonly #registry: InboxRegistry;
	readonly #onUpdate: (update: HookUpdate) => void;
	readonly #knownIds = new Set<string>();
	/** Position up to which this program has handled all stored events, its own and those of other programs. */
	#position: number | undefined;

	constructor(
		database: Pick<Database, 'events' | 'settings'>,
		registry: InboxRegistry,
		onUpdate: (update: HookUpdate) => void,
	) {
		this.#database = database;
		this.#registry = registry;
		this.#onUpdate = onUpdate;
		this.#position = unlessStorageFails(
			() => storedHookPosition(database) ?? database.events.newestPosition(),
		);
	}

	/** Stores the events. Throws if that fails, so that all of them stay with their senders. */
	store(events: readonly HookEvent[]): readonly HookEvent[] {
		const unique = [...new Map(events.map(event => [event.id, event])).values()];
		const added = unique.filter(({id}) => !this.#knownIds.has(id));
		if (added.length === 0) return added;
		const {events: table} = this.#database;
		const {stored, isAlone} = this.#together(() => {
			const isAlone = table.newestPosition() === this.#position;
			const stored = added.map(event => this.#storeOne(event));
			if (isAlone) this.#position = table.newestPosition();
			this.#savePosition();
			return {stored, isAlone};
		});
		return this.#report(stored, isAlone);
	}

	/**
	 * Processes events that other programs of this user have stored and this one never received, because it was
	 * not running or the others emptied the spool first. They count as reported at `now` (Unix ms), so that old
	 * events raise no alert. Reads at most `limit` rows; `isAll` is true if there are no more. Throws
	 * `StorageError`.
	 */
	readPeerEvents(
		limit: number,
		now: number,
	): {readonly events: readonly HookEvent[]; readonly isAll: boolean} {
		const newest = this.#database.events.newestPosition();
		// A damaged file that was replaced counts from the start again.
		if (this.#position === undefined || newest <= this.#position) {
			this.#position = newest;
			return {events: [], isAll: true};
		}
		const {events, position} = this.#database.events.since(this.#position, limit);
		const added = events.filter(({id}) => !this.#knownIds.has(id));
		const stored = this.#together(() => {
			const applied = added.map(event => this.#apply(event, false, now));
			this.#position = position;
			this.#savePosition();
			return applied;
		});
		const isAll = position >= newest;
		return {events: this.#report(stored, isAll), isAll};
	}

	/** Runs in one transaction and store update: an event and its effect are saved together. */
	#together<T>(run: () => T): T {
		return this.#registry.together(() => this.#database.events.together(run));
	}

	/** Hook events belong to the machine: each account stores its own position among them. */
	#savePosition(): void {
		if (this.#position !== undefined) this.#database.settings.put(hookPositionSetting, this.#position);
	}

	#storeOne(received: HookEvent): StoredEvent {
		const event = withClient(received, this.#registry.current().signals.values());
		const {client, delivery, data} = event;
		log('info', 'hook event', {event: event.event, client, session: data.session_id, delivery});
		const {events} = this.#database;
		const isNew = events.add(event);
		// When one of another computer comes again, its time may be another, and it would count again.
		const first = !isNew && event.computer ? (events.stored(event) ?? event) : event;
		return this.#apply(first, !isNew && event.delivery === 'spool');
	}

	/**
	 * Updates the signal of the event's session. `isAgain`: the event was stored before and the spool delivers
	 * it again. `reportedAt`: when it is reported here, Unix ms.
	 */
	#apply(event: HookEvent, isAgain: boolean, reportedAt = event.receivedAt): StoredEvent {
		const {signals, sessions} = this.#registry.current();
		const sessionId = event.data.session_id;
		if (sessionId && !isOfComputer(sessions.get(sessionId), event.computer)) return {event};
		const replaced = replacePredecessor(signals.values(), event);
		if (replaced) this.#registry.putSignal(replaced);
		if (!sessionId) return {event};
		// The client's own files repeat its last event at each start.
		if (this.#registry.forgotten.has({client: event.client, sessionId, lastEventAt: eventTime(event)}))
			return {event};
		const previous = signals.get(signalKey(event.client, sessionId));
		if (event.computer && previous && previous.computer?.id !== event.computer.id) return {event};
		// An event that another program stored first is still new to this one. One that the spool delivers again
		// has already been handled, unless its signal was never saved.
		if (isAgain && previous && eventTime(event) <= previous.lastEventAt)
			return {event, update: {sessionId, event}};
		const {signal, alert} = reduceSignal(previous, {...event, receivedAt: reportedAt});
		if (signal && signal !== previous) saveSignal(this.#registry, signal, event.data.transcript_path);
		return {event, update: {sessionId, event, ...(alert && {alert})}};
	}

	/** Remembers the ids of the events and reports their effects. */
	#report(stored: readonly StoredEvent[], isAllKnown: boolean): readonly HookEvent[] {
		for (const {event} of stored) this.#knownIds.add(event.id);
		if (isAllKnown && this.#knownIds.size > maxRemembered)
			for (const id of [...this.#knownIds].slice(0, -maxRemembered / 2)) this.#knownIds.delete(id);
		for (const {update} of stored) if (update) this.#onUpdate(update);
		return stored.map(({event}) => event);
	}
}

function saveSignal(registry: InboxRegistry, signal: Signal, transcriptPath: string | undefined): void {
	const {cwd, computer} = signal;
	registry.addSession(signal.sessionId, 'hook', {
		...(computer && {computerId: computer.id}),
		...(cwd !== undefined && {cwd}),
		...(transcriptPath !== undefined && {transcriptPath}),
	});
	registry.putSignal(signal);
}

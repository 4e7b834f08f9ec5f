import type {Database} from '../../db/database.ts';
import {hookPositionSetting, storedHookPosition} from '../../db/events.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import {isOfComputer} from '../../domain/known.ts';
import type {RequestAnswer} from '../../domain/sessions/agent-request.ts';
import {replacePredecessor} from '../../domain/sessions/session-successor.ts';
import {
	eventTime,
	type HookEvent,
	type HookUpdate,
	reduceSignal,
	type Signal,
	signalKey,
} from '../../domain/sessions/signal.ts';
import {type HookReceiver, startHookReceiver} from '../../hook-listeners/hook-receiver.ts';
import type {PermissionRequests} from '../../hook-listeners/permission-requests.ts';
import {log} from '../../log/log.ts';
import type {Fleet} from '../../state/fleet.ts';
import {problemOf} from '../core/problem.ts';
import type {EngineParts} from '../engine-parts.ts';
import type {Registry} from '../fleet/registry.ts';
import type {Sessions} from '../fleet/sessions.ts';
import type {ClientSessions} from './client-sessions.ts';
import {EventFeed} from './event-feed.ts';

/** An event as stored, and its effect; no effect if it names no session. */
type StoredEvent = {readonly event: HookEvent; readonly update?: HookUpdate};

/**
 * Envelope ids to remember, for events that are sent again because their acknowledgment was lost. While there are
 * events of other programs to read, all ids are remembered: our own events are among them.
 */
const maxRemembered = 20_000;

/** Events of other programs per read: a few ms of work, so that keys aren't delayed. */
const eventsPerRead = 250;
/** Delay between two such reads, ms, so that keys and frames go first. */
const readDelay = 16;

/** The part of the registry that hook events change. */
export type InboxRegistry = Pick<Registry, 'putSignal' | 'together'> & {
	readonly forgotten: Pick<Registry['forgotten'], 'has'>;
	addSession(...session: Parameters<Registry['addSession']>): void;
	current(): {readonly signals: ReadonlyMap<string, Signal>; readonly sessions: Fleet['sessions']};
};

type HookInboxOptions = {
	readonly database: Pick<Database, 'events' | 'settings'>;
	readonly registry: InboxRegistry;
	readonly clock: Clock;
	/** Called once for each event that is new to this program and names a session. */
	readonly onUpdate: (update: HookUpdate) => void;
	/** Called with all that are new to this program, after they are stored. */
	readonly onStored: (events: readonly HookEvent[]) => void;
};

/**
 * Stores each hook event once, and updates its session's signal. Every program needs every event, but when several drain
 * the spool, only the fastest may see a file: the others read its events from the database.
 */
export class HookInbox {
	readonly #options: HookInboxOptions;
	readonly #knownIds = new Set<string>();
	/** Position up to which this program has handled all stored events, its own and those of other programs. */
	#position: number | undefined;
	#cancelRead: (() => void) | undefined;
	#isStopped = false;

	constructor(options: HookInboxOptions) {
		const {database} = options;
		this.#options = options;
		this.#position = unlessStorageFails(
			() => storedHookPosition(database) ?? database.events.newestPosition(),
		);
	}

	/** Stores the events. Throws if that fails, so that all of them stay with their senders. */
	store(events: readonly HookEvent[]): void {
		const unique = [...new Map(events.map(event => [event.id, event])).values()];
		const added = unique.filter(({id}) => !this.#knownIds.has(id));
		if (added.length === 0) return;
		const {events: table} = this.#options.database;
		const {stored, isAlone} = this.#together(() => {
			const isAlone = table.newestPosition() === this.#position;
			const stored = added.map(event => this.#storeOne(event));
			if (isAlone) this.#position = table.newestPosition();
			this.#savePosition();
			return {stored, isAlone};
		});
		this.#report(stored, isAlone);
	}

	/**
	 * Takes in the events that other programs of this user have stored so far and this one never received, a few at a time.
	 * Has no timer of its own: call it when something else happens.
	 */
	syncPeers(): void {
		if (this.#cancelRead || this.#isStopped) return;
		const isAll = unlessStorageFails(() => this.#readPeerEvents()) ?? true;
		if (isAll) return;
		this.#cancelRead = this.#options.clock.after(readDelay, () => {
			this.#cancelRead = undefined;
			this.syncPeers();
		});
	}

	/** Reads no more events of other programs: the database is about to be closed. */
	stop(): void {
		this.#isStopped = true;
		this.#cancelRead?.();
	}

	/** They count as reported now, so that old events raise no alert. Returns whether there are no more. */
	#readPeerEvents(): boolean {
		const {database, clock} = this.#options;
		const newest = database.events.newestPosition();
		// A damaged file that was replaced counts from the start again.
		if (this.#position === undefined || newest <= this.#position) {
			this.#position = newest;
			return true;
		}
		const {events, position} = database.events.since(this.#position, eventsPerRead);
		const added = events.filter(({id}) => !this.#knownIds.has(id));
		const stored = this.#together(() => {
			const applied = added.map(event => this.#apply(event, false, clock.now()));
			this.#position = position;
			this.#savePosition();
			return applied;
		});
		const isAll = position >= newest;
		this.#report(stored, isAll);
		return isAll;
	}

	/** Runs in one transaction and store update: an event and its effect are saved together. */
	#together<T>(run: () => T): T {
		const {registry, database} = this.#options;
		return registry.together(() => database.events.together(run));
	}

	/** Hook events belong to the machine: each account stores its own position among them. */
	#savePosition(): void {
		if (this.#position !== undefined)
			this.#options.database.settings.put(hookPositionSetting, this.#position);
	}

	#storeOne(event: HookEvent): StoredEvent {
		const {database} = this.#options;
		const {client, delivery, data} = event;
		log('info', 'hook event', {event: event.event, client, session: data.session_id, delivery});
		const {events} = database;
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
		const {registry} = this.#options;
		const {signals, sessions} = registry.current();
		const sessionId = event.data.session_id;
		if (sessionId && !isOfComputer(sessions.get(sessionId), event.computer)) return {event};
		const replaced = replacePredecessor(signals.values(), event);
		if (replaced) registry.putSignal(replaced);
		if (!sessionId) return {event};
		// The client's own files repeat its last event at each start.
		if (registry.forgotten.has({client: event.client, sessionId, lastEventAt: eventTime(event)}))
			return {event};
		const previous = signals.get(signalKey(event.client, sessionId));
		if (event.computer && previous && previous.computer?.id !== event.computer.id) return {event};
		// An event that another program stored first is still new to this one. One that the spool delivers again
		// has already been handled, unless its signal was never saved.
		if (isAgain && previous && eventTime(event) <= previous.lastEventAt)
			return {event, update: {sessionId, event}};
		const {signal, alert} = reduceSignal(previous, {...event, receivedAt: reportedAt});
		if (signal && signal !== previous) saveSignal(registry, signal, event.data.transcript_path);
		return {event, update: {sessionId, event, alert}};
	}

	/** Remembers the ids of the events and reports their effects. */
	#report(stored: readonly StoredEvent[], isAllKnown: boolean): void {
		for (const {event} of stored) this.#knownIds.add(event.id);
		if (isAllKnown && this.#knownIds.size > maxRemembered)
			for (const id of [...this.#knownIds].slice(0, -maxRemembered / 2)) this.#knownIds.delete(id);
		for (const {update} of stored) if (update) this.#options.onUpdate(update);
		if (stored.length > 0) this.#options.onStored(stored.map(({event}) => event));
	}
}

function saveSignal(registry: InboxRegistry, signal: Signal, transcriptPath: string | undefined): void {
	const {cwd, computer} = signal;
	registry.addSession(signal.sessionId, 'hook', {
		computerId: computer?.id,
		cwd,
		transcriptPath,
	});
	registry.putSignal(signal);
}

/** Where hook events are received; defaults to the runtime folder and the spool in it. */
type HookFolders = {readonly folder?: string; readonly spoolFolder?: string};

export type HookEventsOptions = {
	/** `off` if this program doesn't listen. */
	readonly hooks?: HookFolders | 'off' | undefined;
	/** Set if this program answers permission requests of hooks; the folder has the key that signs answers. */
	readonly answers?: {readonly stateFolder: string} | undefined;
	/** Called once for each new hook event, after the stores are updated. */
	readonly onHookUpdate?: (update: HookUpdate) => void;
};

type HookEventsParts = EngineParts &
	HookEventsOptions & {
		readonly sessions: Sessions;
	};

/**
 * Takes in what agents' clients outside the service report: hook events, hooks' permission requests, and what the clients'
 * own files tell. Stores it, and fills the event log.
 */
export class HookEvents {
	readonly #options: HookEventsParts;
	readonly inbox: HookInbox;
	readonly feed: EventFeed;
	#receiver: HookReceiver | undefined;
	#requests: PermissionRequests | undefined;
	#clients: ClientSessions | undefined;

	constructor(options: HookEventsParts) {
		const {database, stores, clock, sessions, onHookUpdate} = options;
		this.#options = options;
		this.feed = new EventFeed(database.events, stores.events, clock);
		this.inbox = new HookInbox({
			...options,
			onUpdate: update => {
				this.#requests?.received(update.event);
				sessions.hookReceived(update.sessionId);
				onHookUpdate?.(update);
			},
			onStored: events => this.feed.received(events),
		});
	}

	/** Listens for events and, where this program may answer them, for permission requests. */
	async start(): Promise<void> {
		const {hooks = {}, answers, clock, stores} = this.#options;
		if (hooks === 'off') return;
		const {connection} = stores;
		this.#receiver = await startHookReceiver({
			...hooks,
			clock,
			onEvents: events => this.inbox.store(events),
			onDrained: () => {
				this.inbox.syncPeers();
				void this.#requests?.keepListening();
			},
			onProblem: error => connection.setState({hooks: problemOf(error, clock.now())}),
			onListenAgain: () => connection.setState({hooks: 'listening'}),
		});
		if (connection.getState().hooks === 'off') connection.setState({hooks: 'listening'});
		if (answers) await this.#listenForRequests(answers.stateFolder, hooks.folder);
	}

	/** Stops listening; resolves when nothing is left to take in. */
	async stop(): Promise<void> {
		this.#clients?.stop();
		await Promise.all([this.#receiver?.close(), this.#requests?.stop()]);
		this.inbox.stop();
		this.feed.stop();
	}

	/** Answers a hook's request; false if the hook no longer waits for it. */
	async answerRequest(id: string, answer: RequestAnswer): Promise<boolean> {
		return (await this.#requests?.answer(id, answer)) ?? false;
	}

	async #listenForRequests(stateFolder: string, folder: string | undefined): Promise<void> {
		const {clock, registry, stores, safeWrite} = this.#options;
		const [{answeredEvent, PermissionRequests}, {openAnswerKey}, {ClientSessions}] = await Promise.all([
			import('../../hook-listeners/permission-requests.ts'),
			import('../../hook-listeners/answer-key.ts'),
			import('./client-sessions.ts'),
		]);
		const onEvent = (event: HookEvent) => safeWrite(() => this.inbox.store([event]));
		const key = openAnswerKey(stateFolder);
		const requests = new PermissionRequests({
			clock,
			folder,
			key,
			onChange: open => registry.setRequests(open),
			onAnswered: (request, option) => onEvent(answeredEvent(request, option, clock.now())),
		});
		this.#requests = requests;
		this.#clients = new ClientSessions({
			clock,
			fleet: stores.fleet,
			onEvent,
			onSignal: signal => registry.putSignal(signal),
			onAnswered: ({id}) => requests.drop(id),
		});
		await requests.keepListening();
		this.#clients.start();
	}
}

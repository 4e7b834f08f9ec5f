import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import {unlessStorageFails} from '../db/storage-error.ts';
import type {Computer} from '../domain/computers/computer.ts';
import {
	isOutsideService,
	isWatched,
	type KnownComputer,
	type KnownSession,
	type Origin,
	routeOf,
	type SessionMarks,
	type Source,
} from '../domain/known.ts';
import type {OutboxDraft, OutboxItem} from '../domain/messages/delivery.ts';
import type {TimelineItem} from '../domain/messages/timeline.ts';
import type {AttentionMark, Subject} from '../domain/sessions/attention.ts';
import type {HookEvent} from '../domain/sessions/hook-event.ts';
import type {Session} from '../domain/sessions/session.ts';
import {isWorthAsking, reportedStatus} from '../domain/sessions/session-status.ts';
import type {Signal} from '../domain/sessions/signal.ts';
import {isStarting} from '../domain/starting.ts';
import {countSkipped, type WatchReport} from '../state/connection.ts';
import type {Stores} from '../state/stores.ts';
import type {Stream} from '../state/stream.ts';
import {askUntilAnswered} from './core/ask-until-answered.ts';
import type {Clock} from './core/clock.ts';
import {createConnectionReporter} from './core/connection-reporter.ts';
import {PeerWriteWatcher} from './core/peer-write-watcher.ts';
import type {Poll} from './core/poll.ts';
import {problemOf} from './core/problem.ts';
import {createSafeWrite} from './core/safe-write.ts';
import {Scheduler} from './core/scheduler.ts';
import {StoragePruner} from './core/storage-pruner.ts';
import type {EngineParts} from './engine-parts.ts';
import {AttentionMarks} from './fleet/attention-marks.ts';
import {ComputerWatchers} from './fleet/computer-watcher.ts';
import {Registry, type SessionDetails} from './fleet/registry.ts';
import {SignalExpiry} from './fleet/signal-expiry.ts';
import {type ProbeMode, StatusProbe} from './fleet/status-probe.ts';
import {EventFeed} from './hooks/event-feed.ts';
import {HookInbox, type HookUpdate} from './hooks/hook-inbox.ts';
import {type HookReceiver, startHookReceiver} from './hooks/hook-receiver.ts';
import type {OutsideSessions} from './hooks/outside-sessions.ts';
import {PeerEventSync} from './hooks/peer-event-sync.ts';
import type {RequestAnswer} from './hooks/permission-requests.ts';
import {ActivityRecorder} from './messages/activity-recorder.ts';
import {Follower} from './messages/follower.ts';
import {readPreview} from './messages/message-window.ts';
import {OpenSessions, type SessionFollower} from './messages/open-sessions.ts';
import {SessionWatcher} from './messages/session-watcher.ts';
import {createTurnOrder} from './messages/turn-order.ts';
import {OutboxSender} from './outbox/outbox-sender.ts';
import {followTranscript, previewTranscript, transcriptIn} from './transcripts/transcripts.ts';

export type EngineOptions = {
	readonly service: Service;
	readonly database: Database;
	readonly stores: Stores;
	readonly clock: Clock;
	/** Name of this process in the outbox leases; unique on the machine. */
	readonly owner: string;
	/** Where hook events are received; `off` if this program doesn't listen. */
	readonly hooks?: {readonly folder?: string; readonly spoolFolder?: string} | 'off';
	/** Takes and answers the permission requests of hooks; the folder holds the key for headless commands. */
	readonly answers?: {readonly stateFolder: string};
	readonly statusProbe?: ProbeMode;
	/** Minimum time between probes that the user didn't ask for, ms. */
	readonly probeInterval?: number;
	/** Called once for each new hook event, after the stores are updated. */
	readonly onHookUpdate?: (update: HookUpdate) => void;
	/** Called after another program has written to the database. */
	readonly onPeerWrites?: () => void;
	/**
	 * Called for each computer or session that another program has forgotten, after it is removed from the
	 * stores.
	 */
	readonly onForgotten?: (id: string) => void;
	/** Called when the snooze of a session or computer ends. */
	readonly onSnoozeEnd?: (subject: Subject) => void;
	/**
	 * Brings up a service that no other request may be calling yet. Called on start and retried, as the
	 * scheduler allows, until it resolves; an `UnreachableError` counts like that of any other call.
	 */
	readonly reach?: () => Promise<unknown>;
	/** Database size in bytes above which cached messages are pruned; without it, nothing is pruned. */
	readonly storageLimit?: number;
	/** Requests a second for everything together; reading sessions that nobody has open waits for it. */
	readonly requestsPerSecond?: number;
	/** Returns a number from 0 to 1, for jitter. */
	readonly random?: () => number;
};

const restartHint = 'Fix that and restart Quarterdeck; copy anything you write before you quit.';

/** Keeps the stores up to date. Everything is written to disk before it reaches a store. */
export class Engine {
	readonly #options: EngineOptions;
	readonly #parts: EngineParts;
	readonly #peerWriteWatcher: PeerWriteWatcher;
	readonly #pruner: StoragePruner;
	readonly #attention: AttentionMarks;
	readonly #signalExpiry: SignalExpiry;
	readonly #probe: StatusProbe;
	readonly #watchers: ComputerWatchers;
	readonly #sessions: OpenSessions;
	readonly #sessionWatcher: SessionWatcher;
	readonly #activity: ActivityRecorder;
	readonly #sender: OutboxSender;
	readonly #inbox: HookInbox;
	readonly #feed: EventFeed;
	readonly #peerEventSync: PeerEventSync;
	readonly #stopWatchingFile: () => void;
	#receiver: HookReceiver | undefined;
	/** The first request, repeated until it is answered. */
	#unanswered: Pick<Poll, 'now'> | undefined;
	#outside: OutsideSessions | undefined;
	#isLoaded = false;

	/** Wires the parts together. Starts nothing. */
	constructor(options: EngineOptions) {
		const {service, database, stores, clock} = options;
		const {fleet, connection} = stores;
		const jitter = options.random && {random: options.random};
		const safeWrite = createSafeWrite(database, connection, clock);
		const registry = new Registry(database, fleet, safeWrite, clock);
		const report = createConnectionReporter(connection, clock);
		const scheduler = new Scheduler({
			clock,
			...jitter,
			...(options.requestsPerSecond !== undefined && {requestsPerSecond: options.requestsPerSecond}),
			onReach: reach => {
				report(reach);
				if (reach.isPolling) this.#peerWriteWatcher.checkIfDue();
			},
		});
		const parts = {service, database, stores, clock, safeWrite, scheduler, registry};
		this.#options = options;
		this.#parts = parts;
		this.#peerWriteWatcher = new PeerWriteWatcher(database, clock, () => this.#adoptOthers());
		this.#pruner = new StoragePruner({
			...parts,
			connection,
			limit: options.storageLimit ?? Number.POSITIVE_INFINITY,
			openSessions: () => [...this.#sessions.all()].map(([sessionId]) => sessionId),
			watchedSessions: () => [...fleet.getState().sessions.values()].filter(isWatched).map(({id}) => id),
		});
		this.#attention = new AttentionMarks({
			...parts,
			store: stores.attention,
			onReturn: subject => options.onSnoozeEnd?.(subject),
		});
		this.#signalExpiry = new SignalExpiry(fleet, clock);
		this.#probe = new StatusProbe({
			...parts,
			mode: options.statusProbe ?? 'manual',
			interval: options.probeInterval,
			onSession: session => {
				const {sessionId} = session;
				// The session may have been forgotten while the probe was under way.
				if (!registry.session(sessionId)) return;
				this.rememberSession(session, 'added', 'updated');
				const known = registry.session(sessionId);
				if (isGrowing(known) && known?.status?.value === 'idle') this.#sessionWatcher.kick(sessionId);
			},
		});
		this.#watchers = new ComputerWatchers(parts, id => this.#attention.remove({kind: 'computer', id}));
		this.#sessions = new OpenSessions(
			sessionId => this.#follow(sessionId),
			sessionId => {
				if (!this.#sessions.get(sessionId)) this.#sessionWatcher.closed(sessionId);
				this.#sender.turnMoved(sessionId);
			},
		);
		this.#activity = new ActivityRecorder({
			...parts,
			ownIds: sessionId => this.#ownIds(sessionId),
			skew: () => connection.getState().skew,
		});
		this.#sessionWatcher = new SessionWatcher({
			...parts,
			activity: this.#activity,
			ownIds: sessionId => this.#ownIds(sessionId),
			onRead: (sessionId, items) => {
				this.#observe(sessionId, items);
				// Elsewhere, a probe is a write.
				if (options.probeInterval !== undefined && isWorking(registry.session(sessionId)))
					this.#probe.ask(sessionId, false);
			},
		});
		this.#sender = new OutboxSender({
			...parts,
			store: stores.outbox,
			owner: options.owner,
			run: (key, call) => scheduler.request(key, call, {priority: 'urgent'}),
			skew: () => connection.getState().skew,
			...jitter,
			...createTurnOrder(stores, clock),
			isStarting: ({sessionId}) => isStarting(registry.session(sessionId), clock.now()),
			onAccepted: ({sessionId}, status) => {
				if (status !== undefined) this.#reportStatus(sessionId, status, 'posted');
				this.#posted(sessionId);
			},
			onHeld: ({sessionId}, error) => registry.setProblem(sessionId, problemOf(error, clock.now())),
		});
		this.#inbox = new HookInbox(database, registry, update => {
			const follower = this.#sessions.get(update.sessionId);
			if (follower instanceof Follower && this.#transcriptOf(update.sessionId) !== undefined)
				this.#sessions.reopen(update.sessionId);
			else if (follower) follower.kick();
			else this.#sessionWatcher.kick(update.sessionId);
			this.#outside?.received(update.event);
			options.onHookUpdate?.(update);
		});
		this.#feed = new EventFeed(database.events, stores.events, clock);
		this.#peerEventSync = new PeerEventSync(this.#inbox, clock, events => this.#feed.received(events));
		this.#stopWatchingFile = database.onChange(() => {
			registry.restore();
			this.#sender.restore();
			this.#reportStorage();
		});
	}

	/** Fills the stores from disk with all that the first frame shows. Starts nothing. */
	load(): void {
		if (this.#isLoaded) return;
		this.#isLoaded = true;
		// Must come before the sessions, so that they are sorted only once.
		this.#attention.load();
		this.#parts.registry.load();
		this.#reportStorage();
	}

	/** Starts sending unfinished messages, polling and listening for hook events. Loads first if necessary. */
	async start(): Promise<void> {
		this.load();
		this.#signalExpiry.start();
		this.#parts.stores.connection.setState({state: 'quiet'});
		this.#sender.start();
		this.#peerWriteWatcher.start();
		this.#sessionWatcher.start();
		this.#attention.start();
		if (this.#options.storageLimit !== undefined) this.#pruner.start();
		if (this.#options.reach) this.#askUntilAnswered('service', this.#options.reach);
		for (const id of this.#parts.stores.fleet.getState().computers.keys()) this.#watchers.of(id).kick();
		await this.#listen();
	}

	/**
	 * Asks the service whether it accepts the key until it answers, unless a computer or session is being read
	 * anyway.
	 */
	checkKey(): void {
		const {stores, service} = this.#parts;
		const isReading = stores.fleet.getState().computers.size > 0 || [...this.#sessions.all()].length > 0;
		if (isReading) return;
		this.#askUntilAnswered('key', signal => service.users.list({limit: 1}, {signal}));
	}

	/** Ends all timers, requests and listeners; resolves when nothing of the engine is running. */
	async stop(): Promise<void> {
		this.#stopWatchingFile();
		this.#pruner.stop();
		await Promise.all([this.#receiver?.close(), this.#outside?.stop()]);
		this.#peerWriteWatcher.stop();
		this.#peerEventSync.stop();
		this.#attention.stop();
		this.#signalExpiry.stop();
		// In parallel: only the scheduler's stop rejects the requests still in its queue.
		await Promise.all([
			this.#sessions.stop(),
			this.#sessionWatcher.stop(),
			this.#watchers.stop(),
			this.#sender.stop(),
			this.#probe.close(),
			this.#parts.scheduler.stop(),
		]);
		this.#feed.stop();
	}

	/** Call after the key changed: lifts the block that a 401 puts on all requests. */
	resume(): void {
		this.#parts.scheduler.resume();
		this.#sender.resume();
	}

	/** Pass false while the terminal is blurred: all polls run four times less often. */
	setTerminalFocused(isFocused: boolean): void {
		this.#parts.scheduler.setFocused(isFocused);
		this.#sessionWatcher.setFocused(isFocused);
		if (isFocused) this.#peerWriteWatcher.checkIfDue();
	}

	/** Polls immediately: one session or computer by id, or every known computer and open session. */
	refresh(id?: string): void {
		this.#parts.scheduler.tryNow();
		if (this.#parts.stores.connection.getState().refusal) this.#unanswered?.now();
		for (const [sessionId, follower] of this.#sessions.all()) {
			if (id !== undefined && sessionId !== id) continue;
			follower.refresh();
			// A probe is a write: don't send one for a session that the service doesn't know.
			if (!isOutsideService(this.#parts.registry.session(sessionId)))
				this.#probe.ask(sessionId, id !== undefined || sessionId === this.#sessions.focused);
		}
		if (id !== undefined && !this.#sessions.get(id) && !isOutsideService(this.#parts.registry.session(id))) {
			this.#probe.ask(id, true);
			this.#sessionWatcher.kick(id);
		}
		for (const computerId of this.#parts.stores.fleet.getState().computers.keys()) {
			if (id === undefined) this.#watchers.of(computerId).kick();
			else if (computerId === id) this.#watchers.of(computerId).kick('urgent');
		}
	}

	/** Follows a session while it is open at least once. Call the returned function to close it. */
	open(sessionId: string): () => void {
		return this.#sessions.open(sessionId);
	}

	/** Answers a hook's request; false if the answer doesn't count: nobody waits for it any more. */
	async answerRequest(id: string, answer: RequestAnswer): Promise<boolean> {
		return (await this.#outside?.answer(id, answer)) ?? false;
	}

	/** Sets the open session that the user is looking at; it is polled most often. */
	focus(sessionId: string | undefined): void {
		this.#sessions.focus(sessionId);
	}

	/** Sets the sessions that a list shows: they are read before others that nobody has open. */
	setVisibleSessions(list: string, sessionIds: readonly string[]): void {
		this.#sessionWatcher.setVisible(list, sessionIds);
	}

	/** How the sessions that nobody has open are read. */
	watchReport(): WatchReport {
		return this.#sessionWatcher.report();
	}

	/** The newest cached messages of a session; undefined if they can't be read. Asks the service nothing. */
	preview(sessionId: string): Stream | undefined {
		const path = this.#transcriptOf(sessionId);
		if (path !== undefined) return previewTranscript(sessionId, path);
		return unlessStorageFails(() => readPreview(this.#parts.database, sessionId));
	}

	/** Records that the user has read a session to its newest message. */
	markSeen(sessionId: string): void {
		this.#activity.markSeen(sessionId);
	}

	/** Loads older messages into the stream of an open session, from the cache first. */
	async loadOlder(sessionId: string): Promise<void> {
		await this.#sessions.get(sessionId)?.loadOlder();
	}

	/** Loads newer messages, while part of the history is shown. */
	loadNewer(sessionId: string): void {
		this.#sessions.get(sessionId)?.loadNewer();
	}

	/** Shows the part of an open session's history around a cached message. Does nothing if it isn't cached. */
	showMessage(sessionId: string, messageId: string): void {
		this.#sessions.get(sessionId)?.showMessage(messageId);
	}

	/** Returns an open session to its newest messages. */
	showNewest(sessionId: string): void {
		this.#sessions.get(sessionId)?.showNewest();
	}

	/** Loads the messages missing at a gap row of an open session. */
	async fillGap(sessionId: string, gapId: string): Promise<void> {
		await this.#sessions.get(sessionId)?.fillGap(gapId);
	}

	/** Adds a message to the outbox, to be sent in order. Resolves once it is on disk. */
	async enqueue(sessionId: string, draft: OutboxDraft): Promise<OutboxItem> {
		if (!this.#parts.registry.session(sessionId)) this.addSession(sessionId, 'added');
		const computerId = draft.computerId ?? routeOf(this.#parts.registry.session(sessionId));
		const item = await this.#sender.enqueue(sessionId, {
			...draft,
			...(computerId !== undefined && {computerId}),
		});
		this.#parts.registry.setSubject(sessionId, draft.text);
		return item;
	}

	/** Resolves a `failed` or `unconfirmed` message by the user's choice; `resend` may post it a second time. */
	resend(outboxId: string): void {
		this.#sender.resend(outboxId);
	}

	/** Removes a message that isn't on the wire from the outbox and returns it, so that its text isn't lost. */
	discard(outboxId: string): OutboxItem | undefined {
		return this.#sender.discard(outboxId);
	}

	/** Keeps the hook event log filled until the returned function is called. */
	watchEvents(): () => void {
		this.#pruner.reportSizes();
		return this.#feed.watch();
	}

	/** Loads older events into the log. */
	loadOlderEvents(): void {
		this.#feed.loadOlder();
	}

	/** Marks a computer as on screen until the returned function is called. */
	watchComputer(computerId: string): () => void {
		return this.#watchers.of(computerId).view();
	}

	/** Records a computer that the service returned. */
	rememberComputer(computer: Computer, origin: Origin): void {
		this.#parts.registry.addComputer(computer.id, origin);
		this.#watchers.of(computer.id).accept(computer);
	}

	/** Records the id of a computer, and reads it. */
	addComputer(computerId: string, origin: Origin): void {
		this.#parts.registry.addComputer(computerId, origin);
		this.#watchers.of(computerId).kick('urgent');
	}

	/** Restores a forgotten computer in its old place, and reads it. */
	restoreComputer(known: KnownComputer): void {
		this.#parts.registry.putComputer(known);
		this.#watchers.of(known.id).kick('urgent');
	}

	forgetComputer(computerId: string): void {
		this.#watchers.forget(computerId);
		this.#parts.registry.forgetComputer(computerId);
	}

	/** Records a session that the service returned. */
	rememberSession(session: Session, origin: Origin, source: Source): void {
		this.#parts.registry.seeSession(session, origin);
		if (session.status !== undefined) this.#reportStatus(session.sessionId, session.status, source);
	}

	/** Records the id of a session, with what is known about it. */
	addSession(sessionId: string, origin: Origin, details?: SessionDetails): void {
		this.#parts.registry.addSession(sessionId, origin, details);
	}

	/** Restores what hooks told of a session that was forgotten. */
	restoreSignal(signal: Signal): void {
		this.#parts.registry.putSignal(signal);
	}

	forgetSession(sessionId: string): void {
		this.#parts.registry.forgetSession(sessionId);
	}

	/** Saves a session's name, pin or return from the archive on this machine only. */
	markSession(sessionId: string, marks: SessionMarks): void {
		this.#parts.registry.markSession(sessionId, marks);
	}

	/** Saves that the user acknowledged or snoozed a session or computer that needs attention. */
	setAttentionMark(mark: AttentionMark): void {
		this.#attention.put(mark);
	}

	/** Removes the attention mark of a session or computer. */
	clearAttentionMark(subject: Subject): void {
		this.#attention.remove(subject);
	}

	/** Records that the user has read what happened to the database file. */
	acknowledgeIncidents(): void {
		this.#parts.safeWrite(this.#parts.database.incidents.acknowledge);
		this.#reportStorage();
	}

	#reportStatus(sessionId: string, value: string, source: Source): void {
		const current = this.#parts.registry.session(sessionId)?.status;
		const turn = this.#sessions.get(sessionId)?.turn ?? {};
		const next = reportedStatus(current, {value, source, at: this.#parts.clock.now()}, turn);
		if (next && next !== current) this.#parts.registry.setStatus(sessionId, next);
	}

	#follow(sessionId: string): SessionFollower {
		const {registry, safeWrite, database, stores, clock} = this.#parts;
		const path = this.#transcriptOf(sessionId);
		if (path !== undefined) return followTranscript({sessionId, path, clock, streams: stores.streams});
		if (!registry.session(sessionId)) registry.addSession(sessionId, 'added');
		safeWrite(() => database.cache.use([sessionId]));
		this.#sessionWatcher.opened(sessionId);
		// The embedded service reads the session's folder for it.
		if (this.#options.probeInterval !== undefined && !isOutsideService(registry.session(sessionId)))
			this.#probe.ask(sessionId, false);
		return new Follower({
			...this.#parts,
			sessionId,
			ownIds: () => this.#ownIds(sessionId),
			onRead: reading => this.#activity.record(sessionId, reading),
			isStatusPolled: () => this.#probe.isAuto,
			onSkipped: count => countSkipped(stores.connection, `messages of ${sessionId}`, count, clock.now()),
			onPolled: items => this.#polled(sessionId, items),
		});
	}

	/** The transcript that a session outside the service is read from, if any. */
	#transcriptOf(sessionId: string): string | undefined {
		const fleet = this.#parts.stores.fleet.getState();
		return isOutsideService(fleet.sessions.get(sessionId)) ? transcriptIn(fleet, sessionId) : undefined;
	}

	/** Ids that add-message returned in a session. */
	#ownIds(sessionId: string): ReadonlySet<string> {
		const items = this.#parts.stores.outbox.getState().bySession.get(sessionId) ?? [];
		return new Set(items.flatMap(({messageId}) => messageId ?? []));
	}

	/** Reads a session at once: the service has accepted one of our messages. */
	#posted(sessionId: string): void {
		const follower = this.#sessions.get(sessionId);
		if (follower) follower.posted();
		else this.#sessionWatcher.kick(sessionId);
	}

	/** Takes in the newest and changed messages that a poll of an open session has read. */
	#polled(sessionId: string, items: readonly TimelineItem[]): void {
		this.#observe(sessionId, items);
		const known = this.#parts.registry.session(sessionId);
		if (isWorthAsking(known?.status) || isWorking(known)) this.#probe.ask(sessionId, false);
	}

	/** Looks for our own messages among those read, and sends what waits for the turn's end. */
	#observe(sessionId: string, items: readonly TimelineItem[]): void {
		const messages = items.map(item => item.message);
		const roles = new Map(items.flatMap(({id, role}) => (role ? [[id, role] as const] : [])));
		this.#sender.observe(sessionId, messages, roles);
		this.#sender.turnMoved(sessionId);
	}

	/** Takes over what other programs on this machine have added, changed or forgotten. */
	#adoptOthers(): void {
		const {newComputers, goneComputers, goneSessions} = this.#parts.registry.adoptOthers();
		for (const id of newComputers) this.#watchers.of(id).kick();
		for (const id of goneComputers) this.#watchers.forget(id);
		for (const id of [...goneComputers, ...goneSessions]) this.#options.onForgotten?.(id);
		this.#attention.load();
		this.#peerEventSync.sync();
		for (const sessionId of this.#sender.adoptOthers()) this.#posted(sessionId);
		this.#options.onPeerWrites?.();
	}

	async #listen(): Promise<void> {
		const {hooks = {}} = this.#options;
		if (hooks === 'off') return;
		const {connection} = this.#parts.stores;
		this.#receiver = await startHookReceiver({
			...hooks,
			clock: this.#parts.clock,
			onEvents: events => this.#receive(events),
			onDrained: () => this.#peerEventSync.sync(),
			onProblem: error => connection.setState({hooks: problemOf(error, this.#parts.clock.now())}),
			onListenAgain: () => connection.setState({hooks: 'listening'}),
		});
		if (connection.getState().hooks === 'off') connection.setState({hooks: 'listening'});
		if (this.#options.answers) await this.#listenForRequests(this.#options.answers);
	}

	async #listenForRequests({stateFolder}: {readonly stateFolder: string}): Promise<void> {
		const {clock, registry, stores, safeWrite} = this.#parts;
		const {hooks} = this.#options;
		const folder = hooks === 'off' ? undefined : hooks?.folder;
		const {OutsideSessions} = await import('./hooks/outside-sessions.ts');
		this.#outside = new OutsideSessions({
			clock,
			stateFolder,
			...(folder !== undefined && {folder}),
			fleet: stores.fleet,
			setRequests: requests => registry.setRequests(requests),
			onEvent: event => safeWrite(() => this.#receive([event])),
			onSignal: signal => registry.putSignal(signal),
		});
		await this.#outside.start();
	}

	#receive(events: readonly HookEvent[]): void {
		this.#feed.received(this.#inbox.take(events));
		this.#peerWriteWatcher.checkIfDue();
	}

	#askUntilAnswered(key: string, ask: (signal: AbortSignal) => Promise<unknown>): void {
		this.#unanswered = askUntilAnswered(this.#parts, key, ask);
	}

	/** Reports the state of the database file and its past incidents. */
	#reportStorage(): void {
		const {connection} = this.#parts.stores;
		const {problem} = this.#parts.database;
		const incidents = unlessStorageFails(this.#parts.database.incidents.all) ?? [];
		const {incidents: before = [], storage} = connection.getState();
		connection.setState({
			...(incidents.length + before.length > 0 && {incidents}),
			...(problem
				? {storage: {what: problem, hint: restartHint, at: this.#parts.clock.now(), needsRestart: true}}
				: // That problem belonged to an earlier file.
					storage?.needsRestart && {storage: undefined}),
		});
	}
}

/** Whether a session's messages say that its agent is at work. */
function isWorking(known: KnownSession | undefined): boolean {
	return known?.activity?.state === 'working';
}

/** Whether a session counts as working only because its newest text may still grow. */
function isGrowing(known: KnownSession | undefined): boolean {
	return known?.activity?.evidence === 'growing';
}

import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import {unlessStorageFails} from '../db/storage-error.ts';
import {isOutsideService, type Origin, routeOf, type Source} from '../domain/known.ts';
import type {HookEvent} from '../domain/sessions/hook-event.ts';
import type {Session} from '../domain/sessions/session.ts';
import {isWorthAsking, reportedStatus} from '../domain/sessions/session-status.ts';
import {isStarting} from '../domain/starting.ts';
import {countSkipped} from '../state/connection.ts';
import type {Stores} from '../state/stores.ts';
import type {Clock} from './core/clock.ts';
import {createConnectionReporter} from './core/connection-reporter.ts';
import {createPeerWriteWatcher} from './core/peer-write-watcher.ts';
import {problemOf} from './core/problem.ts';
import {createSafeWrite} from './core/safe-write.ts';
import {createScheduler} from './core/scheduler.ts';
import {createStoragePruner} from './core/storage-pruner.ts';
import type {Engine} from './engine.ts';
import {createAttentionMarks} from './fleet/attention-marks.ts';
import {createComputerWatchers} from './fleet/computer-watcher.ts';
import {createRegistry} from './fleet/registry.ts';
import {createStatusExpiry} from './fleet/status-expiry.ts';
import {createStatusProbe, type ProbeMode} from './fleet/status-probe.ts';
import {createEventFeed} from './hooks/event-feed.ts';
import {createHookInbox, type HookUpdate} from './hooks/hook-inbox.ts';
import {type HookReceiver, startHookReceiver} from './hooks/hook-receiver.ts';
import {createPeerEventSync} from './hooks/peer-event-sync.ts';
import {createFollowedSessions} from './messages/followed-sessions.ts';
import {createFollower, type Follower} from './messages/follower.ts';
import {createOpenSessions} from './messages/open-sessions.ts';
import {createStreamPublisher} from './messages/stream-publisher.ts';
import {createTurnOrder} from './messages/turn-order.ts';
import {createOutboxSender} from './outbox/outbox-sender.ts';

export type EngineOptions = {
	readonly service: Service;
	readonly database: Database;
	readonly stores: Stores;
	readonly clock: Clock;
	/** Name of this process in the outbox leases; unique on the machine. */
	readonly owner: string;
	/** Where hook events are received; `off` if this program doesn't listen. */
	readonly hooks?: {readonly folder?: string; readonly spoolFolder?: string} | 'off';
	readonly statusProbe?: ProbeMode;
	/** Called once for each new hook event, after the stores are updated. */
	readonly onHookUpdate?: (update: HookUpdate) => void;
	/** Called after another program has written to the database. */
	readonly onPeerWrites?: () => void;
	/**
	 * Called for each computer or session that another program has forgotten, after it is removed from the
	 * stores.
	 */
	readonly onForgotten?: (id: string) => void;
	/** Called when a session's snooze ends. */
	readonly onSnoozeEnd?: (sessionId: string) => void;
	/**
	 * Brings up a service that no other request may be calling yet. Called on start and retried, as the
	 * scheduler allows, until it resolves; an `UnreachableError` counts like that of any other call.
	 */
	readonly reach?: () => Promise<unknown>;
	/** Database size in bytes above which cached messages are pruned; without it, nothing is pruned. */
	readonly storageLimit?: number;
	/** Returns a number from 0 to 1, for jitter. */
	readonly random?: () => number;
};

const restartHint = 'Fix that and restart Quarterdeck; copy anything you write before you quit.';

/** Wires the parts of the engine together. Starts nothing. */
export function createEngine(options: EngineOptions): Engine {
	const {service, database, stores, clock, hooks = {}, onHookUpdate} = options;
	const {fleet, connection} = stores;
	const safeWrite = createSafeWrite(database, connection, clock);
	const registry = createRegistry(database, fleet, safeWrite, clock);
	const publisher = createStreamPublisher(stores.streams, clock);
	const report = createConnectionReporter(connection, clock);
	const peerWriteWatcher = createPeerWriteWatcher(database, clock, adoptOthers);
	const scheduler = createScheduler({
		clock,
		...(options.random && {random: options.random}),
		onReach(reach) {
			report(reach);
			if (reach.isPolling) peerWriteWatcher.look();
		},
	});
	const statusExpiry = createStatusExpiry(fleet, clock);
	const followedSessions = createFollowedSessions(fleet, sessionId => sessions.open(sessionId));
	const attention = createAttentionMarks({
		database,
		store: stores.attention,
		safeWrite,
		clock,
		onReturn: sessionId => options.onSnoozeEnd?.(sessionId),
	});
	const watchers = createComputerWatchers({service, database, safeWrite, fleet, registry, scheduler, clock});
	const sessions = createOpenSessions(follow, sessionId => sender.turnMoved(sessionId));
	let receiver: HookReceiver | undefined;

	const sender = createOutboxSender({
		database,
		service,
		store: stores.outbox,
		clock,
		owner: options.owner,
		run: (key, call) => scheduler.request(key, call, {priority: 'urgent'}),
		skew: () => connection.getState().skew,
		...(options.random && {random: options.random}),
		...createTurnOrder(stores, clock),
		isStarting: ({sessionId}) => isStarting(fleet.getState().sessions.get(sessionId), clock.now()),
		onAccepted({sessionId}, status) {
			if (status !== undefined) reportStatus(sessionId, status, 'posted');
			sessions.get(sessionId)?.posted();
		},
		onHeld({sessionId}, error) {
			registry.setProblem(sessionId, problemOf(error, clock.now()));
		},
	});

	const probe = createStatusProbe({
		mode: options.statusProbe ?? 'manual',
		service,
		database,
		safeWrite,
		scheduler,
		clock,
		onSession(session) {
			// The session may have been forgotten while the probe was under way.
			if (fleet.getState().sessions.has(session.sessionId)) rememberSession(session, 'added', 'updated');
		},
	});

	const feed = createEventFeed(database.events, stores.events, clock);
	const inbox = createHookInbox(database, registry, update => {
		sessions.get(update.sessionId)?.kick();
		onHookUpdate?.(update);
	});

	const peerEventSync = createPeerEventSync(inbox, clock, feed.received);

	function receive(events: readonly HookEvent[]): void {
		feed.received(inbox.take(events));
		peerWriteWatcher.look();
	}

	/** Takes over what other programs on this machine have added, changed or forgotten. */
	function adoptOthers(): void {
		const {newComputers, goneComputers, goneSessions} = registry.adoptOthers();
		for (const id of newComputers) watchers.of(id).kick();
		for (const id of goneComputers) watchers.forget(id);
		for (const id of [...goneComputers, ...goneSessions]) options.onForgotten?.(id);
		attention.load();
		peerEventSync.look();
		for (const sessionId of sender.adoptOthers()) sessions.get(sessionId)?.posted();
		options.onPeerWrites?.();
	}

	function reportStatus(sessionId: string, value: string, source: Source): void {
		const current = fleet.getState().sessions.get(sessionId)?.status;
		const turn = sessions.get(sessionId)?.turn ?? {};
		const next = reportedStatus(current, {value, source, at: clock.now()}, turn);
		if (next && next !== current) registry.setStatus(sessionId, next);
	}

	function rememberSession(session: Session, origin: Origin, source: Source): void {
		registry.seeSession(session, origin);
		if (session.status !== undefined) reportStatus(session.sessionId, session.status, source);
	}

	function follow(sessionId: string): Follower {
		if (!fleet.getState().sessions.has(sessionId)) registry.addSession(sessionId, 'added');
		safeWrite(() => database.cache.use([sessionId]));
		return createFollower({
			sessionId,
			service,
			database,
			safeWrite,
			fleet,
			registry,
			publisher,
			scheduler,
			clock,
			ownIds: () => ownIds(sessionId),
			isStatusAsked: () => probe.isAuto,
			onSkipped: count => countSkipped(connection, `messages of ${sessionId}`, count, clock.now()),
			onPolled(items) {
				const roles = new Map(items.flatMap(({id, role}) => (role ? [[id, role] as const] : [])));
				sender.observe(
					sessionId,
					items.map(item => item.message),
					roles,
				);
				sender.turnMoved(sessionId);
				if (isWorthAsking(fleet.getState().sessions.get(sessionId)?.status)) probe.ask(sessionId, false);
			},
		});
	}

	function ownIds(sessionId: string): ReadonlySet<string> {
		const items = stores.outbox.getState().bySession.get(sessionId) ?? [];
		return new Set(items.flatMap(item => item.messageId ?? []));
	}

	async function listen(): Promise<void> {
		if (hooks === 'off') return;
		const onProblem = (error: Error) => connection.setState({hooks: problemOf(error, clock.now())});
		receiver = await startHookReceiver({
			...hooks,
			clock,
			onEvents: receive,
			onDrained: peerEventSync.look,
			onProblem,
			onListenAgain: () => connection.setState({hooks: 'listening'}),
		});
		if (connection.getState().hooks === 'off') connection.setState({hooks: 'listening'});
	}

	function begin(reach: () => Promise<unknown>): void {
		const begun = scheduler.poll(signal =>
			scheduler.request('service', reach, {signal}).then(
				() => undefined,
				// The circuit breaker decides when the retry is sent; it waits there.
				() => 1000,
			),
		);
		begun.now();
	}

	let isLoaded = false;
	function load(): void {
		if (isLoaded) return;
		isLoaded = true;
		// Must come before the sessions, so that they are sorted only once.
		attention.load();
		registry.load();
		reportStorage();
	}

	/** Reports the state of the database file and its past incidents. */
	function reportStorage(): void {
		const incidents = unlessStorageFails(database.incidents.all) ?? [];
		const {incidents: before = [], storage} = connection.getState();
		connection.setState({
			...(incidents.length + before.length > 0 && {incidents}),
			...(database.problem
				? {storage: {what: database.problem, hint: restartHint, at: clock.now(), needsRestart: true}}
				: // That problem belonged to an earlier file.
					storage?.needsRestart && {storage: undefined}),
		});
	}

	function acknowledgeIncidents(): void {
		safeWrite(database.incidents.acknowledge);
		reportStorage();
	}

	const pruner = createStoragePruner(database, connection, clock, {
		limit: options.storageLimit ?? Number.POSITIVE_INFINITY,
		openSessions: () => [...sessions.all()].map(([sessionId]) => sessionId),
	});

	const stopWatchingFile = database.onChange(() => {
		registry.restore();
		sender.restore();
		reportStorage();
	});

	return {
		load,
		async start() {
			load();
			statusExpiry.start();
			connection.setState({state: 'quiet'});
			sender.start();
			peerWriteWatcher.start();
			followedSessions.start();
			attention.start();
			if (options.storageLimit !== undefined) pruner.start();
			if (options.reach) begin(options.reach);
			for (const id of fleet.getState().computers.keys()) watchers.of(id).kick();
			await listen();
		},
		checkKey() {
			if (fleet.getState().computers.size > 0) return;
			const ask = (signal: AbortSignal) => service.users.list({limit: 1}, {signal});
			// The circuit breaker reports a refused key. Any other failure says nothing about it.
			scheduler.request('key', ask, {priority: 'background'}).catch(() => {});
		},
		async stop() {
			stopWatchingFile();
			pruner.stop();
			await receiver?.close();
			peerWriteWatcher.stop();
			peerEventSync.stop();
			followedSessions.stop();
			attention.stop();
			statusExpiry.stop();
			// In parallel: only the scheduler's stop rejects the requests still in its queue.
			await Promise.all([sessions.stop(), watchers.stop(), sender.stop(), probe.close(), scheduler.stop()]);
			publisher.stop();
			feed.stop();
		},
		open: sessions.open,
		watchComputer: computerId => watchers.of(computerId).hold(),
		focus: sessions.focus,
		setTerminalFocused(isFocused) {
			scheduler.setFocused(isFocused);
			if (isFocused) peerWriteWatcher.look();
		},
		refresh(id) {
			scheduler.tryNow();
			const isOne = id !== undefined;
			for (const [sessionId, follower] of sessions.all()) {
				if (isOne && sessionId !== id) continue;
				follower.refresh();
				// A probe is a write: don't send one for a session that the service doesn't know.
				if (!isOutsideService(fleet.getState().sessions.get(sessionId)))
					probe.ask(sessionId, isOne || sessionId === sessions.focused);
			}
			const {computers} = fleet.getState();
			for (const computerId of computers.keys()) {
				if (isOne && computerId === id) watchers.of(computerId).kick('urgent');
				else if (!isOne) watchers.of(computerId).kick();
			}
		},
		loadOlder: async sessionId => sessions.get(sessionId)?.loadOlder(),
		loadNewer: sessionId => sessions.get(sessionId)?.loadNewer(),
		showMessage: (sessionId, messageId) => sessions.get(sessionId)?.showMessage(messageId),
		showNewest: sessionId => sessions.get(sessionId)?.showNewest(),
		watchEvents() {
			pruner.look();
			return feed.watch();
		},
		loadOlderEvents: feed.loadOlder,
		fillGap: async (sessionId, gapId) => sessions.get(sessionId)?.fillGap(gapId),
		async enqueue(sessionId, draft) {
			if (!fleet.getState().sessions.has(sessionId)) registry.addSession(sessionId, 'added');
			const computerId = draft.computerId ?? routeOf(fleet.getState().sessions.get(sessionId));
			const item = await sender.enqueue(sessionId, {...draft, ...(computerId !== undefined && {computerId})});
			registry.setSubject(sessionId, draft.text);
			return item;
		},
		resend: outboxId => sender.resend(outboxId),
		discard: outboxId => sender.discard(outboxId),
		rememberComputer(computer, origin) {
			registry.addComputer(computer.id, origin);
			watchers.of(computer.id).accept(computer);
		},
		addComputer(computerId, origin) {
			registry.addComputer(computerId, origin);
			watchers.of(computerId).kick('urgent');
		},
		restoreComputer(known) {
			registry.restoreComputer(known);
			watchers.of(known.id).kick('urgent');
		},
		rememberSession,
		addSession: registry.addSession,
		markSession: registry.markSession,
		setAttentionMark: attention.put,
		clearAttentionMark: attention.remove,
		forgetComputer(computerId) {
			watchers.forget(computerId);
			registry.forgetComputer(computerId);
		},
		forgetSession: registry.forgetSession,
		acknowledgeIncidents,
		resume() {
			scheduler.resume();
			sender.resume();
		},
	};
}

import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {HookEvent} from '../domain/hook-event.ts';
import {isOutsideService, type Origin} from '../domain/known.ts';
import type {Session} from '../domain/session.ts';
import {toldStatus} from '../domain/session-status.ts';
import type {Source} from '../domain/sourced.ts';
import {isStarting} from '../domain/starting.ts';
import {countSkipped} from '../state/connection.ts';
import type {Stores} from '../state/stores.ts';
import {createAttendance} from './attendance.ts';
import {createAttentionKeeper} from './attention-keeper.ts';
import type {Clock} from './clock.ts';
import {type ComputerWatcher, createComputerWatcher} from './computer-watcher.ts';
import {createConnectionReporter} from './connection-reporter.ts';
import type {Engine} from './engine.ts';
import {createEventFeed} from './event-feed.ts';
import {createFading} from './fading.ts';
import {createFollower, type Follower} from './follower.ts';
import {createHookInbox, type HookNews} from './hook-inbox.ts';
import {type HookReceiver, startHookReceiver} from './hook-receiver.ts';
import {createKeep} from './keep.ts';
import {createOtherPrograms} from './other-programs.ts';
import {createOutboxSender} from './outbox-sender.ts';
import {problemOf} from './problem.ts';
import {createRegistry} from './registry.ts';
import {createScheduler} from './scheduler.ts';
import {createStatusProbe, type ProbeMode} from './status-probe.ts';
import {createStreamPublisher} from './stream-publisher.ts';
import {createTurnOrder} from './turn-order.ts';

export type EngineOptions = {
	readonly service: Service;
	readonly database: Database;
	readonly stores: Stores;
	readonly clock: Clock;
	/** Name of this process in the leases of the outbox: unique on the machine. */
	readonly owner: string;
	/** Where hook events are received; `off` for a program that doesn't listen. */
	readonly hooks?: {readonly folder?: string; readonly spoolFolder?: string} | 'off';
	readonly statusProbe?: ProbeMode;
	/** Told of each hook event that counted, once, after the stores have it. */
	readonly onHookNews?: (news: HookNews) => void;
	/** Told of each session that was snoozed, when its time is over. */
	readonly onSnoozeEnd?: (sessionId: string) => void;
	/**
	 * Brings a service up that nothing may be asking yet. Made at the start, and again, as the scheduler lets it, until it
	 * resolves; an `UnreachableError` is told like that of a call.
	 */
	readonly reach?: () => Promise<unknown>;
	/** 0 to 1, for jitter. */
	readonly random?: () => number;
};

/** Wires the parts of the engine together. Nothing happens before `start`. */
export function createEngine(options: EngineOptions): Engine {
	const {service, database, stores, clock, hooks = {}, onHookNews} = options;
	const {fleet, connection} = stores;
	const keep = createKeep(database, connection, clock);
	const registry = createRegistry(database, fleet, keep, clock);
	const publisher = createStreamPublisher(stores.streams, clock);
	const report = createConnectionReporter(connection, clock);
	const lookForOthers = createOtherPrograms(database, clock, adoptNew);
	const scheduler = createScheduler({
		clock,
		...(options.random && {random: options.random}),
		onReach(reach) {
			report(reach);
			if (reach.isPolling) lookForOthers();
		},
	});
	const fading = createFading(fleet, clock);
	const attendance = createAttendance(fleet, sessionId => open(sessionId));
	const attention = createAttentionKeeper({
		database,
		store: stores.attention,
		keep,
		clock,
		onReturn: sessionId => options.onSnoozeEnd?.(sessionId),
	});
	const followers = new Map<string, {readonly follower: Follower; holders: number}>();
	const watchers = new Map<string, ComputerWatcher>();
	const closing = new Set<Promise<void>>();
	let focused: string | undefined;
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
			if (status !== undefined) tellStatus(sessionId, status, 'posted');
			followers.get(sessionId)?.follower.posted();
		},
		onHeld({sessionId}, error) {
			registry.setProblem(sessionId, problemOf(error, clock.now()));
		},
	});

	const probe = createStatusProbe({
		mode: options.statusProbe ?? 'manual',
		service,
		database,
		keep,
		scheduler,
		clock,
		onSession: session => rememberSession(session, 'added', 'updated'),
	});

	const feed = createEventFeed(database.events, stores.events, clock);
	const inbox = createHookInbox(database, registry, news => {
		followers.get(news.sessionId)?.follower.kick();
		onHookNews?.(news);
	});

	function receive(events: readonly HookEvent[]): void {
		feed.received(inbox(events));
		lookForOthers();
	}

	/** What another program on this machine made or added is known here too. */
	function adoptNew(): void {
		for (const {id} of registry.loadNew()) watcherOf(id).kick();
		attention.load();
	}

	function tellStatus(sessionId: string, value: string, source: Source): void {
		const current = fleet.getState().sessions.get(sessionId)?.status;
		const turn = followers.get(sessionId)?.follower.turn ?? {};
		const next = toldStatus(current, {value, source, at: clock.now()}, turn);
		if (next && next !== current) registry.setStatus(sessionId, next);
	}

	function rememberSession(session: Session, origin: Origin, source: Source): void {
		registry.seeSession(session, origin);
		if (session.status !== undefined) tellStatus(session.sessionId, session.status, source);
	}

	function watcherOf(computerId: string): ComputerWatcher {
		const known = watchers.get(computerId);
		if (known) return known;
		const watcher = createComputerWatcher({
			computerId,
			service,
			database,
			keep,
			fleet,
			registry,
			scheduler,
			clock,
			crowd: () => [...watchers.values()].filter(({isWaiting}) => isWaiting).length,
		});
		watchers.set(computerId, watcher);
		return watcher;
	}

	function open(sessionId: string): () => void {
		const held = followers.get(sessionId);
		if (held) held.holders++;
		else followers.set(sessionId, {follower: follow(sessionId), holders: 1});
		let isHeld = true;
		return () => {
			const entry = followers.get(sessionId);
			if (!isHeld || !entry) return;
			isHeld = false;
			if (--entry.holders > 0) return;
			followers.delete(sessionId);
			owned(entry.follower.close().then(() => sender.turnMoved(sessionId)));
		};
	}

	function follow(sessionId: string): Follower {
		if (!fleet.getState().sessions.has(sessionId)) registry.addSession(sessionId, 'added');
		const follower = createFollower({
			sessionId,
			service,
			database,
			keep,
			fleet,
			registry,
			publisher,
			scheduler,
			clock,
			ownIds: () => ownIds(sessionId),
			onSkipped: count => countSkipped(connection, `messages of ${sessionId}`, count, clock.now()),
			onPolled(items) {
				const roles = new Map(items.flatMap(({id, role}) => (role ? [[id, role] as const] : [])));
				sender.observe(
					sessionId,
					items.map(item => item.message),
					roles,
				);
				sender.turnMoved(sessionId);
				probe.ask(sessionId, false);
			},
		});
		if (sessionId === focused) follower.setFocused(true);
		return follower;
	}

	function ownIds(sessionId: string): ReadonlySet<string> {
		const items = stores.outbox.getState().bySession.get(sessionId) ?? [];
		return new Set(items.flatMap(item => item.messageId ?? []));
	}

	/** Keeps what is ending until it has ended, so that `stop` can wait for it. */
	function owned(end: Promise<void>): void {
		closing.add(end);
		void end.finally(() => closing.delete(end));
	}

	async function listen(): Promise<void> {
		if (hooks === 'off') return;
		const onProblem = (error: Error) => connection.setState({hooks: problemOf(error, clock.now())});
		receiver = await startHookReceiver({...hooks, clock, onEvents: receive, onProblem});
		if (connection.getState().hooks === 'off') connection.setState({hooks: 'listening'});
	}

	function begin(reach: () => Promise<unknown>): void {
		const begun = scheduler.poll(signal =>
			scheduler.request('service', reach, {signal}).then(
				() => undefined,
				// The gate says when: the next one waits there.
				() => 1000,
			),
		);
		begun.now();
	}

	let isLoaded = false;
	function load(): void {
		if (isLoaded) return;
		isLoaded = true;
		registry.load();
		attention.load();
		if (database.problem) connection.setState({storage: {what: database.problem, at: clock.now()}});
	}

	return {
		load,
		async start() {
			load();
			fading.start();
			connection.setState({state: 'quiet'});
			sender.start();
			attendance.start();
			attention.start();
			if (options.reach) begin(options.reach);
			for (const id of fleet.getState().computers.keys()) watcherOf(id).kick();
			await listen();
		},
		async stop() {
			await receiver?.close();
			attendance.stop();
			attention.stop();
			fading.stop();
			for (const {follower} of followers.values()) owned(follower.close());
			for (const watcher of watchers.values()) owned(watcher.close());
			followers.clear();
			watchers.clear();
			// All at once: what waits for its turn is let go by the scheduler alone.
			await Promise.all([sender.stop(), probe.close(), scheduler.stop(), ...closing]);
			publisher.stop();
			feed.stop();
		},
		open,
		watchComputer: computerId => watcherOf(computerId).hold(),
		focus(sessionId) {
			if (sessionId === focused) return;
			if (focused !== undefined) followers.get(focused)?.follower.setFocused(false);
			focused = sessionId;
			if (focused !== undefined) followers.get(focused)?.follower.setFocused(true);
		},
		setTerminalFocused(isFocused) {
			scheduler.setFocused(isFocused);
			if (isFocused) lookForOthers();
		},
		refresh(id) {
			scheduler.tryNow();
			const isOne = id !== undefined;
			for (const [sessionId, {follower}] of followers) {
				if (isOne && sessionId !== id) continue;
				follower.refresh();
				// A probe is a write: none for what the service does not know.
				if (!isOutsideService(fleet.getState().sessions.get(sessionId)))
					probe.ask(sessionId, isOne || sessionId === focused);
			}
			const {computers} = fleet.getState();
			for (const computerId of computers.keys()) {
				if (isOne && computerId === id) watcherOf(computerId).kick('urgent');
				else if (!isOne) watcherOf(computerId).kick();
			}
		},
		loadOlder: async sessionId => followers.get(sessionId)?.follower.loadOlder(),
		loadNewer: sessionId => followers.get(sessionId)?.follower.loadNewer(),
		showMessage: (sessionId, messageId) => followers.get(sessionId)?.follower.showMessage(messageId),
		showNewest: sessionId => followers.get(sessionId)?.follower.showNewest(),
		watchEvents: feed.watch,
		loadOlderEvents: feed.loadOlder,
		fillGap: async (sessionId, gapId) => followers.get(sessionId)?.follower.fillGap(gapId),
		async enqueue(sessionId, draft) {
			const item = await sender.enqueue(sessionId, draft);
			registry.setSubject(sessionId, draft.text);
			return item;
		},
		resend: outboxId => sender.resend(outboxId),
		discard: outboxId => sender.discard(outboxId),
		rememberComputer(computer, origin) {
			registry.addComputer(computer.id, origin);
			watcherOf(computer.id).told(computer);
		},
		addComputer(computerId, origin) {
			registry.addComputer(computerId, origin);
			watcherOf(computerId).kick('urgent');
		},
		restoreComputer(known) {
			registry.restoreComputer(known);
			watcherOf(known.id).kick('urgent');
		},
		rememberSession,
		addSession: registry.addSession,
		markSession: registry.markSession,
		putAside: attention.put,
		bringBack: attention.remove,
		forgetComputer(computerId) {
			const watcher = watchers.get(computerId);
			watchers.delete(computerId);
			if (watcher) owned(watcher.close());
			registry.forgetComputer(computerId);
		},
		forgetSession: registry.forgetSession,
		resume() {
			scheduler.resume();
			sender.resume();
		},
	};
}

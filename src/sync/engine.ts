import {askForService} from '../api/ask-for-service.ts';
import type {UnauthorizedError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {Clock} from '../domain/clock.ts';
import {isStarting, isWatched} from '../domain/known.ts';
import {isDelivered, waitingForTurn} from '../domain/messages/delivery.ts';
import type {TimelineItem} from '../domain/messages/timeline.ts';
import type {Subject} from '../domain/sessions/attention.ts';
import {newestSignalOf} from '../domain/sessions/signal.ts';
import {isAtWork} from '../state/sessions/session-state.ts';
import type {Stores} from '../state/stores.ts';
import {ConnectionReporter} from './core/connection-reporter.ts';
import {isRefusal} from './core/pace.ts';
import {PeerWriteWatcher} from './core/peer-write-watcher.ts';
import type {Poll} from './core/poll.ts';
import {problemOf} from './core/problem.ts';
import {createSafeWrite} from './core/safe-write.ts';
import {type Reachability, Scheduler} from './core/scheduler.ts';
import {StorageMonitor} from './core/storage-monitor.ts';
import type {EngineParts} from './engine-parts.ts';
import {AttentionMarks} from './fleet/attention-marks.ts';
import {ChangeFeed} from './fleet/change-feed.ts';
import {Computers} from './fleet/computers.ts';
import {Registry} from './fleet/registry.ts';
import {Sessions, type SessionsOptions} from './fleet/sessions.ts';
import {expireSignals} from './fleet/signal-expiry.ts';
import type {ProbeMode} from './fleet/status-probe.ts';
import {HookEvents, type HookEventsOptions} from './hooks/hook-inbox.ts';
import {OutboxSender} from './outbox/outbox-sender.ts';

export type EngineOptions = HookEventsOptions & {
	readonly service: Service;
	readonly database: Database;
	readonly stores: Stores;
	readonly clock: Clock;
	/** Name of this process in the outbox leases; unique on the machine. */
	readonly owner: string;
	readonly statusProbe?: ProbeMode;
	/** Whether the service has announced itself as an embedded one. */
	readonly isEmbedded?: () => boolean;
	/** Called after another program has written to the database. */
	readonly onPeerWrites?: () => void;
	/** Called for each computer or session that another program has forgotten, after it left the stores. */
	readonly onForgotten?: (id: string) => void;
	readonly onSnoozeEnd?: (subject: Subject) => void;
	/** Database size in bytes above which cached messages are pruned; without it, nothing is pruned. */
	readonly storageLimit?: number;
	/** Requests per second for everything together; only reads of sessions that nobody has open wait for it. */
	readonly requestsPerSecond?: number;
	/** Returns a number from 0 to 1, for jitter. */
	readonly random?: () => number;
	/** How far the service's clock is ahead of this machine's, ms; if absent, as in the connection store. */
	readonly skew?: () => number | undefined;
	/** Set in a command that only reads sessions: sends no messages, and reads computers only when it is asked to. */
	readonly reading?: Pick<SessionsOptions, 'isWaiting' | 'isWanted' | 'onFailure' | 'onMessages'>;
};

/** Time until the service is asked again, ms. After `blocked`, the circuit breaker decides when that is sent. */
const askAgainAfter = {blocked: 1_000, refused: 15_000} as const;

/** Keeps the stores up to date. Everything is written to disk before it reaches a store. */
export class Engine {
	readonly registry: Registry;
	readonly computers: Computers;
	readonly sessions: Sessions;
	readonly outbox: OutboxSender;
	readonly attention: AttentionMarks;
	readonly hooks: HookEvents;
	readonly storage: StorageMonitor;
	readonly #options: EngineOptions;
	readonly #parts: EngineParts;
	readonly #connectionReporter: ConnectionReporter;
	readonly #peerWriteWatcher: PeerWriteWatcher;
	readonly #changeFeed: ChangeFeed;
	#stopExpiry = () => {};
	readonly #stopWatchingFile: () => void;
	/** The first request, repeated until it is answered. */
	#unanswered: Pick<Poll, 'now'> | undefined;
	#isLoaded = false;
	/** Time of the last successful response, Unix ms. */
	#respondedAt: number | undefined;

	/** Wires the parts together. Starts nothing. */
	constructor(options: EngineOptions) {
		const {database, stores, clock, reading, skew = () => stores.connection.getState().skew} = options;
		this.#connectionReporter = new ConnectionReporter(stores.connection, clock);
		const parts = this.#createParts(options);
		const {registry} = parts;
		this.#options = options;
		this.#parts = parts;
		this.registry = registry;
		this.#peerWriteWatcher = new PeerWriteWatcher(database, clock, () => this.#readPeerWrites());
		this.attention = new AttentionMarks({
			...parts,
			store: stores.attention,
			onSnoozeEnd: subject => options.onSnoozeEnd?.(subject),
		});
		this.computers = new Computers(parts, id => {
			this.attention.remove({kind: 'computer', id});
			this.outbox.reached('computer');
		});
		this.sessions = new Sessions({
			...parts,
			skew,
			statusProbe: options.statusProbe ?? 'auto',
			isEmbedded: options.isEmbedded ?? (() => false),
			onMessages: (sessionId, items) => this.#observe(sessionId, items),
			onClosed: sessionId => this.outbox.turnMoved(sessionId),
			...reading,
		});
		this.#changeFeed = new ChangeFeed({...parts, computers: this.computers, sessions: this.sessions});
		this.outbox = new OutboxSender({
			...parts,
			store: stores.outbox,
			owner: options.owner,
			skew,
			...(options.random && {random: options.random}),
			isAtWork: sessionId => this.#isAtWork(sessionId),
			isTurnWaited: sessionId => this.#isTurnWaited(sessionId),
			isStarting: ({sessionId}) => isStarting(registry.session(sessionId), clock.now()),
			onAccepted: ({sessionId, isBehind = false}, status) => {
				if (status !== undefined) this.sessions.reportStatus(sessionId, status, 'posted');
				this.sessions.posted(sessionId, isBehind);
			},
			onHeld: ({sessionId}, error) => registry.setProblem(sessionId, problemOf(error, clock.now())),
		});
		this.hooks = new HookEvents({
			...parts,
			hooks: options.hooks,
			answers: options.answers,
			onHookUpdate: options.onHookUpdate,
			sessions: this.sessions,
		});
		this.storage = new StorageMonitor({
			...parts,
			limit: options.storageLimit,
			openSessions: () => this.sessions.openIds(),
			watchedSessions: () => [...registry.current().sessions.values()].filter(isWatched).map(({id}) => id),
		});
		this.#stopWatchingFile = database.onChange(() => {
			this.outbox.restore();
			this.storage.reportFile();
		});
	}

	#isAtWork(sessionId: string): boolean {
		const {registry, clock} = this.#parts;
		const {sessions, signals} = registry.current();
		const signal = newestSignalOf(sessionId, signals.values());
		return isAtWork({known: sessions.get(sessionId), signal}, clock.now());
	}

	/** Whether one of our messages waits its turn at the service; false unless the session is open. */
	#isTurnWaited(sessionId: string): boolean {
		const {outbox, streams} = this.#parts.stores;
		const ours = outbox.getState().bySession.get(sessionId) ?? [];
		const entries = streams.getState().open.get(sessionId)?.entries;
		if (!entries || !this.#isAtWork(sessionId)) return false;
		const messages = entries.filter(entry => entry.kind === 'message');
		return waitingForTurn(ours, messages).length > 0;
	}

	/** Whether the service is the embedded one, as far as known. */
	get isEmbedded(): boolean {
		return this.#options.isEmbedded?.() ?? false;
	}

	#createParts(options: EngineOptions): EngineParts {
		const {service, database, stores, clock, requestsPerSecond, random, reading} = options;
		const safeWrite = createSafeWrite(database, stores.connection, clock);
		const registry = new Registry(database, stores.fleet, safeWrite, clock);
		const scheduler = new Scheduler({
			clock,
			random,
			requestsPerSecond,
			onReachability: reachability => {
				this.#connectionReporter.report(reachability);
				this.#sendUnreached(reachability);
				// A 404 alone doesn't tell a session that is gone from a server that isn't the service.
				if (reachability.hasRefused && reachability.okAt === undefined && !reading) this.#checkService();
				if (reachability.isPolling) this.#peerWriteWatcher.checkIfDue();
			},
		});
		return {service, database, stores, clock, safeWrite, scheduler, registry};
	}

	/** Sends what waited for the service, after each of its responses. */
	#sendUnreached({okAt}: Reachability): void {
		if (okAt === undefined || okAt === this.#respondedAt) return;
		this.#respondedAt = okAt;
		this.outbox.reached('service');
	}

	/** Fills the stores from disk with all that the first frame shows. Starts nothing. */
	load(): void {
		if (this.#isLoaded) return;
		this.#isLoaded = true;
		// Must come before the sessions, so that they are sorted only once.
		this.attention.load();
		this.#parts.registry.load();
		this.storage.reportFile();
	}

	/** Starts sending unfinished messages, polling and listening for hook events. Loads first if necessary. */
	async start(): Promise<void> {
		this.load();
		const {stores, clock} = this.#parts;
		const {reading} = this.#options;
		this.#stopExpiry = expireSignals(stores.fleet, clock);
		stores.connection.setState({state: 'quiet'});
		if (reading) this.outbox.load();
		else this.outbox.start();
		this.#peerWriteWatcher.start();
		this.sessions.watcher.start();
		this.attention.start();
		this.storage.start();
		if (!reading) {
			this.computers.refresh();
			if (this.#options.isEmbedded?.()) this.#changeFeed.start();
		}
		await this.hooks.start();
	}

	/** Checks whether the service accepts the key, unless the reads of a computer or session show it anyway. */
	checkKey(): void {
		const {registry} = this.#parts;
		const isReading = registry.current().computers.size > 0 || this.sessions.openIds().length > 0;
		if (!isReading) this.#checkService();
	}

	#checkService(): void {
		if (this.#unanswered) return;
		this.#unanswered = this.#parts.scheduler.poll(signal => this.#askForService(signal));
		this.#unanswered.now();
	}

	/**
	 * Asks the service once; resolves to the ms until it is asked again, if it hasn't answered. While something else
	 * answers, such as another server at that address, its error is the connection's `refusal`.
	 */
	async #askForService(signal: AbortSignal): Promise<number | undefined> {
		const {service, scheduler, clock, stores} = this.#parts;
		const {connection} = stores;
		try {
			await scheduler.request('key', ending => askForService(service, ending), {signal});
		} catch (error) {
			// Any other request may have been answered meanwhile.
			if (connection.getState().okAt === undefined) {
				if (!isRefusal(error)) return askAgainAfter.blocked;
				connection.setState({refusal: problemOf(error, clock.now())});
				return askAgainAfter.refused;
			}
		}
		const {refusal, okAt = clock.now(), ...state} = connection.getState();
		connection.setState({...state, okAt}, true);
		return undefined;
	}

	/** Ends all timers, requests and listeners; resolves when nothing of the engine is running. */
	async stop(): Promise<void> {
		this.#stopWatchingFile();
		this.storage.stop();
		await this.hooks.stop();
		this.#peerWriteWatcher.stop();
		this.attention.stop();
		this.#stopExpiry();
		// In parallel: only the scheduler's stop rejects the requests still in its queue.
		await Promise.all([
			this.#changeFeed.stop(),
			this.sessions.stop(),
			this.computers.stop(),
			this.outbox.stop(),
			this.#parts.scheduler.stop(),
		]);
		this.#connectionReporter.stop();
	}

	/** Call when the service has refused the key of any request: nothing is sent until there is a new one. */
	keyRefused(error: UnauthorizedError): void {
		this.#parts.scheduler.keyRefused(error);
	}

	/** Call after the key changed: lifts the block that a 401 puts on all requests. */
	resume(): void {
		this.#parts.scheduler.resume();
		this.outbox.resume();
	}

	/** Pass false while the terminal is blurred: all polls run four times less often. */
	setTerminalFocused(isFocused: boolean): void {
		this.#parts.scheduler.setFocused(isFocused);
		this.sessions.watcher.setFocused(isFocused);
		if (isFocused) this.#peerWriteWatcher.checkIfDue();
	}

	/** Polls immediately: one session or computer by id, or every known computer and open session. */
	refresh(id?: string): void {
		this.#parts.scheduler.tryNow();
		if (this.#parts.stores.connection.getState().refusal) this.#unanswered?.now();
		this.sessions.refresh(id);
		this.computers.refresh(id);
	}

	/** Looks for our own messages among those read, and sends what waits for the turn's end. */
	#observe(sessionId: string, items: readonly TimelineItem[]): void {
		const messages = items.map(item => item.message);
		const roles = new Map(items.flatMap(({id, role}) => (role ? [[id, role] as const] : [])));
		this.outbox.observe(sessionId, messages, roles);
		this.outbox.turnMoved(sessionId);
	}

	/** Takes over what other programs on this machine have added, changed or forgotten. */
	#readPeerWrites(): void {
		const {registry, stores} = this.#parts;
		// In one update of the store: a message that waits must not look like the running turn.
		const {posted, changes} = registry.together(() => {
			const changes = registry.readPeerWrites();
			const posted = this.outbox.readPeerWrites();
			for (const sessionId of posted) {
				const ours = stores.outbox.getState().bySession.get(sessionId) ?? [];
				if (ours.findLast(isDelivered)?.isBehind) this.sessions.activity.keepTurn(sessionId);
			}
			return {changes, posted};
		});
		if (!this.#options.reading) this.computers.readPeerWrites(changes);
		for (const id of [...changes.forgottenComputers, ...changes.forgottenSessions])
			this.#options.onForgotten?.(id);
		this.attention.load();
		this.hooks.inbox.syncPeers();
		for (const sessionId of posted) this.sessions.posted(sessionId);
		this.#options.onPeerWrites?.();
	}
}

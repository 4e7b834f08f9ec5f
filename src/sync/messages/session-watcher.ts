import {AbortError, ForbiddenError, isServiceError, NotFoundError} from '../../api/errors.ts';
import {isArchived, isOutsideService, type KnownSession, routeOf} from '../../domain/known.ts';
import {quietWork} from '../../domain/sessions/activity.ts';
import {isBusy} from '../../domain/sessions/session-status.ts';
import {isStarting, startingTry} from '../../domain/starting.ts';
import type {WatchReport} from '../../state/connection.ts';
import {nextRetryDelay} from '../core/poll.ts';
import {problemOf} from '../core/problem.ts';
import type {ReadPage} from '../core/read-list.ts';
import type {EngineParts} from '../engine-parts.ts';
import type {ActivityRecorder} from './activity-recorder.ts';
import {windowSize} from './history-reader.ts';
import {hasMessageChanges} from './message-changes.ts';
import {createMessageReader} from './message-reader.ts';
import {MessageWindow} from './message-window.ts';
import {createRoleReader} from './role-reader.ts';

export type SessionWatcherOptions = EngineParts & {
	readonly activity: ActivityRecorder;
	/** Whether the session is open, so that its follower reads it. */
	readonly isOpen: (sessionId: string) => boolean;
	/** Ids that add-message returned in a session. */
	readonly ownIds: (sessionId: string) => ReadonlySet<string>;
};

type Watched = {
	/** When the next read is due, Unix ms, and the delay that led to it. */
	dueAt: number;
	delay: number;
	failures: number;
	/** Reads in a row that left the role of a new message unknown. */
	unresolved: number;
	readAt?: number;
};

/** Sessions read at once: the scheduler lets three background requests run. */
const maxReads = 3;
/** Newest messages looked at. */
const tail = 50;
/** Reads that ask again for roles that are still unknown. */
const maxRoleTries = 3;
/** A session on the screen counts as this many times later than it is. */
const visibleWeight = 4;
const blurFactor = 4;

/** Delay before a session is first read, ms: one that is opened as it is added has a follower by then. */
const firstDelay = 50;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const longestDelay = 5 * minute;

/** Delay until a watched session's next read, ms, by the time since its last activity. */
export function watchDelay(isWorking: boolean, idle: number): number {
	if (isWorking && idle < quietWork) return 5 * second;
	if (idle < 10 * minute) return 15 * second;
	if (idle < hour) return 30 * second;
	return Math.min(longestDelay, 30 * second * 2 ** Math.floor(Math.log2(idle / hour) + 1));
}

/**
 * Reads the newest messages of every known session that nobody has open, the latest first in proportion to its
 * delay, so that none is starved when the request budget is short. Archived sessions and those the service
 * doesn't know are left out.
 */
export class SessionWatcher {
	readonly #options: SessionWatcherOptions;
	readonly #watched = new Map<string, Watched>();
	/** Reads under way, and how to abort each. */
	readonly #reading = new Map<string, {readonly done: Promise<void>; readonly ending: AbortController}>();
	readonly #ending = new AbortController();
	#visible: ReadonlySet<string> = new Set();
	#factor = 1;
	#cancel = () => {};
	#unsubscribe = () => {};

	constructor(options: SessionWatcherOptions) {
		this.#options = options;
	}

	start(): void {
		const {fleet} = this.#options.stores;
		this.#unsubscribe = fleet.subscribe((state, before) => {
			if (state.sessions !== before.sessions) this.#update();
		});
		this.#update();
	}

	/** Ends all reads; resolves when none is left. */
	async stop(): Promise<void> {
		this.#unsubscribe();
		this.#cancel();
		this.#ending.abort();
		for (const {ending} of this.#reading.values()) ending.abort();
		await Promise.all([...this.#reading.values()].map(({done}) => done));
	}

	/** While the terminal is blurred, sessions are read four times less often. */
	setFocused(isFocused: boolean): void {
		const factor = isFocused ? 1 : blurFactor;
		const now = this.#options.clock.now();
		for (const watched of this.#watched.values())
			watched.dueAt = now + Math.max(0, watched.dueAt - now) * (factor / this.#factor);
		this.#factor = factor;
		this.#next();
	}

	/** Sets the sessions on the screen, which are read before others. */
	setVisible(sessionIds: ReadonlySet<string>): void {
		this.#visible = sessionIds;
	}

	/** Leaves a session that is being opened to its follower: two readers would overwrite each other's progress. */
	opened(sessionId: string): void {
		this.#reading.get(sessionId)?.ending.abort();
	}

	/** Watches a session again that nobody has open any longer. */
	closed(sessionId: string): void {
		const known = this.#options.registry.session(sessionId);
		const watched = this.#watched.get(sessionId);
		if (!known || !watched) return;
		this.#wait(watched, this.#delayOf(known));
		this.#next();
	}

	/** Reads a session now, if it is watched. */
	kick(sessionId: string): void {
		const watched = this.#watched.get(sessionId);
		if (!watched) return;
		watched.dueAt = this.#options.clock.now();
		this.#next();
	}

	report(): WatchReport {
		const {clock, scheduler} = this.#options;
		const readTimes = [...this.#watched.values()].map(({readAt}) => readAt ?? Number.NEGATIVE_INFINITY);
		const oldest = clock.now() - Math.min(...readTimes);
		return {
			sessions: this.#watched.size,
			...(Number.isFinite(oldest) && {oldest}),
			perSecond: scheduler.requestsPerSecond,
		};
	}

	/** Takes up sessions that are new, and leaves out those that are gone or archived. */
	#update(): void {
		const {stores, clock} = this.#options;
		const {sessions} = stores.fleet.getState();
		for (const id of this.#watched.keys()) if (!isWatchable(sessions.get(id))) this.#watched.delete(id);
		for (const known of sessions.values()) {
			if (!isWatchable(known)) continue;
			const watched = this.#watched.get(known.id);
			if (!watched)
				this.#watched.set(known.id, {
					dueAt: clock.now() + firstDelay,
					delay: second,
					failures: 0,
					unresolved: 0,
				});
			else this.#hasten(known, watched);
		}
		this.#options.scheduler.setWatching(this.#watched.size > 0);
		this.#next();
	}

	/** Brings the next read of a session that has become active forward. */
	#hasten(known: KnownSession, watched: Watched): void {
		const delay = this.#delayOf(known);
		if (watched.failures > 0 || delay >= watched.delay) return;
		watched.dueAt = Math.min(watched.dueAt, watched.dueAt - watched.delay + delay);
		watched.delay = delay;
	}

	/** Starts the reads that are due, and waits for the next. */
	#next(): void {
		this.#cancel();
		this.#cancel = () => {};
		if (this.#ending.signal.aborted) return;
		const {clock} = this.#options;
		while (this.#reading.size < maxReads) {
			const now = clock.now();
			const first = this.#latest(now);
			if (!first) break;
			const {sessionId, watched} = first;
			const ending = new AbortController();
			const done = this.#read(sessionId, watched, ending.signal).finally(() => {
				this.#reading.delete(sessionId);
				this.#next();
			});
			this.#reading.set(sessionId, {done, ending});
		}
		if (this.#reading.size >= maxReads) return;
		const next = Math.min(...[...this.#candidates()].map(([, {dueAt}]) => dueAt));
		if (Number.isFinite(next))
			this.#cancel = clock.after(Math.max(0, next - clock.now()), () => this.#next());
	}

	/** The session whose read is late by the most of its delays. */
	#latest(now: number): {sessionId: string; watched: Watched} | undefined {
		let latest: {sessionId: string; watched: Watched; late: number} | undefined;
		for (const [sessionId, watched] of this.#candidates()) {
			if (watched.dueAt > now) continue;
			const weight = this.#visible.has(sessionId) ? visibleWeight : 1;
			const late = ((now - watched.dueAt + second) / watched.delay) * weight;
			if (!latest || late > latest.late) latest = {sessionId, watched, late};
		}
		return latest;
	}

	*#candidates(): Generator<readonly [string, Watched]> {
		for (const entry of this.#watched)
			if (!this.#reading.has(entry[0]) && !this.#options.isOpen(entry[0])) yield entry;
	}

	async #read(sessionId: string, watched: Watched, signal: AbortSignal): Promise<void> {
		const {clock, registry} = this.#options;
		try {
			await this.#readMessages(sessionId, watched, signal);
			watched.failures = 0;
			watched.readAt = clock.now();
			registry.setProblem(sessionId, undefined);
		} catch (error) {
			if (error instanceof AbortError) return;
			if (!isServiceError(error)) throw error;
			this.#failed(sessionId, watched, error);
			return;
		}
		const known = registry.session(sessionId);
		if (known) this.#wait(watched, this.#delayOf(known));
	}

	#failed(sessionId: string, watched: Watched, error: unknown): void {
		const {clock, registry} = this.#options;
		const isMissing = error instanceof NotFoundError;
		if (isMissing && isStarting(registry.session(sessionId), clock.now())) {
			this.#wait(watched, startingTry);
			return;
		}
		registry.setProblem(sessionId, problemOf(error, clock.now()));
		const isRefused = isMissing || error instanceof ForbiddenError;
		this.#wait(
			watched,
			isRefused ? longestDelay : Math.max(second, nextRetryDelay(error, watched.failures++)),
		);
	}

	#wait(watched: Watched, delay: number): void {
		watched.delay = delay;
		watched.dueAt = this.#options.clock.now() + delay * this.#factor;
	}

	async #readMessages(sessionId: string, watched: Watched, signal: AbortSignal): Promise<void> {
		const {database, safeWrite, clock, activity, ownIds} = this.#options;
		const messageWindow = new MessageWindow(sessionId, database, safeWrite);
		messageWindow.loadCached(tail);
		const read = this.#pageReader(sessionId, signal);
		const isWorking = this.#isWorking(sessionId);
		const changes = await createMessageReader(messageWindow).poll(read, {
			now: clock.now(),
			isQuiet: !isWorking,
			isActive: isWorking,
			onWalk: () => messageWindow.trim(windowSize),
		});
		const isChanged = hasMessageChanges(changes);
		const unknown = messageWindow.timeline
			.items()
			.slice(-tail)
			.filter(({role}) => role === undefined);
		if (unknown.length > 0 && (isChanged || watched.unresolved < maxRoleTries)) {
			const roles = createRoleReader({messageWindow, clock, ownIds: () => ownIds(sessionId)});
			await roles.resolve(read, unknown, {kind: isChanged ? 'newest' : 'change', isAtWork: isWorking});
			const isResolved = messageWindow.timeline.items().at(-1)?.role !== undefined;
			watched.unresolved = isResolved ? 0 : watched.unresolved + 1;
		}
		activity.record(sessionId, {
			messages: messageWindow.timeline.items().slice(-tail),
			isWhole: !messageWindow.hasOlder && messageWindow.timeline.items().length <= tail,
			isChanged,
		});
	}

	#pageReader(sessionId: string, signal: AbortSignal): ReadPage {
		const {scheduler, service, registry} = this.#options;
		return query => {
			const computerId = routeOf(registry.session(sessionId));
			return scheduler.request(
				`session:${sessionId}`,
				stop =>
					service.messages.list(
						sessionId,
						{...query, ...(computerId !== undefined && {computerId})},
						{signal: stop},
					),
				{signal, priority: 'watch'},
			);
		};
	}

	#isWorking(sessionId: string): boolean {
		const known = this.#options.registry.session(sessionId);
		return isBusy(known?.status) || known?.activity?.state === 'working';
	}

	#delayOf(known: KnownSession): number {
		const now = this.#options.clock.now();
		const activeAt = Math.max(
			known.activity?.changedAt ?? 0,
			known.session?.updatedAt ?? 0,
			busySince(known),
		);
		return watchDelay(this.#isWorking(known.id), now - activeAt);
	}
}

/** When a status said that the session is at work, Unix ms. */
function busySince({status}: KnownSession): number {
	return status && isBusy(status) ? status.at : 0;
}

function isWatchable(known: KnownSession | undefined): known is KnownSession {
	return known !== undefined && !isArchived(known) && !isOutsideService(known);
}

import {
	AbortError,
	ForbiddenError,
	isServiceError,
	NotFoundError,
	type ServiceError,
} from '../../api/errors.ts';
import {isStorageError} from '../../db/file/storage-error.ts';
import {exponentialDelay} from '../../domain/backoff.ts';
import {isStarting, isWatched, type KnownSession, startingRetryDelay} from '../../domain/known.ts';
import {lowest} from '../../domain/large-arrays.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {quietWork} from '../../domain/sessions/activity.ts';
import {isBusy} from '../../domain/sessions/session.ts';
import type {WatchReport} from '../../state/connection.ts';
import type {Fleet} from '../../state/fleet.ts';
import {isConnectionError} from '../core/pace.ts';
import {followUps, maxWatchDelay, nextPollDelay, nextRetryDelay, watchDelay} from '../core/poll.ts';
import {problemOf} from '../core/problem.ts';
import {type NewestReaderOptions, readNewest} from './newest-reader.ts';
import {createRoleProgress} from './role-reader.ts';
import type {ThreadProgress} from './thread.ts';
import {TitleReader} from './title-reader.ts';

export type SessionWatcherOptions = NewestReaderOptions & {
	/** Called after each successful read with the session's newest messages. */
	readonly onRead: (sessionId: string, items: readonly TimelineItem[]) => void;
	/** Called after each read that failed, unless the session may not have been started yet. */
	readonly onFailure?: (sessionId: string, error: ServiceError) => void;
	/** Which sessions to watch, instead of those of the service that aren't archived. */
	readonly isWanted?: (known: KnownSession) => boolean;
};

type Watched = {
	/** When the next read is due, Unix ms, and the delay that led to it. */
	dueAt: number;
	delay: number;
	failures: number;
	/** When the service last answered, even with 403 or 404, Unix ms. */
	answeredAt?: number;
	/** When the service last accepted one of our messages, Unix ms, and how often its answer was looked for. */
	posted?: {readonly at: number; reads: number};
	/** It was kicked during a read, which may miss what the kick was about: the next follows at once. */
	isKicked: boolean;
	readonly progress: ThreadProgress;
};

/** Sessions read at once: the scheduler lets three background requests run. */
const maxReads = 3;
/** A session on the screen counts as this many times more overdue than it is. */
const visibleWeight = 4;
const blurFactor = 4;
const fedFactor = 8;

/** Delay before a session is first read, ms: by then, one that is added and opened has a follower. */
const firstDelay = 50;

const second = 1_000;

/**
 * Reads the newest messages of every known session that nobody has open, except archived ones and those that the
 * service doesn't know. The session that is the most overdue, measured in its own delays, comes first, so that all get
 * their turn when the request budget is small.
 */
export class SessionWatcher {
	readonly #options: SessionWatcherOptions;
	readonly #titles: TitleReader;
	readonly #watched = new Map<string, Watched>();
	/** Reads under way, and how to abort each. */
	readonly #reading = new Map<string, {readonly done: Promise<void>; readonly ending: AbortController}>();
	readonly #ending = new AbortController();
	/** Sessions that their followers read. */
	readonly #open = new Set<string>();
	/** The sessions that each list on the screen shows. */
	readonly #visible = new Map<string, ReadonlySet<string>>();
	#isFocused = true;
	#isFed = false;
	#factor = 1;
	#cancel = () => {};
	#unsubscribe = () => {};

	constructor(options: SessionWatcherOptions) {
		this.#options = options;
		this.#titles = new TitleReader(options, () => this.#startReads());
	}

	start(): void {
		const {fleet} = this.#options.stores;
		this.#unsubscribe = fleet.subscribe((state, before) => {
			if (state.sessions !== before.sessions) this.#update(before.sessions);
			else if (state.computers !== before.computers) this.#startReads();
		});
		this.#update(new Map());
	}

	/** Ends all reads; resolves when none is left. */
	async stop(): Promise<void> {
		this.#unsubscribe();
		this.#cancel();
		this.#ending.abort();
		for (const {ending} of this.#reading.values()) ending.abort();
		await Promise.all([...[...this.#reading.values()].map(({done}) => done), this.#titles.stop()]);
	}

	/** While the terminal is blurred, sessions are read four times less often. */
	setFocused(isFocused: boolean): void {
		this.#isFocused = isFocused;
		this.#setFactor();
	}

	/** While the service tells what changes, sessions are read eight times less often. */
	setFed(isFed: boolean): void {
		if (isFed === this.#isFed) return;
		this.#isFed = isFed;
		this.#setFactor();
	}

	#setFactor(): void {
		const factor = (this.#isFocused ? 1 : blurFactor) * (this.#isFed ? fedFactor : 1);
		const now = this.#options.clock.now();
		for (const watched of this.#watched.values())
			watched.dueAt = now + Math.max(0, watched.dueAt - now) * (factor / this.#factor);
		this.#factor = factor;
		this.#startReads();
	}

	/** Sets the sessions that a list on the screen shows, which are read before others. */
	setVisible(list: string, sessionIds: readonly string[]): void {
		this.#visible.set(list, new Set(sessionIds));
	}

	/** Stops reading a session that is being opened: two readers would overwrite each other's progress. */
	opened(sessionId: string): void {
		this.#open.add(sessionId);
		const watched = this.#watched.get(sessionId);
		if (watched) watched.progress.unfinished = undefined;
		this.#reading.get(sessionId)?.ending.abort();
	}

	/** Watches a session again that nobody has open anymore. */
	closed(sessionId: string): void {
		this.#open.delete(sessionId);
		const known = this.#options.registry.session(sessionId);
		const watched = this.#watched.get(sessionId);
		if (!known || !watched) return;
		this.#wait(watched, this.#nextDelay(known, watched));
		this.#startReads();
	}

	/** Reads a session next, and then as often as an open one until its agent has answered our message. */
	posted(sessionId: string): void {
		const watched = this.#watched.get(sessionId);
		if (watched) watched.posted = {at: this.#options.clock.now(), reads: 0};
		this.kick(sessionId);
	}

	/** Reads a session next, if it is watched. */
	kick(sessionId: string): void {
		const watched = this.#watched.get(sessionId);
		if (watched) {
			watched.isKicked = this.#reading.has(sessionId);
			watched.delay = second;
			watched.dueAt = this.#options.clock.now();
		}
		this.#startReads();
	}

	report(): WatchReport {
		const {clock, scheduler} = this.#options;
		const watched = [...this.#watched].filter(([id]) => !this.#open.has(id));
		const answered = watched.map(([, {answeredAt = Number.NEGATIVE_INFINITY}]) => answeredAt);
		const oldest = clock.now() - lowest(answered);
		return {
			sessions: watched.length,
			oldest: Number.isFinite(oldest) ? oldest : undefined,
			perSecond: scheduler.requestsPerSecond,
		};
	}

	/** Starts watching new sessions, and stops watching those that were forgotten or archived. */
	#update(before: Fleet['sessions']): void {
		const {stores, isWanted = isWatched} = this.#options;
		const {sessions} = stores.fleet.getState();
		for (const id of this.#watched.keys()) if (!sessions.has(id)) this.#unwatch(id);
		for (const known of sessions.values()) {
			if (known === before.get(known.id)) continue;
			const {id} = known;
			const watched = this.#watched.get(id);
			if (!isWanted(known)) {
				this.#unwatch(id);
				continue;
			}
			if (watched) this.#hasten(known, watched);
			else this.#watched.set(id, this.#firstRead(known));
			this.#titles.update(known);
		}
		this.#startReads();
	}

	/** Sessions whose activity is unknown are read before others. */
	#firstRead(known: KnownSession): Watched {
		const delay = known.activity ? this.#delayOf(known) : second;
		const dueAt = this.#options.clock.now() + firstDelay;
		return {dueAt, delay, failures: 0, isKicked: false, progress: {roles: createRoleProgress()}};
	}

	#unwatch(sessionId: string): void {
		this.#watched.delete(sessionId);
		this.#titles.remove(sessionId);
		this.#reading.get(sessionId)?.ending.abort();
	}

	/** Brings the next read of a session that has become active forward. */
	#hasten(known: KnownSession, watched: Watched): void {
		const delay = this.#delayOf(known);
		if (watched.failures > 0 || delay >= watched.delay) return;
		watched.dueAt -= (watched.delay - delay) * this.#factor;
		watched.delay = delay;
	}

	/** Starts the reads that are due, and waits for the next. */
	#startReads(): void {
		this.#cancel();
		this.#cancel = () => {};
		if (this.#ending.signal.aborted) return;
		const {clock} = this.#options;
		while (this.#reading.size < maxReads) {
			const now = clock.now();
			const first = this.#mostOverdue(now);
			if (!first) break;
			const {sessionId, watched} = first;
			const ending = new AbortController();
			const done = this.#read(sessionId, watched, ending.signal).finally(() => {
				this.#reading.delete(sessionId);
				if (watched.isKicked) this.kick(sessionId);
				else this.#startReads();
			});
			this.#reading.set(sessionId, {done, ending});
		}
		if (this.#reading.size >= maxReads) return;
		// While no read is due.
		this.#titles.next();
		const next = lowest([...this.#candidates()].map(([, {dueAt}]) => dueAt));
		this.#options.scheduler.setWatching(Number.isFinite(next) || this.#reading.size > 0);
		if (Number.isFinite(next))
			this.#cancel = clock.after(Math.max(0, next - clock.now()), () => this.#startReads());
	}

	/** Returns the session whose read is the most overdue, measured in its own delays. */
	#mostOverdue(now: number): {sessionId: string; watched: Watched} | undefined {
		const shown = [...this.#visible.values()];
		let first: {sessionId: string; watched: Watched; lateness: number} | undefined;
		for (const [sessionId, watched] of this.#candidates()) {
			if (watched.dueAt > now) continue;
			const weight = shown.some(ids => ids.has(sessionId)) ? visibleWeight : 1;
			const lateness = ((now - watched.dueAt + second) / watched.delay) * weight;
			if (!first || lateness > first.lateness) first = {sessionId, watched, lateness};
		}
		return first;
	}

	/** Sessions that may be read now: those of a lost machine would only take the requests of others. */
	*#candidates(): Generator<readonly [string, Watched]> {
		const {computers} = this.#options.registry.current();
		const lost = new Set<string | undefined>();
		for (const {id, computer} of computers.values())
			if (computer?.unreachableSince !== undefined) lost.add(id);
		const isLost = (id: string) => {
			if (lost.size === 0) return false;
			const {computerId, session} = this.#options.registry.session(id) ?? {};
			return lost.has(computerId ?? session?.computerId);
		};
		for (const entry of this.#watched)
			if (!this.#reading.has(entry[0]) && !this.#open.has(entry[0]) && !isLost(entry[0])) yield entry;
	}

	async #read(sessionId: string, watched: Watched, signal: AbortSignal): Promise<void> {
		const {clock, registry} = this.#options;
		try {
			const isFirst = watched.answeredAt === undefined;
			const messages = await readNewest(this.#options, sessionId, watched.progress, {isFirst, signal});
			this.#options.onRead(sessionId, messages);
			watched.failures = 0;
			watched.answeredAt = clock.now();
			registry.setProblem(sessionId, undefined);
		} catch (error) {
			if (error instanceof AbortError) return;
			if (isServiceError(error)) this.#failed(sessionId, watched, error);
			// The cache can't be read now; failing writes are reported elsewhere.
			else if (isStorageError(error)) this.#wait(watched, exponentialDelay(watched.failures++));
			else throw error;
			return;
		}
		const known = registry.session(sessionId);
		if (known) this.#wait(watched, this.#nextDelay(known, watched));
	}

	#failed(sessionId: string, watched: Watched, error: ServiceError): void {
		const {clock, registry} = this.#options;
		const isMissing = error instanceof NotFoundError;
		if (
			isMissing &&
			watched.answeredAt === undefined &&
			isStarting(registry.session(sessionId), clock.now())
		) {
			this.#wait(watched, startingRetryDelay);
			return;
		}
		this.#options.onFailure?.(sessionId, error);
		if (!isConnectionError(error)) registry.setProblem(sessionId, problemOf(error, clock.now()));
		if (isMissing || error instanceof ForbiddenError) {
			watched.answeredAt = clock.now();
			this.#wait(watched, maxWatchDelay);
		} else this.#wait(watched, Math.max(second, nextRetryDelay(error, watched.failures++)));
	}

	#wait(watched: Watched, delay: number): void {
		watched.delay = delay;
		watched.dueAt = this.#options.clock.now() + delay * this.#factor;
	}

	#nextDelay(known: KnownSession, {posted}: Watched): number {
		const delay = this.#delayOf(known);
		if (!posted || this.#isAnswered(known, posted.at)) return delay;
		const index = posted.reads++;
		return Math.min(delay, followUps[index] ?? nextPollDelay(true, true, index - followUps.length));
	}

	/** Whether the turn that our message started is over, by its messages, or takes so long that nobody waits for it. */
	#isAnswered({activity}: KnownSession, postedAt: number): boolean {
		if (this.#options.clock.now() - postedAt > quietWork) return true;
		return activity !== undefined && activity.state !== 'working' && activity.changedAt >= postedAt;
	}

	#delayOf(known: KnownSession): number {
		const now = this.#options.clock.now();
		const activeAt = Math.max(
			known.activity?.changedAt ?? 0,
			known.session?.updatedAt ?? 0,
			busySince(known),
		);
		// A clock that was set back doesn't make all sessions active.
		return watchDelay(this.#options.isAtWork(known.id), Math.abs(now - (activeAt || known.addedAt)));
	}
}

/** When a status said that the session is at work, Unix ms. */
function busySince({status}: KnownSession): number {
	return status && isBusy(status) ? status.at : 0;
}

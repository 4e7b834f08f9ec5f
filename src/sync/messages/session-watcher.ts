import {
	AbortError,
	ForbiddenError,
	isServiceError,
	NotFoundError,
	RateLimitedError,
	type ServiceError,
	UnauthorizedError,
	UnreachableError,
} from '../../api/errors.ts';
import {isStorageError} from '../../db/storage-error.ts';
import {doubled} from '../../domain/backoff.ts';
import {isWatched, type KnownSession, routeOf} from '../../domain/known.ts';
import {createMissingMessages, type MissingMessages} from '../../domain/messages/missing-messages.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {quietWork} from '../../domain/sessions/activity.ts';
import {isAtWork, isBusy} from '../../domain/sessions/session-status.ts';
import {isStarting, startingTry} from '../../domain/starting.ts';
import type {WatchReport} from '../../state/connection.ts';
import type {Fleet} from '../../state/fleet.ts';
import {nextRetryDelay} from '../core/poll.ts';
import {problemOf} from '../core/problem.ts';
import type {ReadPage} from '../core/read-list.ts';
import type {EngineParts} from '../engine-parts.ts';
import type {ActivityRecorder} from './activity-recorder.ts';
import {readFirstWords} from './first-words.ts';
import {windowSize} from './history-reader.ts';
import {createMessageChanges, type MessageChanges} from './message-changes.ts';
import {createMessageReader} from './message-reader.ts';
import {MessageWindow} from './message-window.ts';
import {createRoleReader} from './role-reader.ts';

export type SessionWatcherOptions = EngineParts & {
	readonly activity: ActivityRecorder;
	/** Ids that add-message returned in a session. */
	readonly ownIds: (sessionId: string) => ReadonlySet<string>;
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
	/** Times in a row that roles were asked for in vain, and when they are next, Unix ms. */
	roleTries: number;
	rolesDueAt: number;
	/** When the service last answered, Unix ms, if only that it doesn't know the session. */
	answeredAt?: number;
	/** Messages missing from the last read, if any: only the next reads tell whether they are gone. */
	missingMessages?: MissingMessages | undefined;
	/** Changes found by a read that failed halfway. */
	unfinished?: MessageChanges | undefined;
	/** Times that its first words were looked for in vain, and when they may be next, Unix ms. */
	titleTries: number;
	titleDueAt: number;
};

/** Sessions read at once: the scheduler lets three background requests run. */
const maxReads = 3;
/** Newest messages looked at. */
const tail = 50;
/** Pages of a first walk per read: the next read continues it, after others had their turn. */
const maxPages = 20;
/** Times that roles are asked for in vain: their listings may lag by a minute. */
const maxRoleTries = 6;
const roleWaits = {first: 5_000, max: 60_000};
/** Times that a session's first words are looked for, and the least time between, ms. */
const maxTitleTries = 3;
const titleWait = 60_000;
/** A session on the screen counts as this many times later than it is. */
const visibleWeight = 4;
const blurFactor = 4;

/** Delay before a session is first read, ms: one that is opened as it is added has a follower by then. */
const firstDelay = 50;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const longestDelay = 5 * minute;
/** Delay of a walk that is to be continued, ms. */
const pause = 5 * second;

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
	/** Sessions that their followers read. */
	readonly #open = new Set<string>();
	/** Sessions whose first words are to be found, and the one whose are being read. */
	readonly #untitled = new Set<string>();
	#titleRead:
		| {readonly done: Promise<void>; readonly ending: AbortController; readonly id: string}
		| undefined;
	/** The sessions that each list on the screen shows. */
	readonly #visible = new Map<string, ReadonlySet<string>>();
	#factor = 1;
	#cancel = () => {};
	#unsubscribe = () => {};

	constructor(options: SessionWatcherOptions) {
		this.#options = options;
	}

	start(): void {
		const {fleet} = this.#options.stores;
		this.#unsubscribe = fleet.subscribe((state, before) => {
			if (state.sessions !== before.sessions) this.#update(before.sessions);
		});
		this.#update(new Map());
	}

	/** Ends all reads; resolves when none is left. */
	async stop(): Promise<void> {
		this.#unsubscribe();
		this.#cancel();
		this.#ending.abort();
		for (const {ending} of this.#reading.values()) ending.abort();
		this.#titleRead?.ending.abort();
		await Promise.all([...this.#reading.values()].map(({done}) => done));
		await this.#titleRead?.done;
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

	/** Sets the sessions that a list on the screen shows, which are read before others. */
	setVisible(list: string, sessionIds: readonly string[]): void {
		this.#visible.set(list, new Set(sessionIds));
	}

	/** Leaves a session that is being opened to its follower: two readers would overwrite each other's progress. */
	opened(sessionId: string): void {
		this.#open.add(sessionId);
		const watched = this.#watched.get(sessionId);
		if (watched) {
			watched.missingMessages = undefined;
			watched.unfinished = undefined;
		}
		this.#reading.get(sessionId)?.ending.abort();
	}

	/** Watches a session again that nobody has open any longer. */
	closed(sessionId: string): void {
		this.#open.delete(sessionId);
		const known = this.#options.registry.session(sessionId);
		const watched = this.#watched.get(sessionId);
		if (!known || !watched) return;
		this.#wait(watched, this.#delayOf(known));
		this.#next();
	}

	/** Reads a session next, if it is watched. */
	kick(sessionId: string): void {
		const watched = this.#watched.get(sessionId);
		if (!watched) return;
		watched.delay = second;
		watched.dueAt = this.#options.clock.now();
		this.#next();
	}

	report(): WatchReport {
		const {clock, scheduler} = this.#options;
		const watched = [...this.#watched].filter(([id]) => !this.#open.has(id));
		const answered = watched.map(([, {answeredAt = Number.NEGATIVE_INFINITY}]) => answeredAt);
		const oldest = clock.now() - Math.min(...answered);
		return {
			sessions: watched.length,
			...(Number.isFinite(oldest) && {oldest}),
			perSecond: scheduler.requestsPerSecond,
		};
	}

	/** Takes up sessions that are new, and leaves out those that are gone or archived. */
	#update(before: Fleet['sessions']): void {
		const {stores, isWanted = isWatched} = this.#options;
		const {sessions} = stores.fleet.getState();
		for (const id of this.#watched.keys()) if (!sessions.has(id)) this.#leave(id);
		for (const known of sessions.values()) {
			if (known === before.get(known.id)) continue;
			const {id} = known;
			const watched = this.#watched.get(id);
			if (!isWanted(known)) this.#leave(id);
			else if (watched) this.#hasten(known, watched);
			else this.#watched.set(id, this.#firstRead(known));
			if (isWanted(known) && isUntitled(known)) this.#untitled.add(id);
			else this.#untitled.delete(id);
		}
		this.#options.scheduler.setWatching(this.#watched.size > 0);
		this.#next();
	}

	/** A session of which nothing is known is read before those that are. */
	#firstRead(known: KnownSession): Watched {
		const delay = known.activity ? this.#delayOf(known) : second;
		const dueAt = this.#options.clock.now() + firstDelay;
		return {dueAt, delay, failures: 0, roleTries: 0, rolesDueAt: 0, titleTries: 0, titleDueAt: 0};
	}

	#leave(sessionId: string): void {
		this.#watched.delete(sessionId);
		this.#untitled.delete(sessionId);
		this.#reading.get(sessionId)?.ending.abort();
		if (this.#titleRead?.id === sessionId) this.#titleRead.ending.abort();
	}

	/** Brings the next read of a session that has become active forward. */
	#hasten(known: KnownSession, watched: Watched): void {
		const delay = this.#delayOf(known);
		if (watched.failures > 0 || delay >= watched.delay) return;
		watched.dueAt -= (watched.delay - delay) * this.#factor;
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
		this.#nextTitle();
		const next = Math.min(...[...this.#candidates()].map(([, {dueAt}]) => dueAt));
		if (Number.isFinite(next))
			this.#cancel = clock.after(Math.max(0, next - clock.now()), () => this.#next());
	}

	/** Looks for the first words of a session while no read is due, one session at a time. */
	#nextTitle(): void {
		if (this.#titleRead) return;
		const now = this.#options.clock.now();
		const id = [...this.#untitled].find(id => {
			const {titleTries = maxTitleTries, titleDueAt = 0} = this.#watched.get(id) ?? {};
			return titleTries < maxTitleTries && titleDueAt <= now;
		});
		const watched = id !== undefined && this.#watched.get(id);
		if (!watched) return;
		watched.titleDueAt = now + titleWait;
		watched.titleTries++;
		const ending = new AbortController();
		const done = this.#readTitle(id, ending.signal).finally(() => {
			this.#titleRead = undefined;
			this.#next();
		});
		this.#titleRead = {done, ending, id};
	}

	/** Finds the first words of a session of which the newest messages are known. */
	async #readTitle(sessionId: string, signal: AbortSignal): Promise<void> {
		const {registry, database} = this.#options;
		try {
			const {pages, inside} = database.messages.listing(sessionId);
			const newest = database.messages.tail(sessionId, tail);
			const read = this.#pageReader(sessionId, signal);
			const title = await readFirstWords(read, {pages, inside, newest});
			const activity = registry.session(sessionId)?.activity;
			if (!activity || activity.title !== undefined || title === 'unknown') return;
			registry.setActivity(sessionId, {...activity, ...(title ? {title: title.words} : {isUntitled: true})});
		} catch (error) {
			// Tried again later, a few times.
			if (!(error instanceof AbortError) && !isServiceError(error) && !isStorageError(error)) throw error;
		}
	}

	/** The session whose read is late by the most of its delays. */
	#latest(now: number): {sessionId: string; watched: Watched} | undefined {
		const shown = [...this.#visible.values()];
		let latest: {sessionId: string; watched: Watched; late: number} | undefined;
		for (const [sessionId, watched] of this.#candidates()) {
			if (watched.dueAt > now) continue;
			const weight = shown.some(ids => ids.has(sessionId)) ? visibleWeight : 1;
			const late = ((now - watched.dueAt + second) / watched.delay) * weight;
			if (!latest || late > latest.late) latest = {sessionId, watched, late};
		}
		return latest;
	}

	*#candidates(): Generator<readonly [string, Watched]> {
		for (const entry of this.#watched)
			if (!this.#reading.has(entry[0]) && !this.#open.has(entry[0])) yield entry;
	}

	async #read(sessionId: string, watched: Watched, signal: AbortSignal): Promise<void> {
		const {clock, registry} = this.#options;
		try {
			await this.#readMessages(sessionId, watched, signal);
			watched.failures = 0;
			watched.answeredAt = clock.now();
			registry.setProblem(sessionId, undefined);
		} catch (error) {
			if (error instanceof PausedWalk) {
				watched.unfinished = undefined;
				this.#wait(watched, pause);
			} else if (error instanceof AbortError) return;
			else if (isServiceError(error)) this.#failed(sessionId, watched, error);
			// What is kept can't be read at present: a write that fails says so on the screen.
			else if (isStorageError(error)) this.#wait(watched, doubled(watched.failures++));
			else throw error;
			return;
		}
		const known = registry.session(sessionId);
		if (known) this.#wait(watched, this.#delayOf(known));
	}

	#failed(sessionId: string, watched: Watched, error: ServiceError): void {
		const {clock, registry} = this.#options;
		const isMissing = error instanceof NotFoundError;
		if (
			isMissing &&
			watched.answeredAt === undefined &&
			isStarting(registry.session(sessionId), clock.now())
		) {
			this.#wait(watched, startingTry);
			return;
		}
		this.#options.onFailure?.(sessionId, error);
		if (!isOfConnection(error)) registry.setProblem(sessionId, problemOf(error, clock.now()));
		if (isMissing || error instanceof ForbiddenError) {
			watched.answeredAt = clock.now();
			this.#wait(watched, longestDelay);
		} else this.#wait(watched, Math.max(second, nextRetryDelay(error, watched.failures++)));
	}

	#wait(watched: Watched, delay: number): void {
		watched.delay = delay;
		watched.dueAt = this.#options.clock.now() + delay * this.#factor;
	}

	async #readMessages(sessionId: string, watched: Watched, signal: AbortSignal): Promise<void> {
		const {database, safeWrite, clock, activity, registry, onRead} = this.#options;
		const {missingMessages = createMissingMessages(), unfinished = createMessageChanges()} = watched;
		watched.unfinished = unfinished;
		const startedFrom = {activity: registry.refreshedSession(sessionId)?.activity};
		const messageWindow = new MessageWindow(sessionId, database, safeWrite, missingMessages);
		messageWindow.loadCached(tail);
		const read = this.#pageReader(sessionId, signal);
		const isWorking = this.#isWorking(sessionId);
		const changes = await createMessageReader(messageWindow, unfinished).poll(read, {
			now: clock.now(),
			isQuiet: !isWorking,
			isActive: isWorking,
			onWalk: () => messageWindow.trim(windowSize),
		});
		watched.missingMessages = missingMessages.isWaiting ? missingMessages : undefined;
		await this.#readRoles(sessionId, watched, {read, messageWindow, added: changes.added, isWorking});
		const items = messageWindow.timeline.items();
		const messages = items.slice(-tail);
		const isWhole = !messageWindow.hasOlder && items.length <= tail;
		activity.record(sessionId, {
			messages,
			isWhole,
			changed: new Set([...changes.added, ...changes.changed]),
			startedFrom,
		});
		watched.unfinished = undefined;
		onRead(sessionId, messages);
	}

	/** Asks who wrote messages that are new, and later, less and less often, about those that are still unknown. */
	async #readRoles(
		sessionId: string,
		watched: Watched,
		{
			read,
			messageWindow,
			added,
			isWorking,
		}: {
			readonly read: ReadPage;
			readonly messageWindow: MessageWindow;
			readonly added: ReadonlySet<string>;
			readonly isWorking: boolean;
		},
	): Promise<void> {
		const {clock, ownIds} = this.#options;
		const unknownOnes = () =>
			messageWindow.timeline
				.items()
				.slice(-tail)
				.filter(({role}) => role === undefined);
		const unknown = unknownOnes();
		const isNew = unknown.some(({id}) => added.has(id));
		const isDue = watched.roleTries < maxRoleTries && clock.now() >= watched.rolesDueAt;
		if (unknown.length === 0 || !(isNew || isDue)) return;
		const kind = watched.answeredAt === undefined ? 'newest' : 'change';
		const roles = createRoleReader({messageWindow, clock, ownIds: () => ownIds(sessionId)});
		await roles.resolve(read, unknown, {kind, isAtWork: isWorking});
		const isVain = unknownOnes().length === unknown.length;
		watched.rolesDueAt = clock.now() + doubled(isNew ? 0 : watched.roleTries, roleWaits);
		watched.roleTries = isVain && !isNew ? watched.roleTries + 1 : 0;
	}

	#pageReader(sessionId: string, signal: AbortSignal): ReadPage {
		const {scheduler, service, registry} = this.#options;
		let pages = 0;
		return async query => {
			if (query.role === undefined && ++pages > maxPages) throw new PausedWalk();
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
		return isAtWork(known?.status, {}, this.#options.clock.now()) || known?.activity?.state === 'working';
	}

	#delayOf(known: KnownSession): number {
		const now = this.#options.clock.now();
		const activeAt = Math.max(
			known.activity?.changedAt ?? 0,
			known.session?.updatedAt ?? 0,
			busySince(known),
		);
		// A clock that was set back doesn't make all sessions active.
		return watchDelay(this.#isWorking(known.id), Math.abs(now - (activeAt || known.addedAt)));
	}
}

/** Ends a read before its walk is over. */
class PausedWalk extends Error {
	override readonly name = 'PausedWalk';
}

/** Whether an error concerns all requests, and is shown as the state of the connection. */
function isOfConnection(error: unknown): boolean {
	return [RateLimitedError, UnauthorizedError, UnreachableError].some(kind => error instanceof kind);
}

/** When a status said that the session is at work, Unix ms. */
function busySince({status}: KnownSession): number {
	return status && isBusy(status) ? status.at : 0;
}

/** Whether a session's first words would name it, and are still to be found. */
function isUntitled({name, session, activity}: KnownSession): boolean {
	return !name && !session?.title && activity?.title === undefined && activity?.isUntitled === false;
}

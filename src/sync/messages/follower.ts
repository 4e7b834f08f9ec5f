import {AbortError, ForbiddenError, isServiceError, NotFoundError} from '../../api/errors.ts';
import {waitWithTimeout} from '../../domain/clock.ts';
import {
	isArchived,
	isOutsideService,
	isStarting,
	type KnownSession,
	startingRetryDelay,
} from '../../domain/known.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {log} from '../../log/log.ts';
import {countSkipped} from '../../state/connection.ts';
import {removeStream, type Stream, type StreamPhase} from '../../state/stream.ts';
import {followUps, nextPollDelay, nextRetryDelay, type Poll} from '../core/poll.ts';
import {problemOf} from '../core/problem.ts';
import type {Priority} from '../core/scheduler.ts';
import type {EngineParts} from '../engine-parts.ts';
import type {ActivityReading} from './activity-recorder.ts';
import {createHistoryReader, type HistoryReader, windowSize} from './history-reader.ts';
import {createPageReader, type ReadPage} from './listing.ts';
import {
	addMessageChanges,
	createMessageChanges,
	hasMessageChanges,
	type MessageChanges,
} from './message-window.ts';
import {Thread} from './thread.ts';

type FollowerOptions = EngineParts & {
	readonly sessionId: string;
	/** Whether the session's turn may be going on. */
	readonly isAtWork: () => boolean;
	/** Called after each successful poll; `items` are the newest messages and those that it added or changed. */
	readonly onPolled: (reading: ActivityReading, items: readonly TimelineItem[]) => void;
};

/** The roles of this many newest messages are resolved first. */
const resolvedFirst = 100;
/** Maximum time that messages wait for their roles before they are shown, ms: on opening, and later. */
const firstRoleTimeout = 1_500;
const changeRoleTimeout = 300;

/** Keeps the stream of one open session up to date. */
export class Follower {
	readonly #options: FollowerOptions;
	readonly #sessionId: string;
	readonly #thread: Thread;
	readonly #history: HistoryReader;
	readonly #poll: Poll;
	readonly #ending = new AbortController();
	#shown: Stream | undefined;
	#phase: StreamPhase = {name: 'loading'};
	/** When the last successful poll ended, Unix ms. */
	#readAt: number | undefined;
	#isFocused = false;
	#isUrgent = true;
	/** Whether the user asked for a poll: one is made even if the service doesn't know the session. */
	#isRequested = false;
	/** Number of newest messages to read again, and what that found since the last poll. */
	#rereadCount = 0;
	#unreported = createMessageChanges();
	/** Whether the service has sent messages that can't be read. */
	#hasUnreadable = false;
	/** Number of polls in a row that found nothing, and that failed. */
	#quietPolls = 0;
	#failures = 0;
	/** Delays of the next polls, ms, while they come in quick succession. */
	#quickDelays: readonly number[] = [];
	#loadingOlder: Promise<void> | undefined;
	#readingRest: Promise<void> | undefined;

	constructor(options: FollowerOptions) {
		const {sessionId, scheduler, clock} = options;
		this.#options = options;
		this.#sessionId = sessionId;
		const thread = new Thread(options);
		this.#thread = thread;
		const read = this.#pageReader('urgent');
		this.#history = createHistoryReader({thread, read, show: () => this.#show(), clock});
		this.#poll = scheduler.poll(() => this.#run());
		if (thread.window.listing.isPruned) thread.window.rereadFromOldest();
		thread.window.loadCached();
		this.#show();
		this.#poll.now();
	}

	/** Polls now and a few more times soon: the user asked, a hook event came, a post was accepted. */
	kick(): void {
		this.#quickDelays = followUps;
		this.#quietPolls = 0;
		this.#isUrgent = true;
		this.#poll.now();
	}

	/** Polls immediately, reads all shown messages again, and checks in which order the service lists them. */
	refresh(): void {
		const {timeline, stored} = this.#thread.window;
		this.#rereadCount = this.#history.window ? stored.count : timeline.items().length;
		this.#thread.checkPageOrder();
		this.#isRequested = true;
		this.kick();
	}

	setFocused(isFocused: boolean): void {
		if (isFocused === this.#isFocused) return;
		this.#isFocused = isFocused;
		if (isFocused) {
			this.#quietPolls = 0;
			this.#poll.now();
		} else {
			this.#history.left();
			this.#show();
		}
	}

	loadOlder(): Promise<void> {
		this.#loadingOlder ??= this.#reportErrors(this.#history.loadOlder()).finally(() => {
			this.#loadingOlder = undefined;
		});
		return this.#loadingOlder;
	}

	/** Loads newer messages, unless the newest are shown. */
	loadNewer(): void {
		this.#history.loadNewer();
	}

	showMessage(id: string): void {
		this.#history.showMessage(id);
		this.#show();
		void this.#reportErrors(this.#history.resolveShown());
	}

	showNewest(): void {
		if (this.#history.showNewest()) this.#show();
	}

	/** Reads all messages that were never read, while `isWanted`. */
	readRest(isWanted: () => boolean): Promise<void> {
		this.#readingRest ??= this.#reportErrors(this.#history.readRest(isWanted)).finally(() => {
			this.#readingRest = undefined;
		});
		return this.#readingRest;
	}

	fillGap(gapId: string): Promise<void> {
		return this.#reportErrors(this.#history.fillGap(gapId));
	}

	/** Stops polling; resolves when no poll is left. */
	async close(): Promise<void> {
		this.#ending.abort();
		await this.#poll.end();
		removeStream(this.#options.stores.streams, this.#shown);
	}

	#show(): void {
		if (this.#ending.signal.aborted) return;
		const {streams} = this.#options.stores;
		const sessionId = this.#sessionId;
		const history = this.#history;
		const shown: Stream = {
			sessionId,
			// The first walk starts at the oldest end: show nothing until it reaches the newest.
			entries:
				this.#phase.name === 'walking' && !history.window ? [] : this.#thread.window.entries(history.window),
			hasOlder: history.hasOlder,
			hasNewer: history.window !== undefined,
			hasUnread: history.hasGaps,
			isLoadingOlder: history.isLoadingOlder,
			phase: this.#phase,
			readAt: this.#readAt,
			hasUnreadable: this.#hasUnreadable,
			hasUnknownRoles: this.#thread.roles.isUnusable,
		};
		this.#shown = shown;
		streams.setState(({open}) => ({open: new Map(open).set(sessionId, shown)}));
	}

	#pageReader(priority: Priority): ReadPage {
		const {stores, clock} = this.#options;
		return createPageReader(this.#options, this.#sessionId, {
			signal: this.#ending.signal,
			priority,
			onSkipped: count => {
				countSkipped(stores.connection, `messages of ${this.#sessionId}`, count, clock.now());
				if (this.#hasUnreadable) return;
				this.#hasUnreadable = true;
				this.#show();
			},
		});
	}

	#known(): KnownSession | undefined {
		return this.#options.stores.fleet.getState().sessions.get(this.#sessionId);
	}

	/** Polls once; resolves to the ms until the next poll, or `undefined` to stop. */
	async #run(): Promise<number | undefined> {
		// A session outside the service that it doesn't know is requested only once.
		const isAbsent = this.#known()?.atService === false && isOutsideService(this.#known());
		if (isAbsent && !this.#isRequested) return undefined;
		this.#isRequested = false;
		const read = this.#pageReader(this.#isUrgent ? 'urgent' : this.#isFocused ? 'normal' : 'background');
		this.#isUrgent = false;
		const {clock, onPolled} = this.#options;
		const thread = this.#thread;
		try {
			const isFirst = this.#readAt === undefined;
			const changes = await thread.poll(read, {
				isQuiet: this.#quietPolls >= 3,
				onWalk: count => this.#showWalk(count),
			});
			addMessageChanges(changes, this.#unreported);
			this.#unreported = createMessageChanges();
			this.#history.polled();
			const items = thread.items();
			const resolving = thread.roles.resolve(read, isFirst ? items.slice(-resolvedFirst) : items);
			await waitWithTimeout(clock, isFirst ? firstRoleTimeout : changeRoleTimeout, resolving);
			this.#polled(changes, isFirst);
			if ((await resolving).size > 0) this.#show();
			if (isFirst) {
				const resolved = await thread.roles.resolve(read, thread.items(), {isHistory: true});
				if (resolved.size > 0) this.#show();
			}
			this.#quietPolls = hasMessageChanges(changes) ? 0 : this.#quietPolls + 1;
			const changed = changes.added.size + changes.changed.size;
			const reading = {...thread.readingOf(changes), isFirst};
			const newestIds = reading.messages.map(({id}) => id);
			onPolled(reading, thread.itemsOf([...changes.added, ...changes.changed, ...newestIds]));
			await this.#reread(read);
			const next = this.#nextDelay();
			log('debug', 'poll', {session: this.#sessionId, changed, next});
			return next;
		} catch (error) {
			return this.#failed(error);
		}
	}

	/** Reads all messages that are shown again, if the user asked for that. */
	async #reread(read: ReadPage): Promise<void> {
		if (this.#rereadCount === 0) return;
		await this.#thread.reread(read, this.#rereadCount, this.#unreported);
		this.#rereadCount = 0;
		this.#history.reload();
		if (hasMessageChanges(this.#unreported)) this.#show();
	}

	#showWalk(read: number): void {
		this.#thread.window.trim(windowSize);
		const total = this.#known()?.session?.messageCount;
		this.#phase = {name: 'walking', read, total: total !== undefined && total >= read ? total : undefined};
		this.#show();
	}

	/** Records a successful poll, and shows what it read. */
	#polled(changes: MessageChanges, isFirst: boolean): void {
		const {clock, registry} = this.#options;
		this.#failures = 0;
		this.#readAt = clock.now();
		if (this.#known()?.origin === 'hook') registry.setAtService(this.#sessionId, true);
		const isShown = isFirst || this.#phase.name !== 'ready' || hasMessageChanges(changes);
		this.#phase = {name: 'ready'};
		registry.setProblem(this.#sessionId, undefined);
		if (isShown) this.#show();
	}

	#nextDelay(): number | undefined {
		const [quick, ...rest] = this.#quickDelays;
		this.#quickDelays = rest;
		if (quick !== undefined) return quick;
		if (isArchived(this.#known())) return undefined;
		return nextPollDelay(this.#isFocused, this.#options.isAtWork(), this.#quietPolls);
	}

	#failed(error: unknown): number | undefined {
		if (error instanceof AbortError) return undefined;
		if (!isServiceError(error)) throw error;
		const {clock, registry} = this.#options;
		const isFirst = this.#readAt === undefined;
		const isMissing = error instanceof NotFoundError;
		if (isMissing && isFirst && isStarting(this.#known(), clock.now())) return startingRetryDelay;
		if (isMissing && isOutsideService(this.#known())) {
			registry.setAtService(this.#sessionId, false);
			return undefined;
		}
		const problem = problemOf(error, clock.now());
		registry.setProblem(this.#sessionId, problem);
		const isOver = isMissing || error instanceof ForbiddenError;
		if (isOver || isFirst) this.#phase = {name: 'failed', problem};
		// Shows what the poll read before it failed, too.
		this.#show();
		return isOver ? undefined : nextRetryDelay(error, this.#failures++);
	}

	/** Reports an error of the service as the session's problem. */
	async #reportErrors(work: Promise<void>): Promise<void> {
		try {
			await work;
		} catch (error) {
			if (error instanceof AbortError) return;
			if (!isServiceError(error)) throw error;
			const {clock, registry} = this.#options;
			registry.setProblem(this.#sessionId, problemOf(error, clock.now()));
		}
	}
}

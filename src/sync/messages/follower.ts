import {AbortError, ForbiddenError, isServiceError, NotFoundError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import {isArchived, isOutsideService, routeOf} from '../../domain/known.ts';
import type {MessageRole} from '../../domain/messages/message.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {activeStatus, isAtWork, type Turn} from '../../domain/sessions/session-status.ts';
import {isStarting, startingTry} from '../../domain/starting.ts';
import {log} from '../../log/log.ts';
import type {FleetStore} from '../../state/fleet.ts';
import type {Stream, StreamPhase} from '../../state/stream.ts';
import type {Clock} from '../core/clock.ts';
import {followUps, nextPollDelay, nextRetryDelay} from '../core/poll.ts';
import {problemOf} from '../core/problem.ts';
import type {ReadPage} from '../core/read-list.ts';
import type {SafeWrite} from '../core/safe-write.ts';
import type {Priority, Scheduler} from '../core/scheduler.ts';
import {waitWithTimeout} from '../core/wait-with-timeout.ts';
import type {Registry} from '../fleet/registry.ts';
import {createHistoryReader, windowSize} from './history-reader.ts';
import {hasMessageChanges, type MessageChanges} from './message-changes.ts';
import {createMessageReader} from './message-reader.ts';
import {createMessageWindow} from './message-window.ts';
import {createRoleReader} from './role-reader.ts';
import type {StreamPublisher} from './stream-publisher.ts';

export type FollowerOptions = {
	readonly sessionId: string;
	readonly service: Service;
	readonly database: Database;
	readonly safeWrite: SafeWrite;
	readonly fleet: FleetStore;
	readonly registry: Registry;
	readonly publisher: StreamPublisher;
	readonly scheduler: Scheduler;
	readonly clock: Clock;
	/** Ids that add-message returned in this session. */
	readonly ownIds: () => ReadonlySet<string>;
	/** Returns whether the session's status is requested separately from its messages. */
	readonly isStatusAsked: () => boolean;
	/** Called with the number of items on a page that could not be read. */
	readonly onSkipped: (count: number) => void;
	/** Called after each successful poll with the newest messages and those that the poll added or changed. */
	readonly onPolled: (items: readonly TimelineItem[]) => void;
};

/** Keeps the stream of one open session up to date. */
export type Follower = {
	readonly turn: Turn;
	/**
	 * Polls immediately, then a few more times in quick succession: the user asked, a hook event arrived, or
	 * the service accepted one of our messages.
	 */
	kick(): void;
	/** Call when the service has accepted one of our messages. */
	posted(): void;
	/** Polls immediately, and checks again in which direction the service lists the messages. */
	refresh(): void;
	setFocused(isFocused: boolean): void;
	loadOlder(): Promise<void>;
	/** Loads newer messages, unless the newest are shown. */
	loadNewer(): void;
	/** Shows the part of the history around a cached message. */
	showMessage(id: string): void;
	/** Returns to the newest messages. */
	showNewest(): void;
	fillGap(gapId: string): Promise<void>;
	/** Stops polling; resolves when no poll is left. */
	close(): Promise<void>;
};

/** Number of newest messages reported after each poll, to find our own among them. */
const newestReported = 50;
/** The roles of this many newest messages are resolved first. */
const newestFirst = 100;
/** Maximum time that messages wait for their roles before they are shown, ms: on opening, and later. */
const firstHold = 1_500;
const changeHold = 300;

export function createFollower(options: FollowerOptions): Follower {
	const {sessionId, service, database, safeWrite, fleet, registry, publisher, scheduler, clock} = options;
	const messageWindow = createMessageWindow(sessionId, database, safeWrite);
	const reader = createMessageReader(messageWindow);
	const roles = createRoleReader({messageWindow, clock, ownIds: options.ownIds, isFollowing: true});
	const watch = createTurnWatch(sessionId, fleet, registry, clock, options.isStatusAsked);
	const key = `session:${sessionId}`;
	let phase: StreamPhase = {name: 'loading'};
	let readAt: number | undefined;
	let isFocused = false;
	let isUrgent = true;
	/** The user asked for a poll, even if the service said that it doesn't know the session. */
	let isAskedFor = false;
	let quiet = 0;
	let failures = 0;
	let quickPolls: readonly number[] = [];
	let older: Promise<void> | undefined;
	const ending = new AbortController();

	function build(): Stream {
		return {
			sessionId,
			// The first walk starts at the oldest end: show nothing until it reaches the newest.
			entries: phase.name === 'walking' && !history.hasNewer ? [] : history.entries(),
			hasOlder: history.hasOlder,
			...(history.hasNewer && {hasNewer: true}),
			...(history.isAskingOlder && {isAskingOlder: true}),
			phase,
			...(readAt !== undefined && {readAt}),
		};
	}

	function show(): void {
		publisher.publish(sessionId, build);
	}

	function readerFor(priority: Priority): ReadPage {
		return async query => {
			const computerId = routeOf(known());
			const routed = computerId === undefined ? query : {...query, computerId};
			const page = await scheduler.request(
				key,
				signal => service.messages.list(sessionId, routed, {signal}),
				{
					signal: ending.signal,
					priority,
				},
			);
			if (page.skipped > 0) options.onSkipped(page.skipped);
			return page;
		};
	}

	function known() {
		return fleet.getState().sessions.get(sessionId);
	}

	/** The service doesn't know a session that was seen in hook events only: it is requested once. */
	function isAbsent(): boolean {
		return known()?.atService === false && isOutsideService(known());
	}

	async function run(): Promise<number | undefined> {
		if (isAbsent() && !isAskedFor) return undefined;
		isAskedFor = false;
		const priority = isUrgent ? 'urgent' : isFocused ? 'normal' : 'background';
		isUrgent = false;
		const read = readerFor(priority);
		try {
			const isFirst = readAt === undefined;
			const changes = await reader.poll(read, {
				now: clock.now(),
				isQuiet: quiet >= 3,
				isActive: watch.isAtWork,
				onWalk,
			});
			history.polled();
			const resolving = roles.resolve(read, newlyRead(changes, isFirst), {
				kind: isFirst ? 'newest' : 'change',
				isAtWork: watch.isAtWork,
			});
			await waitWithTimeout(clock, isFirst ? firstHold : changeHold, resolving);
			arrived(changes, isFirst);
			if ((await resolving).length > 0) show();
			if (
				isFirst &&
				(await roles.resolve(read, messageWindow.timeline.items(), {kind: 'history'})).length > 0
			)
				show();
			settle(changes, isFirst);
			options.onPolled(polled(changes));
			const next = delay();
			const changed = changes.added.size + changes.changed.size;
			log('debug', 'poll', {session: sessionId, changed, next});
			return next;
		} catch (error) {
			return failed(error);
		}
	}

	function onWalk(read: number): void {
		messageWindow.trim(windowSize);
		const total = known()?.session?.messageCount;
		phase = {name: 'walking', read, ...(total !== undefined && total >= read && {total})};
		show();
	}

	/**
	 * Resolves the roles of messages that may be on screen first. On the first poll this includes cached ones:
	 * the program may have exited before it knew their roles.
	 */
	function newlyRead(changes: MessageChanges, isFirst: boolean): readonly TimelineItem[] {
		if (isFirst) return messageWindow.timeline.items().slice(-newestFirst);
		return [...changes.added, ...changes.changed].flatMap(id => messageWindow.timeline.get(id) ?? []);
	}

	function arrived(changes: MessageChanges, isFirst: boolean): void {
		failures = 0;
		readAt = clock.now();
		if (known()?.origin === 'hook') registry.setAtService(sessionId, true);
		const isShown = isFirst || phase.name !== 'ready' || hasMessageChanges(changes);
		phase = {name: 'ready'};
		registry.setProblem(sessionId, undefined);
		if (isShown) show();
	}

	function settle(changes: MessageChanges, isFirst: boolean): void {
		quiet = hasMessageChanges(changes) ? 0 : quiet + 1;
		const isChanged = changes.added.size + changes.changed.size > 0 && !isFirst;
		watch.polled(isChanged, messageWindow.timeline.items().at(-1)?.role);
	}

	function polled(changes: MessageChanges): readonly TimelineItem[] {
		const newest = messageWindow.timeline.items().slice(-newestReported);
		const ids = new Set([...changes.added, ...changes.changed, ...newest.map(item => item.id)]);
		return [...ids].flatMap(id => messageWindow.timeline.get(id) ?? []);
	}

	function delay(): number | undefined {
		const [quick, ...rest] = quickPolls;
		quickPolls = rest;
		if (quick !== undefined) return quick;
		if (roles.isBehind) return followUps[0];
		if (isArchived(known())) return undefined;
		return nextPollDelay({isFocused, isAtWork: watch.isAtWork, quiet});
	}

	function failed(error: unknown): number | undefined {
		if (error instanceof AbortError) return undefined;
		if (!isServiceError(error)) throw error;
		const isFirst = readAt === undefined;
		if (error instanceof NotFoundError && isFirst && isStarting(known(), clock.now())) return startingTry;
		if (error instanceof NotFoundError && isOutsideService(known())) {
			registry.setAtService(sessionId, false);
			return undefined;
		}
		const problem = problemOf(error, clock.now());
		registry.setProblem(sessionId, problem);
		const isOver = error instanceof NotFoundError || error instanceof ForbiddenError;
		if (isOver || isFirst) phase = {name: 'failed', problem};
		// Shows what the poll read before it failed, too.
		show();
		if (isOver) return undefined;
		return nextRetryDelay(error, failures++);
	}

	async function untilEnded(work: Promise<void>): Promise<void> {
		try {
			await work;
		} catch (error) {
			if (error instanceof AbortError) return;
			if (!isServiceError(error)) throw error;
			registry.setProblem(sessionId, problemOf(error, clock.now()));
		}
	}

	const poll = scheduler.poll(run);
	const history = createHistoryReader({messageWindow, reader, roles, read: readerFor('urgent'), show, clock});
	messageWindow.loadCached();
	show();
	poll.now();

	function kick(): void {
		quickPolls = followUps;
		quiet = 0;
		isUrgent = true;
		poll.now();
	}

	return {
		get turn() {
			return watch.turn;
		},
		kick,
		posted() {
			watch.posted();
			kick();
		},
		refresh() {
			reader.checkDirection();
			isAskedFor = true;
			kick();
		},
		setFocused(next) {
			if (next === isFocused) return;
			isFocused = next;
			if (isFocused) {
				quiet = 0;
				poll.now();
				return;
			}
			history.left();
			show();
		},
		loadOlder() {
			older ??= untilEnded(history.older()).finally(() => {
				older = undefined;
			});
			return older;
		},
		loadNewer: () => history.newer(),
		showMessage(id) {
			history.goTo(id);
			publisher.publishNow(sessionId, build);
			void untilEnded(history.resolveShown());
		},
		showNewest() {
			if (history.goBack()) show();
		},
		fillGap: gapId => untilEnded(history.fillGap(gapId)),
		async close() {
			ending.abort();
			await poll.end();
			publisher.remove(sessionId);
		},
	};
}

/** Tracks a session's turn by its messages, and saves the status inferred from them. */
export type TurnWatch = {
	readonly turn: Turn;
	readonly isAtWork: boolean;
	/** Call when the service has accepted one of our messages. */
	posted(): void;
	/** Call after a successful poll. `isChanged`: it found something new, and was not the first poll. */
	polled(isChanged: boolean, newestRole: MessageRole | undefined): void;
};

/** `isAsked`: whether the service is regularly asked for the status itself. */
function createTurnWatch(
	sessionId: string,
	fleet: FleetStore,
	registry: Registry,
	clock: Clock,
	isAsked: () => boolean,
): TurnWatch {
	let turn: Turn = {};

	function status() {
		return fleet.getState().sessions.get(sessionId)?.status;
	}

	return {
		get turn() {
			return turn;
		},
		get isAtWork() {
			return isAtWork(status(), turn, clock.now());
		},
		posted() {
			turn = {...turn, postedAt: clock.now()};
		},
		polled(isChanged, newestRole) {
			const {newestRole: _before, ...times} = turn;
			turn = {...times, ...(isChanged && {changedAt: clock.now()}), ...(newestRole && {newestRole})};
			const next = activeStatus(status(), turn, clock.now(), isAsked());
			if (next) registry.setStatus(sessionId, next);
		},
	};
}

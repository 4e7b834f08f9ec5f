import {exponentialDelay} from '../../domain/backoff.ts';
import {createMissingMessages, type MissingMessages} from '../../domain/messages/missing-messages.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {ReadPage} from '../core/read-list.ts';
import type {EngineParts} from '../engine-parts.ts';
import {type ActivityRecorder, newestRead, readingOf} from './activity-recorder.ts';
import {windowSize} from './history-reader.ts';
import {createMessageChanges, type MessageChanges} from './message-changes.ts';
import {createMessageReader} from './message-reader.ts';
import {MessageWindow} from './message-window.ts';
import {createPageReader} from './page-reader.ts';
import {createRoleReader} from './role-reader.ts';

export type NewestReaderOptions = EngineParts & {
	readonly activity: ActivityRecorder;
	/** Ids that add-message returned in a session. */
	readonly ownIds: (sessionId: string) => ReadonlySet<string>;
	/** Whether a session's turn may be going on. */
	readonly isAtWork: (sessionId: string) => boolean;
};

/** Where the next read of a session continues. */
export type ReadProgress = {
	/** Messages missing from the last read, if any: further reads show whether they were removed. */
	missingMessages?: MissingMessages | undefined;
	/** Changes found by a read that failed halfway. */
	unfinished?: MessageChanges | undefined;
	/** Reads of roles in a row that found none, and when the next is due, Unix ms. */
	roleTries: number;
	rolesDueAt: number;
};

/** Pages per read of a first walk: after other sessions had their turn, the next read continues it. */
const maxPages = 20;
/** Reads of roles that may find none, and the delays between them, ms: the listings may lag by a minute. */
const maxRoleTries = 6;
const roleDelays = {first: 5_000, max: 60_000};

/** Pauses a first walk. */
export class PausedWalk extends Error {
	override readonly name = 'PausedWalk';
}

/** A read that found the messages `added`. `isFirst`: of a session that was never read before. */
type NewMessages = {
	readonly read: ReadPage;
	readonly messageWindow: MessageWindow;
	readonly added: ReadonlySet<string>;
	readonly isFirst: boolean;
	readonly isWorking: boolean;
};

/** Reads the newest messages of sessions that nobody has open, and infers the state of their turns. */
export class NewestReader {
	readonly #options: NewestReaderOptions;

	constructor(options: NewestReaderOptions) {
		this.#options = options;
	}

	/**
	 * Reads a session once and returns its newest messages, oldest first. `isFirst`: the service has never answered for
	 * it. Throws `PausedWalk` after 20 pages, and errors of the requests and the database.
	 */
	async read(
		sessionId: string,
		progress: ReadProgress,
		{isFirst, signal}: {readonly isFirst: boolean; readonly signal: AbortSignal},
	): Promise<readonly TimelineItem[]> {
		const {database, safeWrite, clock, activity, registry} = this.#options;
		const {missingMessages = createMissingMessages(), unfinished = createMessageChanges()} = progress;
		progress.unfinished = unfinished;
		const startedFrom = {activity: registry.refreshedSession(sessionId)?.activity};
		const messageWindow = new MessageWindow(sessionId, database, safeWrite, {missingMessages});
		messageWindow.loadCached(newestRead);
		const read = this.#pageReader(sessionId, signal);
		const isWorking = this.#options.isAtWork(sessionId);
		const changes = await createMessageReader(messageWindow, unfinished).poll(read, {
			now: clock.now(),
			isQuiet: !isWorking,
			isActive: isWorking,
			onWalk: () => messageWindow.trim(windowSize),
		});
		progress.missingMessages = missingMessages.isWaiting ? missingMessages : undefined;
		const {added} = changes;
		await this.#readRoles(sessionId, progress, {read, messageWindow, added, isFirst, isWorking});
		const reading = {...readingOf(messageWindow, changes), isFirst};
		activity.record(sessionId, {...reading, startedFrom});
		progress.unfinished = undefined;
		return reading.messages;
	}

	/** Reads who wrote new messages; if that stays unknown, tries again, less and less often. */
	async #readRoles(
		sessionId: string,
		progress: ReadProgress,
		{read, messageWindow, added, isFirst, isWorking}: NewMessages,
	): Promise<void> {
		const {clock, ownIds} = this.#options;
		const withoutRole = () =>
			messageWindow.timeline
				.items()
				.slice(-newestRead)
				.filter(({role}) => role === undefined);
		const unknown = withoutRole();
		const isNew = unknown.some(({id}) => added.has(id));
		const isDue = progress.roleTries < maxRoleTries && clock.now() >= progress.rolesDueAt;
		if (unknown.length === 0 || !(isNew || isDue)) return;
		const roles = createRoleReader({messageWindow, clock, ownIds: () => ownIds(sessionId)});
		await roles.resolve(read, unknown, {kind: isFirst ? 'newest' : 'change', isAtWork: isWorking});
		const foundNone = withoutRole().length === unknown.length;
		progress.rolesDueAt = clock.now() + exponentialDelay(isNew ? 0 : progress.roleTries, roleDelays);
		progress.roleTries = foundNone && !isNew ? progress.roleTries + 1 : 0;
	}

	#pageReader(sessionId: string, signal: AbortSignal): ReadPage {
		const read = createPageReader(this.#options, sessionId, {signal, priority: 'watch'});
		let pages = 0;
		return async query => {
			if (query.role === undefined && ++pages > maxPages) throw new PausedWalk();
			return read(query);
		};
	}
}

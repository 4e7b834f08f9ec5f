import {createMissingMessages, type MissingMessages} from '../../domain/messages/missing-messages.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {ReadPage} from '../core/read-list.ts';
import type {EngineParts} from '../engine-parts.ts';
import {type ActivityRecorder, newestRead} from './activity-recorder.ts';
import {windowSize} from './history-reader.ts';
import {createMessageChanges, type MessageChanges} from './message-changes.ts';
import {createPageReader} from './page-reader.ts';
import type {RoleProgress} from './role-reader.ts';
import {Thread} from './thread.ts';

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
	readonly roles: RoleProgress;
};

/** Pages per read of a first walk: after other sessions had their turn, the next read continues it. */
const maxPages = 20;

/** Pauses a first walk. */
export class PausedWalk extends Error {
	override readonly name = 'PausedWalk';
}

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
		const ownIds = () => this.#options.ownIds(sessionId);
		const roleProgress = progress.roles;
		const options = {
			database,
			safeWrite,
			clock,
			sessionId,
			ownIds,
			missingMessages,
			unfinished,
			roleProgress,
		};
		const thread = new Thread(options);
		thread.window.loadCached(newestRead);
		const read = this.#pageReader(sessionId, signal);
		const isWorking = this.#options.isAtWork(sessionId);
		const changes = await thread.poll(read, {
			isQuiet: !isWorking,
			isActive: isWorking,
			onWalk: () => thread.window.trim(windowSize),
		});
		progress.missingMessages = missingMessages.isWaiting ? missingMessages : undefined;
		await thread.roles.resolve(read, thread.items().slice(-newestRead));
		const reading = {...thread.readingOf(changes), isFirst};
		activity.record(sessionId, {...reading, startedFrom});
		progress.unfinished = undefined;
		return reading.messages;
	}

	#pageReader(sessionId: string, signal: AbortSignal): ReadPage {
		const read = createPageReader(this.#options, sessionId, {signal, priority: 'watch'});
		let pages = 0;
		return async query => {
			if (++pages > maxPages) throw new PausedWalk();
			return read(query);
		};
	}
}

import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {EngineParts} from '../engine-parts.ts';
import type {ActivityRecorder} from './activity-recorder.ts';
import {windowSize} from './history-reader.ts';
import {createPageReader, type ReadPage} from './listing.ts';
import {createMessageChanges} from './message-window.ts';
import {newestRead, Thread, type ThreadProgress} from './thread.ts';

export type NewestReaderOptions = EngineParts & {
	readonly activity: ActivityRecorder;
	/** Whether a session's turn may be going on. */
	readonly isAtWork: (sessionId: string) => boolean;
};

/** Pages per read of a first walk: after other sessions had their turn, the next read continues it. */
const maxPages = 20;

export class PausedWalk extends Error {
	override readonly name = 'PausedWalk';
}

/**
 * Reads a session that nobody has open, infers the state of its turn, and returns its newest messages, oldest first.
 * `isFirst`: the service has never answered for it. Throws `PausedWalk` after 20 pages, and errors of the requests and
 * the database.
 */
export async function readNewest(
	options: NewestReaderOptions,
	sessionId: string,
	progress: ThreadProgress,
	{isFirst, signal}: {readonly isFirst: boolean; readonly signal: AbortSignal},
): Promise<readonly TimelineItem[]> {
	const {activity, registry} = options;
	progress.unfinished ??= createMessageChanges();
	const startedFrom = {activity: registry.refreshedSession(sessionId)?.activity};
	const thread = new Thread({...options, sessionId, progress});
	thread.window.loadCached(newestRead);
	const readPage = createPageReader(options, sessionId, {signal, priority: 'watch'});
	let pages = 0;
	const read: ReadPage = async query => {
		if (++pages > maxPages) throw new PausedWalk();
		return readPage(query);
	};
	const isWorking = options.isAtWork(sessionId);
	const changes = await thread.poll(read, {
		isQuiet: !isWorking,
		isActive: isWorking,
		onWalk: () => thread.window.trim(windowSize),
	});
	await thread.roles.resolve(read, thread.items().slice(-newestRead));
	const reading = {...thread.readingOf(changes), isFirst};
	activity.record(sessionId, {...reading, startedFrom});
	progress.unfinished = undefined;
	return reading.messages;
}

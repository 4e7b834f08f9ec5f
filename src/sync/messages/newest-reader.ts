import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {EngineParts} from '../engine-parts.ts';
import type {ActivityRecorder} from './activity-recorder.ts';
import {windowSize} from './history-reader.ts';
import {createPageReader} from './listing.ts';
import {createMessageChanges} from './message-window.ts';
import {newestRead, Thread, type ThreadProgress} from './thread.ts';

export type NewestReaderOptions = EngineParts & {
	readonly activity: ActivityRecorder;
	/** Whether a session's turn may be going on. */
	readonly isAtWork: (sessionId: string) => boolean;
};

/**
 * Reads a session that nobody has open, infers the state of its turn, and returns its newest messages, oldest first.
 * `isFirst`: the service has never answered for it. Throws errors of the requests and the database.
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
	const read = createPageReader(options, sessionId, {signal, priority: 'watch'});
	const changes = await thread.poll(read, {
		isQuiet: !options.isAtWork(sessionId),
		onWalk: () => thread.window.trim(windowSize),
	});
	await thread.roles.resolve(read, thread.items().slice(-newestRead));
	const reading = {...thread.readingOf(changes), isFirst};
	activity.record(sessionId, {...reading, startedFrom});
	progress.unfinished = undefined;
	return reading.messages;
}

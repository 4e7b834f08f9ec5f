import type {Service} from '../../api/service.ts';
import {atComputer} from '../../sync/messages/listing.ts';
import {Thread, type ThreadOptions} from '../../sync/messages/thread.ts';

type OpenOptions = ThreadOptions & {readonly service: Service; readonly computerId?: string};

/** One session's messages for a command, those of the cache first. */
export function openThread({service, computerId, ...options}: OpenOptions) {
	const thread = new Thread(options);
	thread.window.loadCached();
	const reading = (signal: AbortSignal) =>
		atComputer(query => service.messages.list(options.sessionId, query, {signal}), computerId);
	return {
		thread,
		newest: (count: number, signal: AbortSignal) => thread.newest(reading(signal), count),
		update: (signal: AbortSignal) => thread.update(reading(signal)),
	};
}

import {subscribe} from 'node:diagnostics_channel';
import {type FakeClock, settle} from './fake-clock.ts';

/** Requests of all clients in this process that have no whole response yet. */
const underWay = new Set<unknown>();
const requestOf = (message: unknown) => (message as {request: unknown}).request;
subscribe('undici:request:create', message => void underWay.add(requestOf(message)));
subscribe('undici:request:trailers', message => void underWay.delete(requestOf(message)));
subscribe('undici:request:error', message => void underWay.delete(requestOf(message)));

/**
 * Moves the clock of commands inside this process from timer to timer until `done`, but not while a request is under way.
 * To a command that waits for anything else, such as a program that it started, that wait seems long.
 */
export async function passing<T>(clock: FakeClock, done: Promise<T>): Promise<T> {
	let isDone = false;
	const end = () => {
		isDone = true;
	};
	done.then(end, end);
	while (!isDone) {
		await new Promise(resolve => setTimeout(resolve, 1));
		await settle(20);
		if (underWay.size === 0 && !isDone) await clock.next();
	}
	return done;
}

import type {FakeClock} from './fake-clock.ts';
import {settle} from './fake-clock.ts';

/**
 * Moves a fake clock through the waits between the tries of one client call, never while a try is under way: a try
 * holds two timers (its deadline and its connection's), a wait holds one. Gives what the call gives.
 */
export async function passWaits<T>(clock: FakeClock, call: Promise<T>): Promise<T> {
	let isDone = false;
	const ended = () => {
		isDone = true;
	};
	call.then(ended, ended);
	while (!isDone) {
		if (clock.pending === 1) await clock.advance(250);
		else await settle(1);
	}
	return call;
}

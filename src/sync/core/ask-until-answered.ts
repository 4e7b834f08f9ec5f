import type {EngineParts} from '../engine-parts.ts';
import {isRefusal} from './circuit-breaker.ts';
import type {Poll} from './poll.ts';
import {problemOf} from './problem.ts';

/** Time until the request is repeated, ms. After `blocked`, the circuit breaker decides when it is sent. */
const repeatAfter = {blocked: 1_000, refused: 15_000} as const;

/**
 * Returns a poll that repeats a request until the service answers it. While something else answers, such as another
 * server at that address, its error is the connection's `refusal`.
 */
export function askUntilAnswered(
	{scheduler, clock, stores: {connection}}: Pick<EngineParts, 'scheduler' | 'clock' | 'stores'>,
	ask: (signal: AbortSignal) => Promise<unknown>,
): Poll {
	return scheduler.poll(async signal => {
		const error = await scheduler.request('key', ask, {signal}).then(
			() => undefined,
			(reason: unknown) => reason,
		);
		// Any other request may have been answered meanwhile.
		if (error !== undefined && connection.getState().okAt === undefined) {
			if (!isRefusal(error)) return repeatAfter.blocked;
			connection.setState({refusal: problemOf(error, clock.now())});
			return repeatAfter.refused;
		}
		const {refusal, okAt = clock.now(), ...state} = connection.getState();
		connection.setState({...state, okAt}, true);
		return undefined;
	});
}

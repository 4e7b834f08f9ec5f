import {
	ForbiddenError,
	isServiceError,
	LostAnswerError,
	RateLimitedError,
	UnauthorizedError,
	UnreachableError,
} from '../../api/errors.ts';
import type {EngineParts} from '../engine-parts.ts';
import type {Poll} from './poll.ts';
import {problemOf} from './problem.ts';

/** Time until the request is repeated, ms. After `blocked`, the circuit breaker decides when it is sent. */
const repeatAfter = {blocked: 1_000, refused: 15_000} as const;

/**
 * Repeats a request until the service answers it. While something else answers, such as another server at that
 * address, the connection's `refusal` says what.
 */
export function askUntilAnswered(
	{scheduler, clock, stores: {connection}}: Pick<EngineParts, 'scheduler' | 'clock' | 'stores'>,
	key: string,
	ask: (signal: AbortSignal) => Promise<unknown>,
): Poll {
	const poll = scheduler.poll(async signal => {
		const error = await scheduler.request(key, ask, {signal}).then(
			() => undefined,
			(reason: unknown) => reason,
		);
		if (error !== undefined && !isAnswer(error)) {
			if (!isRefusal(error)) return repeatAfter.blocked;
			connection.setState({refusal: problemOf(error, clock.now())});
			return repeatAfter.refused;
		}
		const {refusal, ...state} = connection.getState();
		if (refusal) connection.setState(state, true);
		return undefined;
	});
	poll.now();
	return poll;
}

/** Whether the service knows the key, though this key may not ask that. */
function isAnswer(error: unknown): boolean {
	return error instanceof ForbiddenError;
}

/** Whether the circuit breaker lets further requests pass, so that nothing else reports the error. */
function isRefusal(error: unknown): boolean {
	const isBlocking =
		error instanceof UnauthorizedError ||
		error instanceof RateLimitedError ||
		error instanceof UnreachableError ||
		error instanceof LostAnswerError;
	return isServiceError(error) && !isBlocking;
}

import {isServiceError} from '../../api/errors.ts';
import {isDelivered} from '../../domain/messages/delivery.ts';
import {OutcomeUnknownError, UndeliveredMessageError} from '../cli/errors.ts';
import type {DeliveryResult} from './deliver.ts';

/** A message was definitely not accepted and isn't saved either. */
class MessageGoneError extends Error {
	override readonly name = 'MessageGoneError';
}

/** Why a message was not accepted, as recorded by the process that tried. */
class NotAcceptedError extends Error {
	override readonly name = 'NotAcceptedError';
}

/**
 * The error for an undelivered message; undefined for a delivered one. `storageProblem` means that nothing
 * can be saved.
 */
export function deliveryError(
	{item, isGone, error}: DeliveryResult,
	storageProblem: string | undefined,
): Error | undefined {
	if (isDelivered(item)) return undefined;
	if (isGone) return new MessageGoneError('The message was removed from the outbox.');
	const {id, sessionId, state, problem = 'It was not accepted.'} = item;
	const cause = error instanceof Error ? error : new NotAcceptedError(problem);
	if (state === 'unconfirmed' || state === 'sending') {
		const why = item.problem ?? (isServiceError(error) ? error.what : cause.message);
		const advice = `The message may have been accepted. It is saved and is not sent again by itself: check quarterdeck messages ${sessionId}, then run quarterdeck outbox resend or discard ${id}.`;
		return new OutcomeUnknownError(`${why} ${advice}`, {cause});
	}
	if (storageProblem !== undefined)
		return new MessageGoneError(`${cause.message} The message is not saved: ${storageProblem}`, {cause});
	return new UndeliveredMessageError(state === 'failed' ? 'failed' : 'queued', cause);
}

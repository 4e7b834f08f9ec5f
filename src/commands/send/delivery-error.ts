import {isServiceError} from '../../api/errors.ts';
import {isDelivered} from '../../domain/messages/delivery.ts';
import {MessageLostError, OutcomeUnknownError, UndeliveredMessageError} from '../cli/errors.ts';
import type {DeliveryResult} from './deliver.ts';
import {strings} from './strings.ts';

const {undelivered: text} = strings;

/** Why a message was not accepted, as recorded by the process that tried. */
class NotAcceptedError extends Error {
	override readonly name = 'NotAcceptedError';
}

/** The error for an undelivered message; undefined for a delivered one. */
export function deliveryError(
	{item, isRemoved, error}: DeliveryResult,
	storageProblem: string | undefined,
): Error | undefined {
	if (isDelivered(item)) return undefined;
	if (isRemoved) return new MessageLostError(text.removed);
	const {id, sessionId, state, problem = text.notAccepted} = item;
	const cause = error instanceof Error ? error : new NotAcceptedError(problem);
	if (state === 'unconfirmed' || state === 'sending') {
		const reason = item.problem ?? (isServiceError(error) ? error.what : cause.message);
		const what =
			storageProblem === undefined
				? text.unconfirmed(reason, sessionId, id)
				: text.unconfirmedNotSaved(reason, sessionId);
		return new OutcomeUnknownError(what, {cause});
	}
	if (storageProblem !== undefined)
		return new MessageLostError(text.notSaved(cause.message, storageProblem), {cause});
	return new UndeliveredMessageError(state === 'failed' ? 'failed' : 'queued', cause);
}

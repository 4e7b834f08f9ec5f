import {isServiceError} from '../api/errors.ts';
import {isDelivered} from '../domain/delivery.ts';
import type {DeliveryResult} from './deliver.ts';
import {OutcomeUnknownError} from './outcome-unknown-error.ts';

const next = {
	queued:
		'The message is saved: the next send to this session, or the screen, sends it. Repeating the command does not send it twice.',
	failed: 'The message is saved as failed: repeat the command or use quarterdeck outbox resend to try again.',
} as const;

/** A message was surely not accepted, and its text is in the outbox. The cause says why, and decides the exit code. */
export class UndeliveredMessageError extends Error {
	override readonly name = 'UndeliveredMessageError';
	/** How it is kept: waiting for its turn, or for the user to choose. */
	readonly state: keyof typeof next;

	constructor(state: keyof typeof next, cause: Error) {
		super(`${cause.message} ${next[state]}`, {cause});
		this.state = state;
	}
}

/** A message was surely not accepted, and it isn't kept either. */
class MessageGoneError extends Error {
	override readonly name = 'MessageGoneError';
}

/** Why a message was not accepted, as it was written down by whoever tried. */
class NotAcceptedError extends Error {
	override readonly name = 'NotAcceptedError';
}

/** What to tell of a message that is not delivered; nothing of one that is. `storageProblem`: nothing is kept at all. */
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

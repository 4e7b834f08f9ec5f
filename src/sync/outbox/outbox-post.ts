import {
	AbortError,
	ComputerUnreachableError,
	ForbiddenError,
	isServiceError,
	NotFoundError,
	RateLimitedError,
	UnauthorizedError,
	UnreachableError,
} from '../../api/errors.ts';
import {outcomeOf} from '../../api/outcome.ts';
import type {Service} from '../../api/service.ts';
import type {OpenAccount} from '../../db/database.ts';
import {backoff} from '../../domain/backoff.ts';
import {withParsedText} from '../../domain/messages/attachment.ts';
import type {DeliveryEvent, OutboxItem} from '../../domain/messages/delivery.ts';
import type {AddedMessage} from '../../domain/messages/message.ts';
import {ownProgram} from '../../domain/own-program.ts';
import {lookupTimeout} from './outbox-step.ts';

/**
 * Posts a message in one attempt, with the key of `account`. Throws without sending it if it was written for
 * another account: keys get other accounts, and accounts are forgotten, while programs run.
 */
export async function postMessage(
	messages: Pick<Service['messages'], 'add'>,
	account: OpenAccount | undefined,
	{id, accountId, sessionId, text, images, files, computerId, author}: OutboxItem,
	signal: AbortSignal,
): Promise<AddedMessage> {
	if (accountId !== account?.id || account?.isCurrent() === false)
		throw new ForbiddenError('This message belongs to another account and is not sent with this key.', {
			hint: `Open the account it belongs to: see ${ownProgram} accounts list.`,
		});
	const draft = {
		text,
		...(images.length > 0 && {images: images.map(({data}) => ({data}))}),
		...(files.length > 0 && {files: files.map(withParsedText)}),
		computerId,
		author,
	};
	return messages.add(sessionId, draft, {signal, idempotencyKey: id});
}

/** Maps a failed post to its row's event. `isStarting`: a 404 may mean that the session is too new. */
export function eventAfterError(
	{tries, sentAt}: OutboxItem,
	error: unknown,
	{now, random, isStarting}: {now: number; random: () => number; isStarting: boolean},
): DeliveryEvent {
	const problem = problemOf(error);
	// Only the end of this program cancels a post: another program may send the message at once.
	const delay = error instanceof AbortError ? 0 : backoff(tries, random());
	const retry = {at: now, notBefore: now + delay};
	switch (outcomeOf(error)) {
		case 'not-sent':
			return {
				type: 'notSent',
				problem,
				sentAt,
				...retry,
				...(error instanceof UnreachableError && {unreached: 'service'}),
				...(error instanceof ComputerUnreachableError && {unreached: 'computer'}),
			};
		case 'wait': {
			const wait = error instanceof RateLimitedError ? {at: now, notBefore: now + error.retryAfter} : retry;
			return {type: 'rateLimited', problem, sentAt, ...wait};
		}
		case 'held':
			if (!(error instanceof NotFoundError)) return {type: 'held', problem, sentAt};
			return isStarting ? {type: 'notSent', problem, sentAt, ...retry} : {type: 'refused', problem, sentAt};
		case 'refused':
			return {type: 'refused', problem, sentAt};
		case 'unknown':
			return {type: 'lost', problem, sentAt, lookUntil: now + lookupTimeout};
	}
}

function problemOf(error: unknown): string {
	if (isServiceError(error)) return error.what;
	return error instanceof Error ? error.message : String(error);
}

/** What an error holds until the user acts: `all` posts (key), or the `session`'s (permission, credit). */
export function heldScopeOf(error: unknown): 'all' | 'session' | undefined {
	if (error instanceof UnauthorizedError) return 'all';
	return error instanceof ForbiddenError ? 'session' : undefined;
}

import {
	AbortError,
	ComputerUnreachableError,
	ForbiddenError,
	isServiceError,
	NotFoundError,
	outcomeOf,
	RateLimitedError,
	UnauthorizedError,
	UnreachableError,
} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {OpenAccount} from '../../db/database.ts';
import {backoff, isOver, type Wait} from '../../domain/backoff.ts';
import {withParsedText} from '../../domain/messages/attachment.ts';
import {type DeliveryEvent, isUnderWay, type OutboxItem, waitOf} from '../../domain/messages/delivery.ts';
import type {AddedMessage} from '../../domain/messages/message.ts';
import {ownProgram} from '../../domain/own-program.ts';

/**
 * Posts a message in one attempt, with the key of `account`. Throws without sending it if it was written for
 * another account: keys get other accounts, and accounts are forgotten, while programs run.
 */
export async function postMessage(
	messages: Service['messages'],
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
		images: images.length > 0 ? images.map(({data}) => ({data})) : undefined,
		files: files.length > 0 ? files.map(withParsedText) : undefined,
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
				unreached:
					error instanceof UnreachableError
						? 'service'
						: error instanceof ComputerUnreachableError
							? 'computer'
							: undefined,
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

/** Why a message waits: another process sends, its own delay, the service's, or the next lookup. */
type WaitReason = 'another' | 'retry' | 'service' | 'look';

/** The next step of a session's outbox. `take-over`: the process that posted the message may have died. */
export type OutboxStep =
	| {readonly kind: 'rest'}
	| {readonly kind: 'wait'; readonly until: number; readonly reason: WaitReason; readonly item: OutboxItem}
	| {readonly kind: 'take-over' | 'look' | 'send'; readonly item: OutboxItem};

type OutboxContext = {
	readonly now: number;
	readonly isHeld: boolean;
	readonly isTurnWaited: boolean;
	/** Whether another process is sending or looking for a message of the session. */
	readonly isWithAnother: boolean;
	/** Delay that the service asked of all processes. */
	readonly serviceWait: Wait | undefined;
	/** When to look again for each row already looked for. */
	readonly lookupWaits: ReadonlyMap<string, Wait>;
};

/** Delay until the next try if another process has the row, or the disk can't be written, ms. */
const anotherDelay = 100;
export const retryDelay = 5_000;
/** How long to look for a message whose answer was lost, ms. */
export const lookupTimeout = 120_000;

/**
 * Returns the next step. Messages are sent one at a time, in the order they were written. A message that
 * failed or wasn't found is left to the user and doesn't block others; one that is delayed
 * (backoff, Retry-After) does. So does one that is waiting its turn at the service, since messages still here
 * can be taken back; unless the user sends one now, which sends those before it, too.
 */
export function nextOutboxStep(rows: readonly OutboxItem[], context: OutboxContext): OutboxStep {
	const {now, isHeld, isTurnWaited, isWithAnother, serviceWait, lookupWaits} = context;
	const underWay =
		rows.find(isUnderWay) ?? rows.find(row => row.state === 'unconfirmed' && lookupWaits.has(row.id));
	const firstQueued = rows.find(row => row.state === 'queued');
	const isPushed = rows.some(row => row.state === 'queued' && row.isPushed);
	const item = underWay ?? (isTurnWaited && !isPushed ? undefined : firstQueued);
	if (!item) return {kind: 'rest'};
	if (isWithAnother) return {kind: 'wait', until: now + anotherDelay, reason: 'another', item};
	if (item.state === 'sending') return {kind: 'take-over', item};
	if (isHeld) return {kind: 'rest'};
	const ownWait = underWay ? lookupWaits.get(item.id) : waitOf(item);
	if (serviceWait && !isOver(serviceWait, now))
		return {kind: 'wait', until: Math.max(serviceWait.until, ownWait?.until ?? 0), reason: 'service', item};
	if (ownWait && !isOver(ownWait, now))
		return {kind: 'wait', until: ownWait.until, reason: underWay ? 'look' : 'retry', item};
	return {kind: underWay ? 'look' : 'send', item};
}

import {
	AbortError,
	ForbiddenError,
	isServiceError,
	NotFoundError,
	RateLimitedError,
	UnauthorizedError,
} from '../../api/errors.ts';
import {outcomeOf} from '../../api/outcome.ts';
import type {Service} from '../../api/service.ts';
import type {OpenAccount} from '../../db/database.ts';
import {isStorageError} from '../../db/storage-error.ts';
import {backoff} from '../../domain/backoff.ts';
import type {OpenEnum} from '../../domain/known.ts';
import {withParsedText} from '../../domain/messages/attachment.ts';
import type {DeliveryEvent, OutboxItem} from '../../domain/messages/delivery.ts';
import type {AddedMessage, MessageDraft} from '../../domain/messages/message.ts';
import type {SessionStatus} from '../../domain/sessions/session.ts';
import type {Clock} from '../core/clock.ts';
import type {OutboxRows} from './outbox-rows.ts';
import {type OutboxStep, retrySoonDelay} from './outbox-step.ts';

/** Runs a call when it is its turn; one call per key at a time. The scheduler's `request` fits. */
export type Run = <T>(key: string, call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * What an error blocks until the user acts: `all` posts (invalid key), or those of the `session` (no
 * permission, no credit).
 */
export type PauseScope = 'all' | 'session';

/** How long to look for a message whose answer was lost, ms. */
export const lookupTimeout = 120_000;

export type OutboxPostOptions = {
	readonly messages: Pick<Service['messages'], 'add'>;
	/** The account of the posting key; messages of another account are not sent. */
	readonly account: OpenAccount | undefined;
	readonly rows: OutboxRows;
	readonly next: (sessionId: string) => OutboxStep;
	readonly run: Run;
	readonly clock: Clock;
	readonly random: () => number;
	/** Once aborted, nothing more is posted. */
	readonly ending: AbortSignal;
	/** Whether a 404 may mean that the session was created a moment ago. */
	readonly isStarting: (item: OutboxItem) => boolean;
	/** Whether the agent of the message's session is already working. */
	readonly isAtWork: (item: OutboxItem) => boolean;
	readonly onAccepted: (item: OutboxItem, status?: OpenEnum<SessionStatus>) => void;
	/** Called after a failed post with the updated row, which holds the consequence. */
	readonly onError: (item: OutboxItem, error: unknown) => void;
};

/**
 * Returns a step of the pump: it posts a row when it is its turn, if it is still the next row to send, and
 * resolves to when the pump continues.
 */
export function createOutboxPost({
	messages,
	account,
	rows,
	next,
	run,
	clock,
	random,
	ending,
	isStarting,
	isAtWork,
	onAccepted,
	onError,
}: OutboxPostOptions): (item: OutboxItem) => Promise<number | undefined> {
	/** Posts a row that was claimed a moment ago, exactly as it was claimed. */
	async function post(item: OutboxItem, signal: AbortSignal): Promise<void> {
		rows.publish(item.sessionId);
		const isBehind = isAtWork(item);
		await rows.hold(item.id, async () => {
			const added = await add(item, AbortSignal.any([signal, ending]));
			const accepted = rows.apply(item.id, {type: 'accepted', messageId: added.messageId, isBehind});
			if (accepted) onAccepted(accepted, added.status);
		});
	}

	async function add(item: OutboxItem, signal: AbortSignal): Promise<AddedMessage> {
		try {
			checkAccount(item, account);
			return await messages.add(item.sessionId, draftOf(item), {signal});
		} catch (error) {
			const facts = {now: clock.now(), random, isStarting: isStarting(item)};
			const after = rows.apply(item.id, eventAfterError(item, error, facts));
			if (after) onError(after, error);
			throw error;
		}
	}

	return async ({id, sessionId}) => {
		let claimed: ReturnType<OutboxRows['claim']> | undefined;
		try {
			await run(`outbox ${sessionId}`, async signal => {
				if (ending.aborted) return;
				claimed = rows.claim(id, () => next(sessionId));
				if (typeof claimed !== 'string') await post(claimed, signal);
			});
		} catch (error) {
			// Once the row is claimed, the post has failed and the row already records the error. Before that, it
			// had no turn.
			if (claimed === undefined && !isStorageError(error) && !(error instanceof AbortError)) throw error;
			if (claimed === undefined) return clock.now() + retrySoonDelay;
		}
		return claimed === 'elsewhere' ? clock.now() + retrySoonDelay : undefined;
	};
}

export function pauseScopeOf(error: unknown): PauseScope | undefined {
	if (error instanceof UnauthorizedError) return 'all';
	return error instanceof ForbiddenError ? 'session' : undefined;
}

/** Last check before the post: accounts are merged and forgotten while programs run. */
function checkAccount(item: OutboxItem, account: OpenAccount | undefined): void {
	if (item.accountId === account?.id && account?.isCurrent() !== false) return;
	throw new ForbiddenError('This message belongs to another account and is not sent with this key.', {
		hint: 'Open the account it belongs to: see quarterdeck accounts list.',
	});
}

function draftOf({text, images, files, computerId}: OutboxItem): MessageDraft {
	return {
		text,
		...(images.length > 0 && {images: images.map(({data}) => ({data}))}),
		...(files.length > 0 && {files: files.map(withParsedText)}),
		...(computerId !== undefined && {computerId}),
	};
}

/** Maps a failed post to the event for its row. */
function eventAfterError(
	{tries, sentAt}: OutboxItem,
	error: unknown,
	{
		now,
		random,
		isStarting,
	}: {
		now: number;
		random: () => number;
		/** The session may have been created a moment ago, so a 404 only means that it isn't found yet. */
		isStarting: boolean;
	},
): DeliveryEvent {
	const problem = problemOf(error);
	const later = {at: now, notBefore: now + backoff(tries, random())};
	switch (outcomeOf(error)) {
		case 'not-sent':
			return {type: 'notSent', problem, sentAt, ...later};
		case 'wait': {
			const wait = error instanceof RateLimitedError ? {at: now, notBefore: now + error.retryAfter} : later;
			return {type: 'rateLimited', problem, sentAt, ...wait};
		}
		case 'held':
			if (!(error instanceof NotFoundError)) return {type: 'held', problem, sentAt};
			return isStarting ? {type: 'notSent', problem, sentAt, ...later} : {type: 'refused', problem, sentAt};
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

import {
	AbortError,
	ForbiddenError,
	isServiceError,
	NotFoundError,
	RateLimitedError,
	UnauthorizedError,
} from '../api/errors.ts';
import {outcomeOf} from '../api/outcome.ts';
import type {Service} from '../api/service.ts';
import type {OpenAccount} from '../db/database.ts';
import {isStorageError} from '../db/storage-error.ts';
import {withParsedText} from '../domain/attachment.ts';
import {backoff} from '../domain/backoff.ts';
import type {DeliveryEvent, OutboxItem} from '../domain/delivery.ts';
import type {AddedMessage, MessageDraft} from '../domain/message.ts';
import type {OpenEnum} from '../domain/open-enum.ts';
import type {SessionStatus} from '../domain/session.ts';
import type {Clock} from './clock.ts';
import type {OutboxRows} from './outbox-rows.ts';
import {type OutboxStep, retrySoonDelay} from './outbox-step.ts';

/** Makes a call when it is its turn; one call of a key at a time. The scheduler's `request` fits. */
export type Run = <T>(key: string, call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** What an answer stops until the user acts: `all` posts (a bad key), those of the `session` (no right, no credit). */
export type PauseScope = 'all' | 'session';

/** How long a message whose answer was lost is looked for, ms. */
export const lookupTimeout = 120_000;

export type OutboxPostOptions = {
	readonly messages: Pick<Service['messages'], 'add'>;
	/** The account of the key that posts; a message of another is held. */
	readonly account: OpenAccount | undefined;
	readonly rows: OutboxRows;
	readonly next: (sessionId: string) => OutboxStep;
	readonly run: Run;
	readonly clock: Clock;
	readonly random: () => number;
	/** Nothing is put on the wire once it is aborted. */
	readonly ending: AbortSignal;
	/** May a 404 mean that the session was made a moment ago? */
	readonly isStarting: (item: OutboxItem) => boolean;
	/** Does the agent of its session work on something already? */
	readonly isAtWork: (item: OutboxItem) => boolean;
	readonly onAccepted: (item: OutboxItem, status?: OpenEnum<SessionStatus>) => void;
	/** A post failed; the row says what that means for it. */
	readonly onError: (item: OutboxItem, error: unknown) => void;
};

/** Posts one row when it is its turn, if it still is the row to send. Returns when to go on, as a step of the pump. */
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
	/** Right before the post: the row was claimed a moment ago, and what it says is what goes on the wire. */
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
			// After the claim an error is the post's, and the row has it already. Before, it had no turn.
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

/** The last look before the wire: accounts are joined and forgotten while programs run. */
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

/** What a failed post means for the row that was on the wire. */
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
		/** The session may have been made a moment ago: a 404 says no more than that it isn't found yet. */
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

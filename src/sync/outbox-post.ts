import {AbortError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import {isStorageError} from '../db/storage-error.ts';
import type {OutboxItem} from '../domain/delivery.ts';
import type {AddedMessage, MessageDraft} from '../domain/message.ts';
import type {Open} from '../domain/open.ts';
import type {SessionStatus} from '../domain/session.ts';
import type {Clock} from './clock.ts';
import type {OutboxHolds} from './outbox-holds.ts';
import {elsewhereAgain, type OutboxLeases} from './outbox-leases.ts';
import type {OutboxRows} from './outbox-rows.ts';
import type {OutboxStep} from './outbox-step.ts';
import {eventAfterError} from './post-outcome.ts';

/** Makes a call when it is its turn; one call of a key at a time. The scheduler's `request` fits. */
export type Run = <T>(key: string, call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

export type OutboxPostOptions = {
	readonly messages: Pick<Service['messages'], 'add'>;
	readonly rows: OutboxRows;
	readonly leases: OutboxLeases;
	readonly holds: OutboxHolds;
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
	readonly onAccepted: (item: OutboxItem, status?: Open<SessionStatus>) => void;
	readonly onHeld: (item: OutboxItem, error: Error) => void;
	readonly onNotAccepted: (item: OutboxItem, error: unknown) => void;
};

/** Posts one row when it is its turn, if it still is the row to send. Answers when to go on, as a step of the pump. */
export function createOutboxPost({
	messages,
	rows,
	leases,
	holds,
	next,
	run,
	clock,
	random,
	ending,
	isStarting,
	isAtWork,
	onAccepted,
	onHeld,
	onNotAccepted,
}: OutboxPostOptions): (item: OutboxItem) => Promise<number | undefined> {
	async function post(item: OutboxItem, signal: AbortSignal): Promise<void> {
		rows.publish(item.sessionId);
		const isBehind = isAtWork(item);
		await leases.hold(item.id, async () => {
			const added = await add(item, AbortSignal.any([signal, ending]));
			const accepted = rows.apply(item.id, {type: 'accepted', messageId: added.messageId, isBehind});
			if (accepted) onAccepted(accepted, added.status);
		});
	}

	async function add(item: OutboxItem, signal: AbortSignal): Promise<AddedMessage> {
		try {
			return await messages.add(item.sessionId, draftOf(item), {signal});
		} catch (error) {
			const facts = {now: clock.now(), random, isStarting: isStarting(item)};
			const after = rows.apply(item.id, eventAfterError(item, error, facts));
			if (holds.note(item.sessionId, error) && after) onHeld(after, error as Error);
			if (after) onNotAccepted(after, error);
			throw error;
		}
	}

	return async ({id, sessionId}) => {
		let claimed: ReturnType<OutboxLeases['claim']> | undefined;
		try {
			await run(`outbox ${sessionId}`, async signal => {
				if (ending.aborted) return;
				claimed = leases.claim(id, () => next(sessionId));
				if (typeof claimed !== 'string') await post(claimed, signal);
			});
		} catch (error) {
			// After the claim an error is the post's, and the row has it already. Before, it had no turn.
			if (claimed === undefined && !isStorageError(error) && !(error instanceof AbortError)) throw error;
			if (claimed === undefined) return clock.now() + elsewhereAgain;
		}
		return claimed === 'elsewhere' ? clock.now() + elsewhereAgain : undefined;
	};
}

function draftOf({text, images, files, computerId}: OutboxItem): MessageDraft {
	return {
		text,
		...(images.length > 0 && {images: images.map(({data}) => ({data}))}),
		...(files.length > 0 && {files}),
		...(computerId !== undefined && {computerId}),
	};
}

import {isDeepStrictEqual} from 'node:util';
import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import {unlessStorageFails} from '../db/storage-error.ts';
import {deliver, isDelivered, newOutboxItem, type OutboxItem} from '../domain/delivery.ts';
import type {KnownSession} from '../domain/known.ts';
import type {MessageDraft} from '../domain/message.ts';
import {isStarting} from '../domain/starting.ts';
import type {Clock} from '../sync/clock.ts';
import {type DeliveryResult, deliverMessages} from './deliver.ts';
import {isProcessAlive, nameThisProcess} from './sender-process.ts';

export type PostOptions = {
	readonly service: Service;
	readonly database: Database;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	readonly sessionId: string;
	/** What is known of the session here: one that was made a moment ago may not be found yet. */
	readonly known?: KnownSession;
	readonly draft: MessageDraft;
	/** How long to wait for what can't be done at once, ms. */
	readonly timeout: number;
	readonly onWait: (text: (now: number) => string) => void;
};

/** `before` is the message as an earlier command left it, when this one took it up instead of sending a second one. */
export type PostResult = DeliveryResult & {readonly before?: OutboxItem};

/**
 * Posts one message by way of the outbox: on disk before it is on the wire, after what waits
 * in its session already. What an earlier command with the same message left unsettled is taken up in its place: what
 * waits or failed is sent, and what may have arrived is looked for and never posted a second time.
 */
export async function postMessage(posting: PostOptions): Promise<PostResult> {
	const {database, clock, known} = posting;
	const owner = nameThisProcess();
	const {item, before} = saveMessage(posting, owner);
	const [fate = {item}] = await deliverMessages([item], {
		...posting,
		owner,
		isLookAwaited: before?.state === 'unconfirmed' || before?.state === 'sending',
		isStarting: () => isStarting(known, clock.now()),
	});
	if (isDelivered(fate.item)) unlessStorageFails(() => markReported(database, fate.item.id));
	return {...fate, ...(before && {before})};
}

/** Puts the message into the outbox, or takes up the one that is there: one transaction, so that only one command can. */
function saveMessage(
	{database, clock, sessionId, draft}: PostOptions,
	owner: string,
): {item: OutboxItem; before?: OutboxItem} {
	const {outbox} = database;
	return outbox.exclusively(() => {
		const before = outbox.ofSession(sessionId).find(row => isLeft(row) && isSame(row, draft));
		const item = {
			...(before
				? takenUp(before, clock.now())
				: newOutboxItem(sessionId, draft, {accountId: database.account?.id, createdAt: clock.now()})),
			sender: owner,
		};
		// Nobody gives back the lease of a process that was killed.
		if (before?.sender !== undefined) outbox.release(before.id, before.sender);
		outbox.put(item);
		return {item, ...(before && {before})};
	});
}

/** Its command ended before it could report the delivery. */
function isLeft({sender}: OutboxItem): boolean {
	return sender !== undefined && !isProcessAlive(sender);
}

function isSame(row: OutboxItem, {text, images = [], files = [], computerId}: MessageDraft): boolean {
	return (
		row.text === text &&
		row.computerId === computerId &&
		isDeepStrictEqual(row.images, images) &&
		isDeepStrictEqual(row.files, files)
	);
}

function takenUp(row: OutboxItem, now: number): OutboxItem {
	if (row.state === 'unconfirmed')
		return row.lookUntil === undefined ? deliver(row, {type: 'lookAgain', lookUntil: now}) : row;
	return row.state === 'queued' || row.state === 'failed' ? deliver(row, {type: 'resend'}) : row;
}

function markReported({outbox}: Database, id: string): void {
	outbox.exclusively(() => {
		const item = outbox.get(id);
		if (!item) return;
		const {sender, ...reported} = item;
		outbox.put(reported);
	});
}

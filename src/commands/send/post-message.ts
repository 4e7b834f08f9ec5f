import {randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import {isDeepStrictEqual} from 'node:util';
import {readProcStat} from '../../../hooks/proc-stat.ts';
import {isAlive} from '../../../hooks/sockets.ts';
import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import {isStarting, type KnownSession} from '../../domain/known.ts';
import {deliver, isDelivered, newOutboxItem, type OutboxItem} from '../../domain/messages/delivery.ts';
import type {MessageDraft} from '../../domain/messages/message.ts';
import {type DeliverOptions, type DeliveryResult, deliverMessages} from './deliver.ts';

type PostOptions = Omit<DeliverOptions, 'owner' | 'awaitsLookup' | 'isStarting'> & {
	readonly sessionId: string;
	/** The locally known session; pass it for one just created, which may not be found yet. */
	readonly known?: KnownSession;
	readonly draft: MessageDraft;
	/** The process that sends; this one when absent. */
	readonly pid?: number;
};

/** `earlier` is the message of an earlier command that this command resumed instead of sending a second one. */
type PostResult = DeliveryResult & {readonly earlier?: OutboxItem};

/**
 * Posts one message through the outbox: saves it before sending, after messages that already wait in its
 * session. If an earlier command left the same message unsettled, resumes that one: sends it if it waits or
 * failed, and looks for it, without posting again, if it may have arrived.
 */
export async function postMessage(options: PostOptions): Promise<PostResult> {
	const {database, clock, known, pid = process.pid} = options;
	const owner = nameProcess(pid);
	const {item, earlier} = saveMessage(options, owner);
	const [result = {item}] = await deliverMessages([item], {
		...options,
		owner,
		awaitsLookup: earlier?.state === 'unconfirmed' || earlier?.state === 'sending',
		isStarting: () => isStarting(known, clock.now()),
	});
	if (isDelivered(result.item)) unlessStorageFails(() => markReported(database, result.item.id));
	return {...result, earlier};
}

/** Adds the message to the outbox or resumes the existing one, in one transaction so that only one command can. */
function saveMessage(
	{database, clock, sessionId, draft}: PostOptions,
	owner: string,
): {item: OutboxItem; earlier?: OutboxItem} {
	const {outbox} = database;
	return outbox.exclusively(() => {
		const earlier = outbox.ofSession(sessionId).find(row => isAbandoned(row) && isSame(row, draft));
		const item = {
			...(earlier
				? resumed(earlier, clock.now())
				: newOutboxItem(sessionId, draft, {accountId: database.account?.id, createdAt: clock.now()})),
			sender: owner,
		};
		// A killed process never releases its lease.
		if (earlier?.sender !== undefined) outbox.release(earlier.id, earlier.sender);
		outbox.put(item);
		return {item, earlier};
	});
}

/** Whether the message's command ended before it reported the delivery. */
function isAbandoned({sender}: OutboxItem): boolean {
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

function resumed(row: OutboxItem, now: number): OutboxItem {
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

/** A unique name for a process that lets others check whether it still runs. */
export function nameProcess(pid: number): string {
	return [hostname(), pid, startTimeOf(pid), randomUUID()].join(' ');
}

/** Whether the named process still runs. A process of another machine or container counts as ended. */
function isProcessAlive(name: string): boolean {
	const [host, pid, start] = name.split(' ');
	// The system reuses process ids, so compare start times.
	return host === hostname() && isAlive(Number(pid)) && startTimeOf(Number(pid)) === start;
}

/** The start time of a process, which tells apart processes that reuse a pid; empty without /proc. */
function startTimeOf(pid: number): string {
	return readProcStat(pid)?.start ?? '';
}

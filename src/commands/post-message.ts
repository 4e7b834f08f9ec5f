import {randomUUID} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import {AbortError, isServiceError, NotFoundError} from '../api/errors.ts';
import {outcomeOf} from '../api/outcome.ts';
import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {OutboxItem} from '../domain/delivery.ts';
import type {KnownSession} from '../domain/known.ts';
import type {MessageDraft} from '../domain/message.ts';
import type {Open} from '../domain/open.ts';
import type {SessionStatus} from '../domain/session.ts';
import {isStarting} from '../domain/starting.ts';
import {createOutboxStore} from '../state/outbox.ts';
import type {Clock} from '../sync/clock.ts';
import {createOutboxSender} from '../sync/outbox-sender.ts';
import {MessageKeptError} from './message-kept-error.ts';
import {OutcomeUnknownError} from './outcome-unknown-error.ts';

export type Posting = {
	readonly service: Service;
	readonly database: Database;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	readonly sessionId: string;
	/** What is known of the session here: one that was made a moment ago may not be found yet. */
	readonly known?: KnownSession;
	readonly draft: MessageDraft;
};

export type Posted = {
	readonly messageId: string;
	/** The agent's status, when the answer told it. */
	readonly status?: Open<SessionStatus>;
	/** The same message waited here already, and was sent in place of a second one. */
	readonly isRepeat: boolean;
};

/** An earlier message of the session waits for longer than a command should. */
class EarlierWaitsError extends Error {
	override readonly name = 'EarlierWaitsError';

	/** `wait` in ms; `problem` is why it waits. */
	constructor(wait: number, problem = 'it was not accepted.') {
		super(`An earlier message of this session waits for ${Math.ceil(wait / 1000)} s more: ${problem}`);
	}
}

/** What became of our message in another Quarterdeck. */
class TakenUpError extends Error {
	override readonly name = 'TakenUpError';

	constructor(problem = 'it was not accepted.') {
		super(`Another Quarterdeck took the message up: ${problem}`);
	}
}

/** How long a command waits for the turn of what was kept before its own message, ms. */
const patience = 10_000;
/** Between looks at what others made of our message, ms. */
const watchEvery = 1000;

/**
 * Posts one message by way of the outbox (SERVICE-NOTES, Sending): on disk before it is on the wire, after what waits
 * in its session already, tried once. What was surely not accepted stays there and is thrown as `MessageKeptError`; an
 * unknown outcome stays as `unconfirmed` and is thrown as `OutcomeUnknownError`. The same message again takes the place
 * of one that waits or failed, so that repeating a command never doubles it.
 */
export async function postMessage(posting: Posting): Promise<Posted> {
	const {service, database, clock, signal, sessionId, draft, known} = posting;
	const waiting = database.outbox.ofSession(sessionId).find(row => isOpen(row) && isSame(row, draft));
	const {promise, resolve, reject} = Promise.withResolvers<Posted>();
	const begun = Promise.withResolvers<void>();
	let ownId = waiting?.id;
	let isOver = false;
	const end = (settle: () => void) => {
		isOver = true;
		settle();
	};
	const fail = (error: Error) => end(() => reject(error));
	const accept = (messageId: string, status?: Open<SessionStatus>) =>
		end(() => resolve({messageId, ...(status !== undefined && {status}), isRepeat: waiting !== undefined}));
	let cancelWatch = () => {};
	// It may be settled before anyone waits for it.
	promise.catch(() => {});
	const sender = createOutboxSender({
		database,
		service,
		store: createOutboxStore(),
		clock,
		owner: `${process.pid}-${randomUUID()}`,
		async run(_key, call) {
			await begun.promise;
			// Messages behind ours are others' to send: nothing begins that the end of the command would break off.
			if (isOver) throw new AbortError(false);
			try {
				return await call(signal);
			} catch (error) {
				// Own posts are told by `onNotAccepted` before this; here it is an earlier message that holds ours up.
				if (outcomeOf(error) !== 'refused' && !(error instanceof NotFoundError))
					fail(new MessageKeptError('queued', error));
				throw error;
			}
		},
		isStarting: () => isStarting(known, clock.now()),
		onAccepted({id, messageId}, status) {
			if (id === ownId && messageId !== undefined) accept(messageId, status);
		},
		onNotAccepted({id, state}, error) {
			if (id !== ownId) return;
			if (state === 'failed') fail(new MessageKeptError(state, error));
			if (state === 'unconfirmed') fail(unknownOutcome(sessionId, error));
		},
	});
	/** The screen, or another command, may have taken our message up. */
	const watch = () => {
		const row = ownId === undefined ? undefined : database.outbox.get(ownId);
		if (row?.messageId !== undefined) accept(row.messageId);
		else if (row?.state === 'failed') fail(new MessageKeptError('failed', new TakenUpError(row.problem)));
		else if (row?.state === 'unconfirmed' && row.lookUntil === undefined)
			fail(unknownOutcome(sessionId, new TakenUpError(row.problem)));
		else if (ownId !== undefined && !row) fail(new TakenUpError('it was taken back there.'));
		else cancelWatch = clock.after(watchEvery, watch);
	};
	const interrupt = () => {
		// On the wire, its own end tells what became of it.
		const isSending = ownId !== undefined && database.outbox.get(ownId)?.state === 'sending';
		if (!isSending) fail(new MessageKeptError('queued', new AbortError(false)));
	};
	signal.addEventListener('abort', interrupt, {once: true});
	try {
		if (waiting) sender.resend(waiting.id);
		else ownId = (await sender.enqueue(sessionId, draft)).id;
		const head = database.outbox.ofSession(sessionId).find(row => row.state === 'queued');
		const wait = (head?.notBefore ?? 0) - clock.now();
		if (wait > patience) fail(new MessageKeptError('queued', new EarlierWaitsError(wait, head?.problem)));
		cancelWatch = clock.after(watchEvery, watch);
		begun.resolve();
		return await promise;
	} finally {
		isOver = true;
		begun.resolve();
		cancelWatch();
		signal.removeEventListener('abort', interrupt);
		await sender.stop();
	}
}

/** May the same message be sent in its place? One on the wire, or of unknown outcome, is a message of its own. */
function isOpen({state}: OutboxItem): boolean {
	return state === 'queued' || state === 'failed';
}

function isSame(row: OutboxItem, {text, images = [], files = [], computerId}: MessageDraft): boolean {
	return (
		row.text === text &&
		row.computerId === computerId &&
		isDeepStrictEqual(row.images, images) &&
		isDeepStrictEqual(row.files, files)
	);
}

function unknownOutcome(sessionId: string, cause: unknown): OutcomeUnknownError {
	const problem = isServiceError(cause) ? cause.what : (cause as Error).message;
	const advice = `The message may have been accepted; it is kept and not sent again: look with quarterdeck messages ${sessionId}.`;
	return new OutcomeUnknownError(`${problem} ${advice}`, {cause});
}

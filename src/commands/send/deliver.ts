import {AbortError, isServiceError, UnauthorizedError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import type {OpenEnum} from '../../domain/known.ts';
import {isDelivered, type OutboxItem} from '../../domain/messages/delivery.ts';
import type {SessionStatus} from '../../domain/sessions/session.ts';
import {expireSignal, newestSignalOf} from '../../domain/sessions/signal.ts';
import {isAtWork} from '../../state/sessions/session-state.ts';
import {createOutboxStore} from '../../state/stores.ts';
import type {OutboxStep} from '../../sync/outbox/outbox-attempt.ts';
import {OutboxSender} from '../../sync/outbox/outbox-sender.ts';
import {MessageLostError, OutcomeUnknownError, UndeliveredMessageError} from '../cli/errors.ts';
import {strings} from './strings.ts';

const {waits: text, undelivered} = strings;

export type DeliveryResult = {
	readonly item: OutboxItem;
	/** Whether another process removed it from the outbox. */
	readonly isRemoved?: boolean;
	readonly status?: OpenEnum<SessionStatus>;
	/** Why it is not delivered, if known. */
	readonly error?: unknown;
};

export type DeliverOptions = {
	readonly service: Pick<Service, 'messages'>;
	readonly database: Database;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** Identifies this process among those that share the database. */
	readonly owner: string;
	/**
	 * How long to wait for messages that can't be sent immediately, ms. A post in progress is awaited beyond that: for as
	 * long as any, or for `impatience` if this is 0.
	 */
	readonly timeout: number;
	/** Wait for a message of unknown outcome until it is found or given up. */
	readonly awaitsLookup: boolean;
	readonly isStarting: (item: OutboxItem) => boolean;
	/** Called whenever the reason for waiting changes, with a short text that includes the elapsed or remaining time. */
	readonly onWait: (text: (now: number) => string) => void;
};

/** How long a command that doesn't wait gives a request under way, ms. */
const impatience = 10_000;

/** The message couldn't be delivered in time. */
class NotYetError extends Error {
	override readonly name = 'NotYetError';
}

/**
 * Sends the outbox in order until each of these messages is delivered, has failed, has an unknown outcome, or
 * would wait beyond the timeout. Other processes may send them too; each message is reported on its own.
 */
export async function deliverMessages(
	items: readonly OutboxItem[],
	{service, database, clock, signal, owner, timeout, awaitsLookup, isStarting, onWait}: DeliverOptions,
): Promise<readonly DeliveryResult[]> {
	// Then a lost answer is asked for again by itself.
	const isIdempotent = await service.messages.isAddIdempotent().catch(() => false);
	const deadline = clock.now() + timeout;
	const open = new Map(items.map(item => [item.id, item]));
	const results = new Map<string, DeliveryResult>();
	const statuses = new Map<string, OpenEnum<SessionStatus>>();
	const errors = new Map<string, unknown>();
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	let endReason: Error | undefined;

	function end(item: OutboxItem, details: Omit<DeliveryResult, 'item'> = {}): void {
		if (!open.delete(item.id)) return;
		const status = statuses.get(item.id);
		results.set(item.id, {item, status, ...details});
		if (open.size === 0) resolve();
	}

	function check(): void {
		try {
			for (const known of [...open.values()]) {
				const item = database.outbox.get(known.id);
				if (!item) {
					end(known, {isRemoved: true});
					continue;
				}
				const isOurs = item.state === 'sending' && sender.isBusy(item.sessionId);
				if (isSettled(item, awaitsLookup || isIdempotent) || (endReason && !isOurs))
					end(item, {error: errors.get(item.id) ?? endReason});
			}
		} catch (error) {
			reject(error);
		}
	}

	/** The sender reports the outcome right after it writes the row. */
	const checkSoon = () => queueMicrotask(check);

	const store = createOutboxStore();
	const unsubscribe = store.subscribe(checkSoon);
	const sender = new OutboxSender({
		database,
		service: timeout === 0 ? {messages: impatient(service.messages)} : service,
		store,
		clock,
		owner,
		isStarting,
		isAtWork(sessionId) {
			const now = clock.now();
			const saved = unlessStorageFails(() => ({
				known: database.sessions.get(sessionId),
				reported: newestSignalOf(sessionId, database.events.signals()),
			}));
			const signal = saved?.reported && expireSignal(saved.reported, now);
			return isAtWork({known: saved?.known, signal}, now);
		},
		scheduler: {
			async request(_key, call) {
				// Messages after ours are left to other processes: don't start a post that this command's exit would
				// cut off. One of them may have delivered ours just now.
				check();
				if (open.size === 0 || signal.aborted) throw new AbortError(false);
				return call(signal);
			},
		},
		onAccepted(item, status) {
			if (status !== undefined) statuses.set(item.id, status);
			end(item);
		},
		onNotAccepted: (item, error) => void errors.set(item.id, error),
		onHeld(blocked, error) {
			for (const item of open.values()) {
				const isConcerned = error instanceof UnauthorizedError || item.sessionId === blocked.sessionId;
				if (isConcerned) end(database.outbox.get(item.id) ?? item, {error});
			}
		},
		onRest: check,
		onWait(sessionId, wait) {
			check();
			const left = deadline - clock.now();
			const isTimed = wait.reason === 'retry' || wait.reason === 'service';
			const isTooLong = timeout === 0 || left <= 0 || (isTimed && wait.until - clock.now() > left);
			const waiting = [...open.values()].filter(item => item.sessionId === sessionId);
			if (!isTooLong && waiting.length > 0) onWait(describeWait(wait, open));
			if (!isTooLong) return;
			for (const item of waiting) {
				const error = errors.get(item.id) ?? new NotYetError(sentence(describeWait(wait, open)(clock.now())));
				end(database.outbox.get(item.id) ?? item, {error});
			}
		},
	});

	const onEnd = (reason: Error) => {
		endReason ??= reason;
		check();
	};
	const onAbort = () => onEnd(new AbortError(false));
	const seconds = Math.round(timeout / 1000);
	const cancelDeadline =
		timeout === 0
			? () => {}
			: clock.after(timeout, () => onEnd(new NotYetError(undelivered.timedOut(seconds))));
	signal.addEventListener('abort', onAbort, {once: true});
	try {
		for (const sessionId of new Set(items.map(item => item.sessionId))) sender.pump(sessionId);
		check();
		if (signal.aborted) onAbort();
		await promise;
		return items.flatMap(({id}) => results.get(id) ?? []);
	} finally {
		open.clear();
		unsubscribe();
		cancelDeadline();
		signal.removeEventListener('abort', onAbort);
		await sender.stop();
	}
}

/** The same calls with less time; an upload of attachments keeps its own. */
function impatient({add, list, isAddIdempotent}: Service['messages']): Service['messages'] {
	return {
		isAddIdempotent,
		add: (sessionId, draft, options) =>
			add(sessionId, draft, {
				...options,
				timeout: draft.images || draft.files ? options?.timeout : impatience,
			}),
		list: (sessionId, query, options) => list(sessionId, query, {...options, timeout: impatience}),
	};
}

function isSettled(item: OutboxItem, awaitsLookup: boolean): boolean {
	if (item.state === 'unconfirmed') return !awaitsLookup || item.lookUntil === undefined;
	return isDelivered(item) || item.state === 'failed';
}

function describeWait(
	{reason, until, item}: OutboxStep & {kind: 'wait'},
	open: ReadonlyMap<string, OutboxItem>,
): (now: number) => string {
	const nextTry = (now: number) => text.nextTry(secondsLeft(until, now));
	const isEarlier = !open.has(item.id);
	switch (reason) {
		case 'another':
			return () => text.forOther;
		case 'service':
			return now => text.forService(nextTry(now));
		case 'retry':
			return now => text.notAccepted(isEarlier, nextTry(now), item.problem ?? undelivered.notAccepted);
		case 'look':
			return () => text.lostResponse(isEarlier);
	}
}

function secondsLeft(until: number, now: number): number {
	return Math.ceil(Math.max(0, until - now) / 1000);
}

function sentence(text: string): string {
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/\.?$/, '.');
}

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
	if (isRemoved) return new MessageLostError(undelivered.removed);
	const {id, sessionId, state, problem = undelivered.notAccepted} = item;
	const cause = error instanceof Error ? error : new NotAcceptedError(problem);
	if (state === 'unconfirmed' || state === 'sending') {
		const reason = item.problem ?? (isServiceError(error) ? error.what : cause.message);
		const what =
			storageProblem === undefined
				? undelivered.unconfirmed(reason, sessionId, id)
				: undelivered.unconfirmedNotSaved(reason, sessionId);
		return new OutcomeUnknownError(what, {cause});
	}
	if (storageProblem !== undefined)
		return new MessageLostError(undelivered.notSaved(cause.message, storageProblem), {cause});
	return new UndeliveredMessageError(state === 'failed' ? 'failed' : 'queued', cause);
}

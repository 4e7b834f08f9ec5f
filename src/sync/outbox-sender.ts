import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import {isStorageError} from '../db/storage-error.ts';
import {canDiscard, type OutboxDraft, type OutboxItem} from '../domain/delivery.ts';
import type {Message, MessageRole} from '../domain/message.ts';
import type {Open} from '../domain/open.ts';
import type {SessionStatus} from '../domain/session.ts';
import type {OutboxStore} from '../state/outbox.ts';
import type {Clock} from './clock.ts';
import {createOutboxHolds} from './outbox-holds.ts';
import {createOutboxLeases, elsewhereAgain} from './outbox-leases.ts';
import {createOutboxLook} from './outbox-look.ts';
import {createOutboxLost} from './outbox-lost.ts';
import {createOutboxPost, type Run} from './outbox-post.ts';
import {createOutboxPump} from './outbox-pump.ts';
import {createOutboxRows} from './outbox-rows.ts';
import {nextOutboxStep, type OutboxStep} from './outbox-step.ts';

export type OutboxSenderOptions = {
	readonly database: Database;
	readonly service: {readonly messages: Pick<Service['messages'], 'add' | 'list'>};
	readonly store: OutboxStore;
	readonly clock: Clock;
	/** Names this process among those that share the database: never the same for two, or for two starts. */
	readonly owner: string;
	readonly run?: Run;
	readonly random?: () => number;
	/** Service clock minus ours, ms, when it is known. */
	readonly skew?: () => number | undefined;
	/** The service has it: with the agent's status when that was told, or found in a listing. */
	readonly onAccepted?: (item: OutboxItem, status?: Open<SessionStatus>) => void;
	/** It stays queued until the key or the right changes (401, 402, 403): nothing more is tried by itself. */
	readonly onHeld?: (item: OutboxItem, error: Error) => void;
	/** A post failed; the row says what that means for it. */
	readonly onNotAccepted?: (item: OutboxItem, error: unknown) => void;
	/** Does the agent of a session work on something now? */
	readonly isAtWork?: (sessionId: string) => boolean;
	/** Does a message of ours wait its turn at the service, for sure? Then the next ones wait here. */
	readonly isTurnWaited?: (sessionId: string) => boolean;
	/** May a 404 mean that the session was made a moment ago? */
	readonly isStarting?: (item: OutboxItem) => boolean;
};

/** Sends what is in the outbox, in order, and finds out what became of it (SERVICE-NOTES, Sending). */
export type OutboxSender = {
	/** Takes up what an earlier run left: what was being sent then is looked for. */
	start(): void;
	/** Ends calls and timers; resolves when none is left. */
	stop(): Promise<void>;
	/** On disk when this resolves; raises `StorageError` when it can't be kept, and then it isn't sent. */
	enqueue(sessionId: string, draft: OutboxDraft): Promise<OutboxItem>;
	/** The user's choice for a message that failed, waits or is unconfirmed: then it may be posted a second time. */
	resend(id: string): void;
	/** Takes a message that is not on the wire out of the outbox and answers it. */
	discard(id: string): OutboxItem | undefined;
	/** What waited its turn at the service may have begun. */
	turnMoved(sessionId: string): void;
	/** Every page of messages that anyone reads: settles what was sent without a request of its own. */
	observe(sessionId: string, messages: readonly Message[], roles?: ReadonlyMap<string, MessageRole>): void;
	/** There is a new key, or the user wants another try: what was held is sent. */
	resume(): void;
};

const minute = 60_000;
/** The Date header knows whole seconds; without it a laptop's clock is taken to be right to the minute. */
const knownSkew = 2_000;
const unknownSkew = minute;
/** Delivered rows are dropped after a day: until then no other message can be taken for them. */
const keepSeen = 24 * 60 * minute;

export function createOutboxSender({
	database,
	service,
	store,
	clock,
	owner,
	run = (_key, call) => call(new AbortController().signal),
	random = Math.random,
	skew = () => undefined,
	onAccepted = () => {},
	onHeld = () => {},
	onNotAccepted = () => {},
	isAtWork = () => false,
	isTurnWaited = () => false,
	isStarting = () => false,
}: OutboxSenderOptions): OutboxSender {
	const {outbox} = database;
	const ending = new AbortController();
	const rows = createOutboxRows(database, store);
	const holds = createOutboxHolds();
	const leases = createOutboxLeases({database, clock, owner, allowedSkew});
	const look = createOutboxLook({
		list: (sessionId, query, options) =>
			run(`outbox ${sessionId}`, signal =>
				service.messages.list(sessionId, query, {
					signal: options?.signal ? AbortSignal.any([signal, options.signal]) : signal,
				}),
			),
		clock,
		random,
		allowedSkew,
		factsOf: database.messages.facts,
	});
	const shared = {rows, leases, holds, clock, ending: ending.signal};
	const lost = createOutboxLost({...shared, look, allowedSkew, onFound: item => onAccepted(item)});
	const send = createOutboxPost({
		...shared,
		messages: service.messages,
		next: stepOf,
		run,
		random,
		isStarting,
		isAtWork: ({sessionId}) => isAtWork(sessionId),
		onAccepted,
		onHeld,
		onNotAccepted,
	});
	const {pump, stop} = createOutboxPump({
		clock,
		next: sessionId =>
			rows.flush() ? stepOf(sessionId) : {kind: 'wait', until: clock.now() + elsewhereAgain},
		work: {'take-over': lost.takeOver, look: lost.lookFor, send},
		ending: ending.signal,
	});

	function stepOf(sessionId: string): OutboxStep {
		return nextOutboxStep(rows.ofSession(sessionId), {
			now: clock.now(),
			isHeld: holds.isHeld(sessionId),
			isTurnWaited: isTurnWaited(sessionId),
			lookAt: look.dueAt,
		});
	}

	/** How much older than its send a message of ours may look, ms. */
	function allowedSkew(): number {
		const known = skew();
		return known === undefined ? unknownSkew : knownSkew - known;
	}

	/** Old rows can go another time. */
	function dropOld(): void {
		try {
			for (const item of outbox.all(['seen']))
				if (item.createdAt < clock.now() - keepSeen) outbox.remove(item.id);
		} catch (error) {
			if (!isStorageError(error)) throw error;
		}
	}

	return {
		start() {
			dropOld();
			for (const sessionId of new Set(outbox.all().map(item => item.sessionId))) {
				rows.publish(sessionId);
				pump(sessionId);
			}
		},
		async stop() {
			ending.abort();
			await stop();
			rows.flush();
		},
		async enqueue(sessionId, {text, images = [], files = [], computerId}) {
			const item: OutboxItem = {
				id: crypto.randomUUID(),
				sessionId,
				...(computerId !== undefined && {computerId}),
				text,
				images,
				files,
				state: 'queued',
				createdAt: clock.now(),
				tries: 0,
			};
			rows.add(item);
			pump(sessionId);
			return item;
		},
		resend(id) {
			const item = rows.apply(id, {type: 'resend'});
			if (!item) return;
			look.forget(id);
			holds.lift(item.sessionId);
			pump(item.sessionId);
		},
		discard(id) {
			const item = outbox.exclusively(() => {
				const found = rows.get(id);
				if (!found || !canDiscard(found)) return undefined;
				outbox.remove(id);
				return found;
			});
			if (!item) return undefined;
			look.forget(id);
			rows.forget(item);
			pump(item.sessionId);
			return item;
		},
		turnMoved(sessionId) {
			const rows = store.getState().bySession.get(sessionId) ?? [];
			if (rows.some(({state}) => state === 'queued')) pump(sessionId);
		},
		observe(sessionId, messages, roles) {
			const shown = store.getState().bySession.get(sessionId) ?? [];
			if (!shown.some(({state}) => state === 'accepted' || state === 'unconfirmed')) return;
			const ids = new Set(messages.map(message => message.id));
			for (const {id, state, messageId} of shown) {
				if (state === 'accepted' && messageId && ids.has(messageId)) rows.apply(id, {type: 'seen'});
			}
			const unconfirmed = shown.filter(({state}) => state === 'unconfirmed');
			if (unconfirmed.length === 0) return;
			lost.observe(sessionId, messages, unconfirmed, roles);
			pump(sessionId);
		},
		resume() {
			holds.liftAll();
			for (const sessionId of store.getState().bySession.keys()) pump(sessionId);
		},
	};
}

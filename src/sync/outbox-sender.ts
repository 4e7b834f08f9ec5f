import {AbortError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import {isStorageError} from '../db/storage-error.ts';
import {canDiscard, deliver, isUnderWay, type OutboxItem, saysTheSame} from '../domain/delivery.ts';
import type {AddedMessage, Message, MessageDraft, MessageRole} from '../domain/message.ts';
import type {Open} from '../domain/open.ts';
import type {SessionStatus} from '../domain/session.ts';
import type {OutboxStore} from '../state/outbox.ts';
import type {Clock} from './clock.ts';
import {createOutboxLook} from './outbox-look.ts';
import {createOutboxRows} from './outbox-rows.ts';
import {nextOutboxStep, type OutboxStep} from './outbox-step.ts';
import {eventAfterError, holdOf, lookTime} from './post-outcome.ts';

/** Makes a call when it is its turn; one call of a key at a time. The scheduler's `request` fits. */
export type Run = <T>(key: string, call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

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
};

/** Sends what is in the outbox, in order, and finds out what became of it (SERVICE-NOTES, Sending). */
export type OutboxSender = {
	/** Takes up what an earlier run left: what was being sent then is looked for. */
	start(): void;
	/** Ends calls and timers; resolves when none is left. */
	stop(): Promise<void>;
	/** On disk when this resolves; raises `StorageError` when it can't be kept, and then it isn't sent. */
	enqueue(sessionId: string, draft: MessageDraft): Promise<OutboxItem>;
	/** The user's choice for a message that failed, waits or is unconfirmed: then it may be posted a second time. */
	resend(id: string): void;
	/** Takes a message that is not on the wire out of the outbox and answers it. */
	discard(id: string): OutboxItem | undefined;
	/** Every page of messages that anyone reads: settles what was sent without a request of its own. */
	observe(sessionId: string, messages: readonly Message[], roles?: ReadonlyMap<string, MessageRole>): void;
	/** There is a new key, or the user wants another try: what was held is sent. */
	resume(): void;
};

const minute = 60_000;
/** A message that begins to be sent must be answered or renewed within this time, or another process takes it over. */
const leaseTime = minute;
const renewEvery = minute / 3;
/** How soon to look again at a row that another process works on, or a disk that can't be written. */
const elsewhereAgain = 5_000;
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
}: OutboxSenderOptions): OutboxSender {
	const {outbox} = database;
	const rows = createOutboxRows(database, store);
	const ending = new AbortController();
	const busy = new Map<string, Promise<void>>();
	const wakes = new Map<string, () => void>();
	const heldSessions = new Set<string>();
	const askedAbout = new Set<string>();
	let isHeld = false;
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

	/** Does the next thing a session's outbox needs. Called whenever something of it may have changed. */
	function pump(sessionId: string): void {
		wakes.get(sessionId)?.();
		wakes.delete(sessionId);
		if (ending.signal.aborted || busy.has(sessionId)) return;
		const step = rows.flush()
			? next(sessionId)
			: ({kind: 'wait', until: clock.now() + elsewhereAgain} as const);
		if (step.kind === 'wait') wake(sessionId, step.until);
		if (step.kind === 'wait' || step.kind === 'rest') return;
		const work = {'take-over': takeOver, look: lookFor, send}[step.kind];
		const done = work(step.item)
			.catch(error => {
				if (!isStorageError(error)) throw error;
				return clock.now() + elsewhereAgain;
			})
			.then(again => {
				busy.delete(sessionId);
				if (again !== undefined && !ending.signal.aborted) wake(sessionId, again);
				else pump(sessionId);
			});
		busy.set(sessionId, done);
	}

	function next(sessionId: string): OutboxStep {
		return nextOutboxStep(rows.ofSession(sessionId), {
			now: clock.now(),
			isHeld: isHeld || heldSessions.has(sessionId),
			lookAt: look.dueAt,
		});
	}

	function wake(sessionId: string, at: number): void {
		wakes.get(sessionId)?.();
		wakes.set(
			sessionId,
			clock.after(at - clock.now(), () => pump(sessionId)),
		);
	}

	/** Runs with the lease on a row prolonged, and gives it back. */
	async function leased<T>(id: string, work: () => Promise<T>): Promise<T> {
		let cancel = () => {};
		const renew = () => {
			cancel = clock.after(renewEvery, () => {
				quietly(() => outbox.lease(id, owner, clock.now() + leaseTime));
				renew();
			});
		};
		renew();
		try {
			return await work();
		} finally {
			cancel();
			quietly(() => outbox.release(id, owner));
		}
	}

	/**
	 * Marks a row as on the wire, if it is still its turn: one transaction with the lease, so that of two processes one
	 * sends it, whatever each believed before.
	 */
	function claim(id: string, sessionId: string): OutboxItem | 'elsewhere' | 'changed' {
		return outbox.exclusively(() => {
			if (!outbox.get(id)) return 'changed';
			if (!outbox.lease(id, owner, clock.now() + leaseTime)) return 'elsewhere';
			const step = next(sessionId);
			if (step.kind !== 'send' || step.item.id !== id) {
				outbox.release(id, owner);
				return 'changed';
			}
			const at = clock.now();
			const sending = deliver(step.item, {type: 'sending', at, knownBefore: sameBefore(step.item, at)});
			outbox.put(sending);
			return sending;
		});
	}

	function sameBefore(item: OutboxItem, at: number): string[] {
		return database.messages
			.tail(item.sessionId, 100)
			.filter(({message}) => (message.createdAt ?? 0) >= at - allowedSkew() && saysTheSame(item, message))
			.map(({message}) => message.id);
	}

	/** Each of the three answers when to go on: at a time (Unix ms), or at once. */
	async function send({id, sessionId}: OutboxItem): Promise<number | undefined> {
		let claimed: ReturnType<typeof claim> | undefined;
		try {
			await run(`outbox ${sessionId}`, async signal => {
				if (ending.signal.aborted) return;
				claimed = claim(id, sessionId);
				if (typeof claimed !== 'string') await post(claimed, signal);
			});
		} catch (error) {
			// After the claim an error is the post's, and the row has it already. Before, it had no turn.
			if (claimed === undefined && !isStorageError(error) && !(error instanceof AbortError)) throw error;
			if (claimed === undefined) return clock.now() + elsewhereAgain;
		}
		return claimed === 'elsewhere' ? clock.now() + elsewhereAgain : undefined;
	}

	async function post(item: OutboxItem, signal: AbortSignal): Promise<void> {
		rows.publish(item.sessionId);
		await leased(item.id, async () => {
			const added = await add(item, AbortSignal.any([signal, ending.signal]));
			const accepted = rows.apply(item.id, {type: 'accepted', messageId: added.messageId});
			if (accepted) onAccepted(accepted, added.status);
		});
	}

	async function add(item: OutboxItem, signal: AbortSignal): Promise<AddedMessage> {
		try {
			return await service.messages.add(item.sessionId, draftOf(item), {signal});
		} catch (error) {
			const after = rows.apply(item.id, eventAfterError(item, error, {now: clock.now(), random}));
			if (hold(item.sessionId, error) && after) onHeld(after, error as Error);
			throw error;
		}
	}

	function hold(sessionId: string, error: unknown): boolean {
		const kind = holdOf(error);
		if (kind === 'all') isHeld = true;
		if (kind === 'session') heldSessions.add(sessionId);
		return kind !== undefined;
	}

	/** A row that says `sending` and that nobody holds: its sender died before the answer came. */
	async function takeOver({id, sessionId}: OutboxItem): Promise<number | undefined> {
		const isOurs = outbox.exclusively(() => {
			if (!outbox.lease(id, owner, clock.now() + leaseTime)) return false;
			const problem = 'Quarterdeck ended before the answer came.';
			rows.apply(id, {type: 'lost', problem, lookUntil: clock.now() + lookTime});
			outbox.release(id, owner);
			return true;
		});
		rows.publish(sessionId);
		return isOurs ? undefined : clock.now() + elsewhereAgain;
	}

	async function lookFor(item: OutboxItem): Promise<number | undefined> {
		const {id, sessionId} = item;
		if (!outbox.lease(id, owner, clock.now() + leaseTime)) return clock.now() + elsewhereAgain;
		return leased(id, async () => {
			try {
				const {found, isLast} = await look.read(item, ending.signal);
				adopt(sessionId, found);
				if (isLast) giveUp(id);
			} catch (error) {
				if (isStorageError(error)) throw error;
				hold(sessionId, error);
			}
			if (isUnderWay(rows.get(id) ?? item)) look.again(item);
			else look.forget(id);
			return undefined;
		});
	}

	function giveUp(id: string): void {
		const problem =
			'No answer came, and it is not among the messages of the session: it may not have arrived.';
		rows.apply(id, {type: 'giveUpLooking', problem});
	}

	function adopt(sessionId: string, candidates: readonly Message[]): void {
		for (const item of rows.adopt(sessionId, candidates, allowedSkew())) {
			look.forget(item.id);
			onAccepted(item);
		}
	}

	/** How much older than its send a message of ours may look, ms. */
	function allowedSkew(): number {
		const known = skew();
		return known === undefined ? unknownSkew : knownSkew - known;
	}

	function wakeAll(): void {
		for (const sessionId of store.getState().bySession.keys()) pump(sessionId);
	}

	return {
		start() {
			for (const item of outbox.all(['seen'])) {
				if (item.createdAt < clock.now() - keepSeen) quietly(() => outbox.remove(item.id));
			}
			for (const sessionId of new Set(outbox.all().map(item => item.sessionId))) {
				rows.publish(sessionId);
				pump(sessionId);
			}
		},
		async stop() {
			ending.abort();
			for (const cancel of wakes.values()) cancel();
			wakes.clear();
			await Promise.all(busy.values());
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
			heldSessions.delete(item.sessionId);
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
		observe(sessionId, messages, roles) {
			const shown = store.getState().bySession.get(sessionId) ?? [];
			if (!shown.some(({state}) => state === 'accepted' || state === 'unconfirmed')) return;
			const ids = new Set(messages.map(message => message.id));
			for (const {id, state, messageId} of shown) {
				if (state === 'accepted' && messageId && ids.has(messageId)) rows.apply(id, {type: 'seen'});
			}
			const unconfirmed = shown.filter(({state}) => state === 'unconfirmed');
			if (unconfirmed.length === 0) return;
			const roleOf = (message: Message) => roles?.get(message.id) ?? message.role;
			adopt(
				sessionId,
				messages.filter(message => roleOf(message) === 'user'),
			);
			// The same words by someone unknown prove nothing: the user messages are asked at once, and once for each.
			for (const message of messages) {
				if (roleOf(message) !== undefined || askedAbout.has(message.id)) continue;
				for (const item of unconfirmed.filter(row => saysTheSame(row, message))) {
					askedAbout.add(message.id);
					look.ask(item.id);
				}
			}
			pump(sessionId);
		},
		resume() {
			isHeld = false;
			heldSessions.clear();
			wakeAll();
		},
	};
}

function draftOf({text, images, files, computerId}: OutboxItem): MessageDraft {
	return {
		text,
		...(images.length > 0 && {images}),
		...(files.length > 0 && {files}),
		...(computerId !== undefined && {computerId}),
	};
}

/** Leases end by themselves, and old rows can go another time. */
function quietly(run: () => unknown): void {
	try {
		run();
	} catch (error) {
		if (!isStorageError(error)) throw error;
	}
}

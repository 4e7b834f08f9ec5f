import {RateLimitedError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import {isStorageError, unlessStorageFails} from '../../db/storage-error.ts';
import type {OpenEnum} from '../../domain/known.ts';
import {
	canDiscard,
	isDelivered,
	newOutboxItem,
	type OutboxDraft,
	type OutboxItem,
} from '../../domain/messages/delivery.ts';
import type {Message, MessageRole} from '../../domain/messages/message.ts';
import type {SessionStatus} from '../../domain/sessions/session.ts';
import type {OutboxStore} from '../../state/outbox.ts';
import type {Clock} from '../core/clock.ts';
import {OutboxLookup} from './outbox-lookup.ts';
import {createOutboxPost, pauseScopeOf, type Run} from './outbox-post.ts';
import {OutboxRows} from './outbox-rows.ts';
import {nextOutboxStep, type OutboxStep, retrySoonDelay} from './outbox-step.ts';

/** Interval between two checks, ms: short after a write, then growing. A check takes a few microseconds. */
const minPause = 20;
const maxPause = {soon: 250, later: 1_000} as const;

/** How soon a write must be noticed. */
type Haste = keyof typeof maxPause;

/**
 * While started, calls `onWrite` after another process has written to the database. Writes before the start
 * that were not noticed yet count, too.
 */
function watchWrites(
	database: Pick<Database, 'peerWriteCount'>,
	clock: Clock,
	onWrite: () => void,
): {start(haste: Haste): void; stop(): void} {
	let version = unlessStorageFails(database.peerWriteCount);
	let cancel: (() => void) | undefined;
	let pause: number = minPause;
	let haste: Haste = 'later';

	function look(): void {
		const now = unlessStorageFails(database.peerWriteCount);
		const isNew = now !== version;
		version = now;
		pause = isNew ? minPause : Math.min(maxPause[haste], pause * 1.5);
		cancel = clock.after(pause, look);
		if (isNew) onWrite();
	}

	return {
		start(wanted) {
			if (cancel && (haste === 'soon' || wanted === haste)) return;
			cancel?.();
			haste = wanted;
			pause = minPause;
			cancel = clock.after(pause, look);
		},
		stop() {
			cancel?.();
			cancel = undefined;
		},
	};
}

export type OutboxSenderOptions = {
	readonly database: Database;
	readonly service: {readonly messages: Pick<Service['messages'], 'add' | 'list'>};
	readonly store: OutboxStore;
	readonly clock: Clock;
	/**
	 * Name of this process among those that share the database; different for every process and every start.
	 */
	readonly owner: string;
	readonly run?: Run;
	readonly random?: () => number;
	/** Service clock minus ours, ms; `undefined` if unknown. */
	readonly skew?: () => number | undefined;
	/**
	 * Called when the service has the message, with the agent's status if the answer included it. Also called
	 * when the message was found in a listing.
	 */
	readonly onAccepted?: (item: OutboxItem, status?: OpenEnum<SessionStatus>) => void;
	/**
	 * Called when sending stops until the key or its permissions change (401, 402, 403), for this session or,
	 * if the key was rejected, for all.
	 */
	readonly onHeld?: (item: OutboxItem, error: Error) => void;
	/** Called after a failed post with the updated row, which holds the consequence. */
	readonly onNotAccepted?: (item: OutboxItem, error: unknown) => void;
	/** Called when a session's outbox has to wait. */
	readonly onWait?: (sessionId: string, wait: OutboxStep & {kind: 'wait'}) => void;
	/** Whether the session's agent is working. */
	readonly isAtWork?: (sessionId: string) => boolean;
	/**
	 * Whether one of our messages is certainly waiting its turn at the service. If so, later ones stay here.
	 */
	readonly isTurnWaited?: (sessionId: string) => boolean;
	/** Whether a 404 may mean that the session was created a moment ago. */
	readonly isStarting?: (item: OutboxItem) => boolean;
};

/** Sends the messages in the outbox in order, and finds out what happened to them. */
export type OutboxSender = {
	/** Resumes what an earlier run left unfinished, and looks for messages that were being sent. */
	start(): void;
	/** Does the next step of a session's outbox. Call it whenever that step may have changed. */
	pump(sessionId: string): void;
	/** Whether this process is posting or looking for one of the session's messages. */
	isBusy(sessionId: string): boolean;
	/** Ends all calls and timers; resolves when none is left. */
	stop(): Promise<void>;
	/**
	 * Adds a message to the outbox. Resolves once it is on disk; throws `StorageError` if it can't be saved,
	 * and then doesn't send it.
	 */
	enqueue(sessionId: string, draft: OutboxDraft): Promise<OutboxItem>;
	/**
	 * Sends a failed, waiting or unconfirmed message again by the user's choice; an unconfirmed one may be
	 * posted twice.
	 */
	resend(id: string): void;
	/**
	 * Updates the store with the outbox changes of other programs; returns the ids of sessions with newly
	 * accepted messages.
	 */
	adoptOthers(): readonly string[];
	/** Removes a message that isn't on the wire from the outbox and returns it. */
	discard(id: string): OutboxItem | undefined;
	/** Call when a message waiting its turn at the service may have started. */
	turnMoved(sessionId: string): void;
	/** Call with every page of messages read: confirms sent messages without further requests. */
	observe(sessionId: string, messages: readonly Message[], roles?: ReadonlyMap<string, MessageRole>): void;
	/** Writes again what a replaced database file has lost. */
	restore(): void;
	/** Sends blocked messages, after the key changed or when the user wants to retry. */
	resume(): void;
};

/** Delivered rows are dropped after this long, ms; until then no other message can be mistaken for theirs. */
const keepSeen = 24 * 60 * 60_000;

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
	onWait = () => {},
	isAtWork = () => false,
	isTurnWaited = () => false,
	isStarting = () => false,
}: OutboxSenderOptions): OutboxSender {
	const {outbox} = database;
	const ending = new AbortController();
	/** The current step of each session; one at a time. */
	const busy = new Map<string, Promise<void>>();
	/** Cancels the wake-up of each waiting session. */
	const wakes = new Map<string, () => void>();
	/** Fingerprint of each waiting session when it was last checked. */
	const fingerprints = new Map<string, string>();
	const heldSessions = new Set<string>();
	let isAllHeld = false;
	/** Ids of messages that were delivered at the last check for other programs' changes. */
	let knownDelivered: ReadonlySet<string> = new Set();

	const rows = new OutboxRows({database, store, clock, owner, skew});
	const look = new OutboxLookup({
		rows,
		clock,
		random,
		factsOf: database.messages.listing,
		list: (sessionId, query, options) =>
			run(`outbox ${sessionId}`, signal =>
				service.messages.list(sessionId, query, {
					signal: options?.signal ? AbortSignal.any([signal, options.signal]) : signal,
				}),
			),
		ending: ending.signal,
		onFound: item => onAccepted(item),
		onError: noteError,
		onDue: sessionId => pump(sessionId),
	});
	const post = createOutboxPost({
		rows,
		clock,
		random,
		ending: ending.signal,
		messages: service.messages,
		account: database.account,
		next: stepOf,
		run,
		isStarting,
		isAtWork: ({sessionId}) => isAtWork(sessionId),
		onAccepted,
		onError(item, error) {
			noteError(item, error);
			onNotAccepted(item, error);
		},
	});
	const others = watchWrites(database, clock, () => {
		for (const sessionId of wakes.keys()) {
			const now = unlessStorageFails(() => outbox.fingerprint(sessionId));
			if (now === undefined || now === fingerprints.get(sessionId)) continue;
			rows.publish(sessionId);
			pump(sessionId);
		}
	});

	/** Records what an error blocks, and how long the service wants every process to wait. */
	function noteError(item: OutboxItem, error: unknown): void {
		if (error instanceof RateLimitedError) {
			const now = clock.now();
			unlessStorageFails(() => outbox.waitForService({since: now, until: now + error.retryAfter}));
		}
		const hold = pauseScopeOf(error);
		if (hold === undefined) return;
		if (hold === 'all') isAllHeld = true;
		else heldSessions.add(item.sessionId);
		onHeld(item, error as Error);
	}

	function stepOf(sessionId: string): OutboxStep {
		return nextOutboxStep(rows.ofSession(sessionId), {
			now: clock.now(),
			isHeld: isAllHeld || heldSessions.has(sessionId),
			isTurnWaited: isTurnWaited(sessionId),
			isWithAnother: rows.isWithAnother(sessionId),
			serviceWait: unlessStorageFails(outbox.serviceWait),
			lookupWaits: look.waits,
		});
	}

	function pump(sessionId: string): void {
		cancelWake(sessionId);
		if (ending.signal.aborted || busy.has(sessionId)) return;
		if (!rows.flush()) {
			wake(sessionId, clock.now() + retrySoonDelay);
			return;
		}
		const step = stepOf(sessionId);
		if (step.kind === 'rest') return;
		if (step.kind === 'wait') {
			wake(sessionId, step.until, step.reason === 'another' ? 'soon' : 'later');
			onWait(sessionId, step);
			return;
		}
		const done = perform(step)
			.catch(error => {
				if (!isStorageError(error)) throw error;
				return clock.now() + retrySoonDelay;
			})
			.then(again => {
				busy.delete(sessionId);
				if (again !== undefined && !ending.signal.aborted) wake(sessionId, again);
				else pump(sessionId);
			});
		busy.set(sessionId, done);
	}

	/** Runs one step; resolves to when to continue: at a time (Unix ms), or immediately if `undefined`. */
	function perform({kind, item}: OutboxStep & {item: OutboxItem}): Promise<number | undefined> {
		if (kind === 'take-over') return look.takeOver(item);
		return kind === 'look' ? look.lookFor(item) : post(item);
	}

	/** Continues at the given time, or as soon as another process changes the session's outbox. */
	function wake(sessionId: string, at: number, haste: 'soon' | 'later' = 'soon'): void {
		cancelWake(sessionId);
		fingerprints.set(sessionId, unlessStorageFails(() => outbox.fingerprint(sessionId)) ?? '');
		const cancel = clock.after(at - clock.now(), () => pump(sessionId));
		wakes.set(sessionId, cancel);
		others.start(haste);
	}

	function cancelWake(sessionId: string): void {
		wakes.get(sessionId)?.();
		wakes.delete(sessionId);
		if (wakes.size === 0) others.stop();
	}

	/** If this fails, old rows are dropped another time. */
	function dropOld(): void {
		unlessStorageFails(() => {
			for (const item of outbox.all(['seen']))
				if (item.createdAt < clock.now() - keepSeen) outbox.remove(item.id);
		});
	}

	return {
		start() {
			dropOld();
			const delivered = unlessStorageFails(outbox.states)?.filter(isDelivered) ?? [];
			knownDelivered = new Set(delivered.map(({id}) => id));
			for (const sessionId of new Set(outbox.all().map(item => item.sessionId))) {
				rows.publish(sessionId);
				pump(sessionId);
			}
		},
		pump,
		isBusy: sessionId => busy.has(sessionId),
		async stop() {
			ending.abort();
			look.stop();
			for (const sessionId of [...wakes.keys()]) cancelWake(sessionId);
			await Promise.all(busy.values());
			rows.flush();
		},
		async enqueue(sessionId, draft) {
			const item = newOutboxItem(sessionId, draft, {accountId: database.account?.id, createdAt: clock.now()});
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
		adoptOthers() {
			const shown = new Map([...store.getState().bySession.values()].flat().map(item => [item.id, item]));
			const kept = unlessStorageFails(outbox.states);
			if (!kept) return [];
			const delivered = kept.filter(isDelivered);
			const fresh = delivered.filter(({id}) => {
				const before = shown.get(id);
				return !knownDelivered.has(id) && !(before && isDelivered(before));
			});
			knownDelivered = new Set(delivered.map(({id}) => id));
			const changed = kept
				.filter(({id, state}) => shown.has(id) || state !== 'seen')
				.filter(({id, state}) => shown.get(id)?.state !== state);
			const ids = new Set(kept.map(({id}) => id));
			const gone = [...shown.values()].filter(({id}) => !ids.has(id));
			for (const sessionId of sessionsOf([...changed, ...gone])) rows.publish(sessionId);
			return [...sessionsOf(fresh)];
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
			look.observe(sessionId, messages, unconfirmed, roles);
			pump(sessionId);
		},
		restore: () => rows.restore(),
		resume() {
			isAllHeld = false;
			heldSessions.clear();
			for (const sessionId of store.getState().bySession.keys()) pump(sessionId);
		},
	};
}

function sessionsOf(rows: readonly {readonly sessionId: string}[]): ReadonlySet<string> {
	return new Set(rows.map(({sessionId}) => sessionId));
}

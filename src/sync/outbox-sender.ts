import {RateLimitedError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import {isStorageError, unlessStorageFails} from '../db/storage-error.ts';
import {
	canDiscard,
	isDelivered,
	newOutboxItem,
	type OutboxDraft,
	type OutboxItem,
} from '../domain/delivery.ts';
import type {Message, MessageRole} from '../domain/message.ts';
import type {OpenEnum} from '../domain/open-enum.ts';
import type {SessionStatus} from '../domain/session.ts';
import type {OutboxStore} from '../state/outbox.ts';
import type {Clock} from './clock.ts';
import {OutboxLookup} from './outbox-lookup.ts';
import {createOutboxPost, pauseScopeOf, type Run} from './outbox-post.ts';
import {OutboxRows} from './outbox-rows.ts';
import {nextOutboxStep, type OutboxStep, retrySoonDelay} from './outbox-step.ts';
import {watchWrites} from './watch-writes.ts';

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
	readonly onAccepted?: (item: OutboxItem, status?: OpenEnum<SessionStatus>) => void;
	/**
	 * What came of a session waits until the key or the right changes (401, 402, 403): nothing more is tried by itself.
	 * With a refused key no session's messages are.
	 */
	readonly onHeld?: (item: OutboxItem, error: Error) => void;
	/** A post failed; the row says what that means for it. */
	readonly onNotAccepted?: (item: OutboxItem, error: unknown) => void;
	/** Nothing can be done for a session now. */
	readonly onWait?: (sessionId: string, wait: OutboxStep & {kind: 'wait'}) => void;
	/** Does the agent of a session work on something now? */
	readonly isAtWork?: (sessionId: string) => boolean;
	/** Does a message of ours wait its turn at the service, for sure? Then the next ones wait here. */
	readonly isTurnWaited?: (sessionId: string) => boolean;
	/** May a 404 mean that the session was made a moment ago? */
	readonly isStarting?: (item: OutboxItem) => boolean;
};

/** Sends what is in the outbox, in order, and finds out what became of it. */
export type OutboxSender = {
	/** Takes up what an earlier run left: what was being sent then is looked for. */
	start(): void;
	/** Does the next thing a session's outbox needs. To be called whenever something of it may have changed. */
	pump(sessionId: string): void;
	/** Is one of its messages being posted, or looked for, by this process? */
	isBusy(sessionId: string): boolean;
	/** Ends calls and timers; resolves when none is left. */
	stop(): Promise<void>;
	/** On disk when this resolves; raises `StorageError` when it can't be kept, and then it isn't sent. */
	enqueue(sessionId: string, draft: OutboxDraft): Promise<OutboxItem>;
	/** The user's choice for a message that failed, waits or is unconfirmed: then it may be posted a second time. */
	resend(id: string): void;
	/** Shows what other programs have put into the outbox or did with it; answers the sessions of what was accepted. */
	adoptOthers(): readonly string[];
	/** Takes a message that is not on the wire out of the outbox and returns it. */
	discard(id: string): OutboxItem | undefined;
	/** What waited its turn at the service may have begun. */
	turnMoved(sessionId: string): void;
	/** Every page of messages that anyone reads: settles what was sent without a request of its own. */
	observe(sessionId: string, messages: readonly Message[], roles?: ReadonlyMap<string, MessageRole>): void;
	/** The database file was replaced: what it lost is written again. */
	restore(): void;
	/** There is a new key, or the user wants another try: what was held is sent. */
	resume(): void;
};

/** Delivered rows are dropped after a day: until then no other message can be taken for them. */
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
	/** The step that is being done for a session: one at a time. */
	const busy = new Map<string, Promise<void>>();
	/** Cancels the wake-up of a session that waits. */
	const wakes = new Map<string, () => void>();
	/** How a session that waits looked when it was looked at last. */
	const fingerprints = new Map<string, string>();
	const heldSessions = new Set<string>();
	let isAllHeld = false;
	/** Messages that were delivered when others' writes were looked at last. */
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

	/** Takes note of what an answer stops, and of how long the service wants to be left alone by every process. */
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

	/** Does one step; returns when to go on: at a time (Unix ms), or at once. */
	function perform({kind, item}: OutboxStep & {item: OutboxItem}): Promise<number | undefined> {
		if (kind === 'take-over') return look.takeOver(item);
		return kind === 'look' ? look.lookFor(item) : post(item);
	}

	/** Goes on then, or as soon as another process has changed something of the session. */
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

	/** Old rows can go another time. */
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

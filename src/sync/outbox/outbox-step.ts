import {isOver, type Wait} from '../../domain/backoff.ts';
import {isUnderWay, type OutboxItem, waitOf} from '../../domain/messages/delivery.ts';

/** Why a message waits: another process sends, its own delay, the service's, or the next lookup. */
export type WaitReason = 'another' | 'retry' | 'service' | 'look';

/** The next step of a session's outbox. `take-over`: the process that posted the message may have died. */
export type OutboxStep =
	| {readonly kind: 'rest'}
	| {readonly kind: 'wait'; readonly until: number; readonly reason: WaitReason; readonly item: OutboxItem}
	| {readonly kind: 'take-over' | 'look' | 'send'; readonly item: OutboxItem};

type OutboxContext = {
	readonly now: number;
	readonly isHeld: boolean;
	readonly isTurnWaited: boolean;
	/** Whether another process is sending or looking for a message of the session. */
	readonly isWithAnother: boolean;
	/** Delay that the service asked of all processes. */
	readonly serviceWait: Wait | undefined;
	/** When to look again for each row already looked for. */
	readonly lookupWaits: ReadonlyMap<string, Wait>;
};

/** Delay until the next try if another process has the row, or the disk can't be written, ms. */
const anotherDelay = 100;
export const retryDelay = 5_000;
/** How long to look for a message whose answer was lost, ms. */
export const lookupTimeout = 120_000;

/**
 * Returns the next step. Messages are sent one at a time, in the order they were written. A message that
 * failed or wasn't found is left to the user and doesn't block others; one that is delayed
 * (backoff, Retry-After) does. So does one that is waiting its turn at the service, since messages still here
 * can be taken back; unless the user sends one now, which sends those before it, too.
 */
export function nextOutboxStep(rows: readonly OutboxItem[], context: OutboxContext): OutboxStep {
	const {now, isHeld, isTurnWaited, isWithAnother, serviceWait, lookupWaits} = context;
	const underWay =
		rows.find(isUnderWay) ?? rows.find(row => row.state === 'unconfirmed' && lookupWaits.has(row.id));
	const firstQueued = rows.find(row => row.state === 'queued');
	const isPushed = rows.some(row => row.state === 'queued' && row.isPushed);
	const item = underWay ?? (isTurnWaited && !isPushed ? undefined : firstQueued);
	if (!item) return {kind: 'rest'};
	if (isWithAnother) return {kind: 'wait', until: now + anotherDelay, reason: 'another', item};
	if (item.state === 'sending') return {kind: 'take-over', item};
	if (isHeld) return {kind: 'rest'};
	const ownWait = underWay ? lookupWaits.get(item.id) : waitOf(item);
	if (serviceWait && !isOver(serviceWait, now))
		return {kind: 'wait', until: Math.max(serviceWait.until, ownWait?.until ?? 0), reason: 'service', item};
	if (ownWait && !isOver(ownWait, now))
		return {kind: 'wait', until: ownWait.until, reason: underWay ? 'look' : 'retry', item};
	return {kind: underWay ? 'look' : 'send', item};
}

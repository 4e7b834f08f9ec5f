import {isUnderWay, type OutboxItem, waitOf} from '../domain/delivery.ts';
import {isOver, type Wait} from '../domain/wait.ts';

/** Why nothing can be done for a message now: another process sends, its own wait, the service's, or the next look. */
export type WaitReason = 'another' | 'retry' | 'service' | 'look';

/** What a session's outbox needs next. `take-over`: someone put it on the wire, and may not live any more. */
export type OutboxStep =
	| {readonly kind: 'rest'}
	| {readonly kind: 'wait'; readonly until: number; readonly reason: WaitReason; readonly item: OutboxItem}
	| {readonly kind: 'take-over' | 'look' | 'send'; readonly item: OutboxItem};

export type OutboxContext = {
	readonly now: number;
	readonly isHeld: boolean;
	readonly isTurnWaited: boolean;
	/** Another process sends or looks for a message of the session. */
	readonly isWithAnother: boolean;
	/** What the service asked all processes for. */
	readonly serviceWait: Wait | undefined;
	/** When each row that was looked for is to be looked for again. */
	readonly lookupWaits: ReadonlyMap<string, Wait>;
};

/** How soon to look again at a row that another process works on, or a disk that can't be written, ms. */
export const retrySoonDelay = 5_000;

/**
 * One message under way at a time, in the order in which they were written. A message that failed, or that was looked
 * for in vain, is the user's to decide about and holds no other up; one that waits (back-off, Retry-After) does. So does
 * one that waits its turn at the service: what is here can still be taken back.
 */
export function nextOutboxStep(rows: readonly OutboxItem[], facts: OutboxContext): OutboxStep {
	const {now, isHeld, isTurnWaited, isWithAnother, serviceWait, lookupWaits} = facts;
	const underWay =
		rows.find(isUnderWay) ?? rows.find(row => row.state === 'unconfirmed' && lookupWaits.has(row.id));
	const head = rows.find(row => row.state === 'queued');
	const item = underWay ?? (isTurnWaited ? undefined : head);
	if (!item) return {kind: 'rest'};
	if (isWithAnother) return {kind: 'wait', until: now + retrySoonDelay, reason: 'another', item};
	if (item.state === 'sending') return {kind: 'take-over', item};
	if (isHeld) return {kind: 'rest'};
	const own = underWay ? lookupWaits.get(item.id) : waitOf(item);
	if (serviceWait && !isOver(serviceWait, now))
		return {kind: 'wait', until: Math.max(serviceWait.until, own?.until ?? 0), reason: 'service', item};
	if (own && !isOver(own, now))
		return {kind: 'wait', until: own.until, reason: underWay ? 'look' : 'retry', item};
	return {kind: underWay ? 'look' : 'send', item};
}

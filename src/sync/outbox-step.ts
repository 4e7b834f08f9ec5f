import {isUnderWay, type OutboxItem} from '../domain/delivery.ts';

/** What a session's outbox needs next. `take-over`: someone put it on the wire, and may not live any more. */
export type OutboxStep =
	| {readonly kind: 'rest'}
	| {readonly kind: 'wait'; readonly until: number}
	| {readonly kind: 'take-over' | 'look' | 'send'; readonly item: OutboxItem};

/**
 * One message under way at a time, in the order in which they were written. A message that failed, or that was looked
 * for in vain, is the user's to decide about and holds no other up; one that waits (back-off, Retry-After) does. So does
 * one that waits its turn at the service: what is here can still be taken back.
 */
export function nextOutboxStep(
	rows: readonly OutboxItem[],
	{
		now,
		isHeld,
		isTurnWaited,
		lookAt,
	}: {now: number; isHeld: boolean; isTurnWaited: boolean; lookAt: ReadonlyMap<string, number>},
): OutboxStep {
	const underWay =
		rows.find(isUnderWay) ?? rows.find(row => row.state === 'unconfirmed' && lookAt.has(row.id));
	if (underWay?.state === 'sending') return {kind: 'take-over', item: underWay};
	if (isHeld) return {kind: 'rest'};
	if (underWay) return when('look', underWay, lookAt.get(underWay.id), now);
	const head = rows.find(row => row.state === 'queued');
	return head && !isTurnWaited ? when('send', head, head.notBefore, now) : {kind: 'rest'};
}

function when(kind: 'look' | 'send', item: OutboxItem, due: number | undefined, now: number): OutboxStep {
	return due !== undefined && due > now ? {kind: 'wait', until: due} : {kind, item};
}

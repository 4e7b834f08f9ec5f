import {useStore} from 'zustand';
import {isOver} from '../../domain/backoff.ts';
import {type DeliveryState, type OutboxItem, waitOf} from '../../domain/messages/delivery.ts';
import type {Connection} from '../../state/connection.ts';
import {type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {age} from '../../text/values/times.ts';
import {secondAfter} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import {type AppParts, useApp} from '../use-app.ts';
import type {PlaceInTurn} from './stream-items.ts';

/** The delivery note of our message, including its place in the session's turns. */
export type NoteOf = (item: OutboxItem, turn?: PlaceInTurn) => Span;

/** The connection state that the notes of these messages depend on; constant unless one is queued. */
export function deliveryConnection({stores, ticker}: AppParts, outbox: readonly OutboxItem[]) {
	if (!outbox.some(item => item.state === 'queued'))
		return {state: 'polling', retryAt: undefined, now: 0} as const;
	const {state, retryAt} = stores.connection.getState();
	return {state, retryAt, now: ticker.now()};
}

/** The notes while the connection is in a state, at `now` (Unix ms). */
export function createNoteOf(state: Connection['state'], retryAt: number | undefined, now: number): NoteOf {
	return (item, turn) => deliveryNote(item, {state, retryAt}, now, turn);
}

/** Draws the component again when a note of these messages changes. */
export function useDeliveryNotes(outbox: readonly OutboxItem[]): void {
	const parts = useApp();
	useStore(parts.stores.connection, one => one.state);
	useStore(parts.stores.connection, one => one.retryAt);
	const connection = deliveryConnection(parts, outbox);
	useNow(at => noteChangesAt(outbox, connection, at));
}

/** The connection state that delays all messages, whatever their own state. */
export type DeliveryConnection = {readonly state: Connection['state']; readonly retryAt?: number | undefined};

const looks: Readonly<Record<DeliveryState | PlaceInTurn, Span>> = {
	queued: span(safe`◌ queued`, 'dim'),
	sending: span(safe`◌ sending`, 'info'),
	accepted: span(safe`✓ accepted`, 'dim'),
	seen: span(safe`✓ seen`, 'dim'),
	unconfirmed: span(safe`! unconfirmed`, 'warn'),
	failed: span(safe`✗ failed`, 'bad'),
	waits: span(safe`◌ waiting for its turn`, 'info'),
	next: span(safe`◌ queued until the agent's turn ends`, 'info'),
	behind: span(safe`◌ queued behind the unconfirmed message`, 'warn'),
};

/**
 * The delivery state of our message and what it waits for, at the right end of its first row:
 * `◌ queued · retry in 4s`.
 */
export function deliveryNote(
	item: OutboxItem,
	connection: DeliveryConnection,
	now: number,
	turn?: PlaceInTurn,
): Span {
	const waiting = item.state === 'queued' ? waitingNote(item, connection, now) : undefined;
	return waiting === undefined ? looks[turn ?? item.state] : span(waiting, 'warn');
}

function waitingNote(item: OutboxItem, connection: DeliveryConnection, now: number): Safe | undefined {
	if (connection.state === 'unauthorized') return safe`◌ queued · key refused`;
	// Held: the service won't accept it until the user acts.
	if (item.problem !== undefined && item.notBefore === undefined) return safe`◌ queued · on hold`;
	// The header counts down to the next try, after which everything is sent.
	if (connection.state === 'offline') return safe`◌ queued until the service is back`;
	if (item.unreached === 'computer') return safe`◌ queued until the computer is back`;
	const left = waitUntil(item, connection, now) - now;
	return left > 0 ? safe`◌ queued · retry in ${age(left + 999)}` : undefined;
}

function waitUntil(item: OutboxItem, {state, retryAt = 0}: DeliveryConnection, now: number): number {
	const wait = waitOf(item);
	const itemUntil = wait && !isOver(wait, now) ? wait.until : 0;
	return state === 'slowed' ? Math.max(itemUntil, retryAt) : itemUntil;
}

/** When such a note next changes by itself, Unix ms: while it counts down to a retry. */
export function noteChangesAt(
	outbox: readonly OutboxItem[],
	connection: DeliveryConnection,
	now: number,
): number | undefined {
	if (connection.state === 'offline') return undefined;
	const isCounting = outbox.some(
		item =>
			item.state === 'queued' && item.unreached !== 'computer' && waitUntil(item, connection, now) > now,
	);
	return isCounting ? secondAfter(now) : undefined;
}

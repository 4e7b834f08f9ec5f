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

/** What the notes of these messages depend on: nothing that changes, unless one is queued. */
export function deliveryConnection({stores, ticker}: AppParts, outbox: readonly OutboxItem[]) {
	if (!outbox.some(item => item.state === 'queued')) return {state: 'polling', now: 0} as const;
	const {state, retryAt} = stores.connection.getState();
	return {state, retryAt, now: ticker.now()};
}

/** The notes while the connection is in a state, at `now` (Unix ms). */
export function createNoteOf(state: Connection['state'], retryAt: number | undefined, now: number): NoteOf {
	const connection = {state, ...(retryAt !== undefined && {retryAt})};
	return (item, turn) => deliveryNote(item, connection, now, turn);
}

/** Draws the component again when a note of these messages changes. */
export function useDeliveryNotes(outbox: readonly OutboxItem[]): void {
	const parts = useApp();
	useStore(parts.stores.connection, one => one.state);
	useStore(parts.stores.connection, one => one.retryAt);
	const {state, retryAt} = deliveryConnection(parts, outbox);
	useNow(at => noteChangesAt(outbox, {state, ...(retryAt !== undefined && {retryAt})}, at));
}

/** The connection state that delays all messages, whatever their own state. */
export type DeliveryConnection = Pick<Connection, 'state' | 'retryAt'>;

const notes: Readonly<Record<DeliveryState, Span>> = {
	queued: span(safe`◌ queued`, 'dim'),
	sending: span(safe`◌ sending`, 'info'),
	accepted: span(safe`✓ accepted`, 'dim'),
	seen: span(safe`✓ seen`, 'dim'),
	unconfirmed: span(safe`! unconfirmed`, 'warn'),
	failed: span(safe`✗ failed`, 'bad'),
};
const turns: Readonly<Record<PlaceInTurn, Span>> = {
	waits: span(safe`✓ waiting its turn`, 'info'),
	next: span(safe`◌ queued · next turn`, 'info'),
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
	const why = item.state === 'queued' ? waitsFor(item, connection, now) : undefined;
	if (why !== undefined) return span(safe`◌ queued · ${why}`, 'warn');
	return turn === undefined ? notes[item.state] : turns[turn];
}

function waitsFor(item: OutboxItem, connection: DeliveryConnection, now: number): Safe | undefined {
	if (connection.state === 'unauthorized') return safe`key refused`;
	const left = waitUntil(item, connection, now) - now;
	const again = left > 0 ? safe`retry in ${age(left + 999)}` : undefined;
	if (connection.state === 'offline') return again === undefined ? safe`offline` : safe`offline, ${again}`;
	if (again !== undefined) return again;
	// Not scheduled and not sent: the service's response said that it won't be accepted as things are.
	return item.problem !== undefined && item.notBefore === undefined ? safe`held` : undefined;
}

function waitUntil(item: OutboxItem, {state, retryAt = 0}: DeliveryConnection, now: number): number {
	const wait = waitOf(item);
	const own = wait && !isOver(wait, now) ? wait.until : 0;
	return state === 'offline' || state === 'slowed' ? Math.max(own, retryAt) : own;
}

/** When such a note next changes by itself, Unix ms: while it counts down to a retry. */
export function noteChangesAt(
	outbox: readonly OutboxItem[],
	connection: DeliveryConnection,
	now: number,
): number | undefined {
	const isCounting = outbox.some(item => item.state === 'queued' && waitUntil(item, connection, now) > now);
	return isCounting ? secondAfter(now) : undefined;
}

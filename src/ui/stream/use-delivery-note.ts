import {useMemo} from 'react';
import {useStore} from 'zustand';
import type {OutboxItem} from '../../domain/delivery.ts';
import type {Span} from '../../text/line.ts';
import {useNow} from '../kit/use-now.ts';
import {useApp} from '../use-app.ts';
import {type DeliveryConnection, deliveryNote, noteChangesAt} from './delivery-note.ts';
import type {PlaceInTurn} from './stream-items.ts';

/** The delivery note of our message, including its place in the session's turns. */
export type NoteOf = (item: OutboxItem, turn?: PlaceInTurn) => Span;

const open: DeliveryConnection = {state: 'polling'};

/** The notes of a session's messages; returns the same function until a note may change. */
export function useDeliveryNote(outbox: readonly OutboxItem[]): NoteOf {
	const {connection} = useApp().stores;
	const state = useStore(connection, one => one.state);
	const retryAt = useStore(connection, one => one.retryAt);
	const isWaiting = outbox.some(item => item.state === 'queued');
	const way = useMemo(
		() => (isWaiting ? {state, ...(retryAt !== undefined && {retryAt})} : open),
		[isWaiting, state, retryAt],
	);
	const now = useNow(at => noteChangesAt(outbox, way, at));
	const notedAt = isWaiting ? now : 0;
	return useMemo<NoteOf>(() => (item, turn) => deliveryNote(item, way, notedAt, turn), [way, notedAt]);
}

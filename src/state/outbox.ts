import {createStore, type StoreApi} from 'zustand/vanilla';
import type {OutboxItem} from '../domain/messages/delivery.ts';

/** Outgoing messages that are not `seen` yet, plus the most recently seen, oldest first, by session id. */
export type Outbox = {readonly bySession: ReadonlyMap<string, readonly OutboxItem[]>};
export type OutboxStore = StoreApi<Outbox>;

export function createOutboxStore(): OutboxStore {
	return createStore<Outbox>(() => ({bySession: new Map()}));
}

import {createStore, type StoreApi} from 'zustand/vanilla';
import type {OutboxItem} from '../domain/messages/delivery.ts';
import type {AttentionMark} from '../domain/sessions/attention.ts';
import {type ConnectionStore, createConnectionStore} from './connection.ts';
import {type EventLog, type EventLogStore, emptyLog} from './event-log.ts';
import {createFleetStore, type FleetStore} from './fleet.ts';
import type {NoticeStore, Notices} from './notices.ts';
import {createOrganizationStore, type OrganizationStore} from './organization/organization.ts';
import type {StreamStore, Streams} from './stream.ts';

/** The stores that the engine updates and the screen reads. */
export type Stores = {
	readonly fleet: FleetStore;
	readonly streams: StreamStore;
	readonly outbox: OutboxStore;
	readonly attention: AttentionStore;
	readonly connection: ConnectionStore;
	readonly notices: NoticeStore;
	readonly events: EventLogStore;
	readonly organization: OrganizationStore;
};

export function createStores(): Stores {
	return {
		fleet: createFleetStore(),
		streams: createStore<Streams>(() => ({open: new Map()})),
		outbox: createOutboxStore(),
		attention: createStore<Attention>(() => ({marks: new Map()})),
		connection: createConnectionStore(),
		notices: createStore<Notices>(() => ({list: [], latest: []})),
		events: createStore<EventLog>(() => emptyLog),
		organization: createOrganizationStore(),
	};
}

/**
 * Sessions and computers the user acknowledged or snoozed, by `subjectKey`. A mark is valid for the duration of its
 * episode (`episodeOf`).
 */
export type Attention = {readonly marks: ReadonlyMap<string, AttentionMark>};
export type AttentionStore = StoreApi<Attention>;

/** Outgoing messages that are not `seen` yet, plus the most recently seen, oldest first, by session id. */
export type Outbox = {readonly bySession: ReadonlyMap<string, readonly OutboxItem[]>};
export type OutboxStore = StoreApi<Outbox>;

export function createOutboxStore(): OutboxStore {
	return createStore<Outbox>(() => ({bySession: new Map()}));
}

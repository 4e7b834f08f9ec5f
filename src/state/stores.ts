import {type AttentionStore, createAttentionStore} from './attention.ts';
import {type ConnectionStore, createConnectionStore} from './connection.ts';
import {createEventLogStore, type EventLogStore} from './event-log.ts';
import {createFleetStore, type FleetStore} from './fleet.ts';
import {createNoticeStore, type NoticeStore} from './notices.ts';
import {createOrganizationStore, type OrganizationStore} from './organization/organization.ts';
import {createOutboxStore, type OutboxStore} from './outbox.ts';
import {createStreamStore, type StreamStore} from './stream.ts';

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
		streams: createStreamStore(),
		outbox: createOutboxStore(),
		attention: createAttentionStore(),
		connection: createConnectionStore(),
		notices: createNoticeStore(),
		events: createEventLogStore(),
		organization: createOrganizationStore(),
	};
}

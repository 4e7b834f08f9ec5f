import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openDatabase} from '../../../../src/db/open-database.ts';
import {systemClock} from '../../../../src/domain/clock.ts';
import type {DeliveryState, OutboxItem} from '../../../../src/domain/messages/delivery.ts';
import {createStores} from '../../../../src/state/stores.ts';
import {OutboxRows} from '../../../../src/sync/outbox/outbox-rows.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

function message(id: string, state: DeliveryState): OutboxItem {
	return {id, sessionId: 's', text: `text ${id}`, images: [], files: [], state, createdAt: 1, tries: 0};
}

test('restores undelivered messages from memory to a file that lost them', () => {
	const file = join(temporaryFolder(), 'kept.db');
	const database = openDatabase({file});
	const rows = new OutboxRows({
		database,
		store: createStores().outbox,
		clock: systemClock,
		owner: 'test',
		skew: () => undefined,
	});
	for (const state of ['queued', 'failed', 'seen'] as const) rows.add(message(state, state));
	database.onChange(() => rows.restore());
	// What damage takes with it can't be read from the file.
	for (const id of ['queued', 'failed', 'seen']) database.outbox.remove(id);
	rmSync(file);
	database.peerWriteCount();
	expect(database.incidents.all()).toHaveLength(1);
	database.close();
	const again = openDatabase({file});
	expect(again.outbox.all()).toEqual([message('queued', 'queued'), message('failed', 'failed')]);
	again.close();
});

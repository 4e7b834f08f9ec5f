import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import type {Database} from '../../../../src/db/database.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import {createConnectionStore} from '../../../../src/state/connection.ts';
import {StorageMonitor} from '../../../../src/sync/core/storage-monitor.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

const hour = 60 * 60_000;
let database: Database | undefined;
afterEach(() => database?.close());

function fill(into: Database, sessionId: string): void {
	into.messages.put(
		sessionId,
		Array.from({length: 40}, (_, i) => ({
			message: {id: `m${i}`, createdAt: i + 1, content: [{text: 'x'.repeat(4000)}]},
		})),
	);
	into.messages.setListingState(sessionId, {isComplete: true});
}

test('frees what exceeds the limit, never an open session, and reports the sizes and the limit', async () => {
	const clock = fakeClock();
	const kept = openDatabase({file: join(temporaryFolder(), 'kept.db'), now: clock.now});
	database = kept;
	for (const id of ['open', 'a', 'b']) fill(kept, id);
	const {used} = kept.cache.size();
	const connection = createConnectionStore();
	const parts = {database: kept, stores: {connection}, clock, safeWrite: (write: () => void) => write()};
	const limit = used - 1;
	const sessions = {openSessions: () => ['open'], watchedSessions: () => []};
	const storage = new StorageMonitor({...parts, limit, ...sessions});
	storage.reportSizes();
	expect(connection.getState().stored).toEqual({used, free: 0, limit, sessions: 3, messages: 120});
	storage.start();
	await clock.advance(2 * 60_000);
	// All was used a moment ago.
	expect(kept.cache.totals().sessions).toBe(3);
	await clock.advance(hour);
	expect(kept.messages.count('open')).toBe(40);
	expect(kept.messages.count('a')).toBe(0);
	expect(kept.messages.count('b')).toBe(40);
	expect(connection.getState().stored?.used).toBeLessThan(limit);
	storage.stop();
	expect(clock.pending).toBe(0);
});

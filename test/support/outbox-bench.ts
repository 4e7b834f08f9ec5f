import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach} from 'vitest';
import type {Database} from '../../src/db/database.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import type {OutboxSender} from '../../src/sync/outbox/outbox-sender.ts';
import {fakeClock} from './fake-clock.ts';
import type {ModelService} from './post-service.ts';

/**
 * Time, databases and senders for the tests of one file; what a test opened ends with it. `offset`: how many
 * ms the machine's clock shows more than the time that has passed.
 */
export function outboxBench(offset = () => 0) {
	const time = fakeClock();
	const senders: OutboxSender[] = [];
	const opened: Database[] = [];
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'outbox-'));
	});
	afterEach(async () => {
		// What is on the wire ends by the clock.
		const stops = senders.splice(0).map(sender => sender.stop());
		await time.advance(200_000);
		await Promise.all(stops);
		for (const database of opened.splice(0)) database.close();
		rmSync(folder, {recursive: true});
	});
	return {
		time,
		senders,
		open(): Database {
			const database = openDatabase({file: join(folder, 'kept.db'), now: () => time.now() + offset()});
			opened.push(database);
			return database;
		},
	};
}

export function acceptedTexts(service: ModelService, sessionId = 's'): (string | undefined)[] {
	return service.accepted(sessionId).map(message => message.content?.[0]?.text);
}

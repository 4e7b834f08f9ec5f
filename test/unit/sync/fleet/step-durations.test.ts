import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../../../src/db/open-database.ts';
import {recordDurations} from '../../../../src/sync/fleet/computer-watcher.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

test('saves the steps that ended between two reads in one write, each once', () => {
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	onTestFinished(() => database.close());
	let writes = 0;
	const safeWrite = <T>(write: () => T) => {
		writes++;
		return write();
	};
	const computer = (status: string, ...ids: string[]) => ({
		id: 'c',
		provisioningSteps: ids.map(id => ({id, name: 'clone', status, startedAt: 0, completedAt: 7})),
	});
	recordDurations({database, safeWrite}, computer('running', 'a', 'b', 'c'), computer('completed', 'c', 'b'));
	expect([writes, database.durations.median('clone')]).toEqual([1, undefined]);
	recordDurations(
		{database, safeWrite},
		computer('completed', 'b', 'c'),
		computer('completed', 'c', 'b', 'd'),
	);
	expect([writes, database.durations.median('clone')]).toEqual([2, 7]);
	recordDurations({database, safeWrite}, computer('completed', 'd'), computer('completed', 'd'));
	expect(writes).toBe(2);
});

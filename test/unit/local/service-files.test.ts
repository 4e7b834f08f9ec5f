import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openDatabase} from '../../../src/db/open-database.ts';
import {saveLocalComputers} from '../../../src/embedded-service.ts';
import {storedComputerIds} from '../../../src/local/service-files.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';

test('knows the computers of the embedded service while it runs and afterwards', async () => {
	const {local, folder, close} = await startTestService({provisionsThisMachine: true});
	expect(storedComputerIds(folder)).toEqual(local.computerIds());
	expect(storedComputerIds(folder)).toHaveLength(1);
	const ids = local.computerIds();
	await close();
	expect(storedComputerIds(folder)).toEqual(ids);
});

test("finds no computers in a folder without a service, or in a file that isn't a database", () => {
	const folder = temporaryFolder();
	expect(storedComputerIds(folder)).toEqual([]);
	writeFileSync(join(folder, 'service.sqlite'), 'no database at all, whatever its name says');
	expect(storedComputerIds(folder)).toEqual([]);
});

test("a computer of this machine that was forgotten doesn't come back by itself", () => {
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	saveLocalComputers(database, ['a', 'b']);
	database.computers.remove('a');
	saveLocalComputers(database, ['a', 'b', 'c']);
	expect(database.computers.all().map(({id, origin}) => [id, origin])).toEqual([
		['b', 'local'],
		['c', 'local'],
	]);
	database.computers.put({id: 'a', origin: 'added', addedAt: 1});
	expect(database.computers.all()).toHaveLength(3);
	database.close();
});

import {rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';

test('writes a removed file again when it ends, and reports the loss once', async () => {
	const folder = temporaryFolder();
	const told: string[] = [];
	const {service, close} = await startTestService({folder, onFileLost: what => told.push(what)});
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
	const file = join(folder, 'service.sqlite');
	rmSync(file);
	expect((await service.computers.get(id)).name).toBe('box');
	await service.computers.update(id, {name: 'box-2'});
	// Told at the next transaction, and not at the one after it.
	for (const name of ['next', 'last']) await service.computers.create({name, remoteUser: 'me'});
	expect(told).toEqual([expect.stringMatching(/was removed while/)]);
	await close();
	expect(statSync(file).mode & 0o077).toBe(0);
	const again = await startTestService({folder});
	expect((await again.service.computers.get(id)).name).toBe('box-2');
});

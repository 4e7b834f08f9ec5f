import {rmSync, statSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {startLocalService} from '../../../src/local/start-local-service.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';

/** A service whose file is lost after it has a computer, and what it told. */
async function withLoss(lose: (file: string) => void) {
	const folder = temporaryFolder();
	const told: string[] = [];
	const {service, close} = await startTestService({folder, onFileLost: what => told.push(what)});
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
	const file = join(folder, 'service.sqlite');
	lose(file);
	expect((await service.computers.get(id)).name).toBe('box');
	await service.computers.update(id, {name: 'box-2'});
	return {folder, file, told, id, close};
}

test('keeps everything of a file that is removed, and reports the loss once', async () => {
	const {folder, file, told, id, close} = await withLoss(rmSync);
	expect(told).toEqual([expect.stringMatching(/was removed while/)]);
	expect(statSync(file).mode & 0o077).toBe(0);
	await close();
	const again = await startTestService({folder});
	expect((await again.service.computers.get(id)).name).toBe('box-2');
});

test('reports a file that is emptied under the service, without crashing', async () => {
	const folder = temporaryFolder();
	const told: string[] = [];
	const local = await startLocalService({folder, onFileLost: what => told.push(what)});
	onTestFinished(() => local.close());
	truncateSync(join(folder, 'service.sqlite'));
	try {
		local.computerIds();
	} catch {
		// It may be beyond reading.
	}
	expect(told).toEqual([expect.stringMatching(/was emptied while/)]);
});

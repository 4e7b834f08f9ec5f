import {chmodSync, chownSync, mkdtempSync, rmSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {findService} from '../../../src/reach-service.ts';
import {startTestService} from '../../support/local-service.ts';
import {neighborId, noNeighbor, runAsNeighbor} from '../../support/neighbor.ts';

/** A service whose folder is in one that others can look into. */
async function shared() {
	const home = mkdtempSync('/tmp/qn-');
	onTestFinished(() => rmSync(home, {recursive: true, force: true}));
	chmodSync(home, 0o755);
	const folder = join(home, 'local');
	return startTestService({folder});
}

describe.skipIf(noNeighbor)(
	`a neighbor on the machine${noNeighbor ? ` (skipped: ${noNeighbor})` : ''}`,
	() => {
		test('can neither connect to the socket, nor take its place, nor hold its lock', async () => {
			const {local, folder} = await shared();
			const before = statSync(local.socket);
			const attempts = `
			const fs = require('node:fs');
			const [socket, folder] = process.argv.slice(1);
			const attempt = run => { try { run(); return 'done'; } catch (error) { return error.code; } };
			const results = [
				attempt(() => fs.readdirSync(folder)),
				attempt(() => fs.unlinkSync(socket)),
				attempt(() => fs.renameSync(folder, folder + '-away')),
				attempt(() => fs.rmdirSync(folder)),
				attempt(() => fs.chmodSync(folder, 0o777)),
				attempt(() => fs.openSync(folder + '/service.lock', 'r+')),
				attempt(() => process.kill(${process.pid}, 'SIGTERM')),
			];
			require('node:net').connect(socket).on('connect', () => console.log('connected'))
				.on('error', error => console.log('ready ' + [...results, error.code]));
		`;
			const neighbor = runAsNeighbor(attempts, local.socket, folder);
			const [line] = await neighbor.until(/(ready|connected).*/);
			expect(line).toBe('ready EACCES,EACCES,EACCES,EACCES,EPERM,EACCES,EPERM,EACCES');
			expect(statSync(local.socket).ino).toBe(before.ino);
		});

		test.each(['folder', 'socket'])('who owns the %s is refused', async which => {
			const {local, folder} = await shared();
			chownSync(which === 'folder' ? dirname(local.socket) : local.socket, neighborId, neighborId);
			await expect(findService(folder)).rejects.toThrow(
				which === 'folder' ? /not a folder of yours/ : /belongs to another user/,
			);
		});
	},
);

import {spawnSync} from 'node:child_process';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {announce, findRunning} from '../../../src/local/attach.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';

test('an announced service is found with its key, and no longer once it is taken back', async () => {
	const {local, folder} = await startTestService({provisionsThisMachine: true});
	expect(findRunning(folder)).toBeUndefined();
	const withdraw = announce(folder, local);
	const found = findRunning(folder);
	expect(found?.url).toBe(local.url);
	expect(found?.key.reveal()).toBe(local.key.reveal());
	expect(found?.computerIds).toEqual(local.computerIds());
	expect(found?.computerIds).toHaveLength(1);
	withdraw();
	expect(findRunning(folder)).toBeUndefined();
});

test('the announcement is for its owner alone and holds no key', async () => {
	const {local, folder} = await startTestService();
	const withdraw = announce(folder, local);
	const file = join(folder, 'service.json');
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(readFileSync(file, 'utf8')).not.toContain(local.key.reveal());
	withdraw();
});

test('an announcement whose process was killed is not believed', () => {
	const folder = temporaryFolder();
	const program = `
		const {announce} = await import(${JSON.stringify(new URL('../../../src/local/attach.ts', import.meta.url).href)});
		announce(${JSON.stringify(folder)}, {url: 'http://127.0.0.1:1', computerIds: () => []});
		process.kill(process.pid, 'SIGKILL');`;
	const {signal} = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
	expect(signal).toBe('SIGKILL');
	expect(readFileSync(join(folder, 'service.json'), 'utf8')).toContain('127.0.0.1:1');
	expect(findRunning(folder)).toBeUndefined();
});

test.each(['', 'null', '{"url": "http://127.0.0.1:1"}', '{"url":"http://host.example","instance":"x"}'])(
	'what is no announcement is none: %j',
	text => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'service.json'), text);
		expect(findRunning(folder)).toBeUndefined();
	},
);

test('of two services over one folder the later is found, and the first to end leaves it', async () => {
	const first = await startTestService();
	const second = await startTestService({folder: first.folder});
	const withdrawFirst = announce(first.folder, first.local);
	const withdrawSecond = announce(first.folder, second.local);
	withdrawFirst();
	expect(findRunning(first.folder)?.url).toBe(second.local.url);
	withdrawSecond();
});

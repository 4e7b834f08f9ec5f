import {mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import {startLocalService} from '../../../src/local/start-local-service.ts';
import {openStorage} from '../../../src/local/storage/open-storage.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';

const suffixes = ['', '-wal', '-shm'];

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

test.each([
	['removed', /was removed while/, (file: string) => rmSync(file)],
	[
		'removed with its log',
		/was removed while/,
		(file: string) => {
			for (const suffix of suffixes) rmSync(file + suffix);
		},
	],
	['removed log', /lost its write-ahead log while/, (file: string) => rmSync(`${file}-wal`)],
	[
		'replaced',
		/was replaced while.*The file that replaced it is now \S+damaged-/,
		(file: string) => {
			writeFileSync(`${file}.new`, '');
			renameSync(`${file}.new`, file);
		},
	],
] as const)('%s: keeps everything, and reports the loss once', async (_, words, lose) => {
	const {folder, file, told, id, close} = await withLoss(lose);
	expect(told).toEqual([expect.stringMatching(words)]);
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

test("reports once that an emptied file can't be read in full, and goes on with a sound one", async () => {
	const folder = temporaryFolder();
	const first = await startTestService({folder});
	await first.close();
	const file = join(folder, 'service.sqlite');
	const raw = new DatabaseSync(file);
	const commit = raw.prepare('INSERT INTO commits (hash, date) VALUES (?, ?)');
	for (let i = 0; i < 5; i++) commit.run(`${i}`.repeat(1_000_000), '2026-01-01');
	raw.close();
	const told: string[] = [];
	const second = await startTestService({folder, onFileLost: what => told.push(what)});
	truncateSync(file);
	const {id} = await second.service.computers.create({name: 'box', remoteUser: 'me'});
	expect(told).toEqual([
		expect.stringMatching(/was emptied while.*What could still be read.*is now \S+damaged-/),
	]);
	await second.close();
	const again = await startTestService({folder});
	expect((await again.service.computers.get(id)).name).toBe('box');
});

test('two services over one folder go on with the same file', () => {
	const folder = temporaryFolder();
	const told: string[] = [];
	const one = openStorage(folder, what => told.push(`one: ${what}`));
	const two = openStorage(folder, what => told.push(`two: ${what}`));
	onTestFinished(() => [one, two].forEach(storage => void storage.close()));
	mkdirSync(join(folder, 'elsewhere'));
	renameSync(join(folder, 'service.sqlite'), join(folder, 'elsewhere/service.sqlite'));
	one.controls.add({from: 'one'}, 1);
	expect(two.controls.latest()?.settings).toEqual({from: 'one'});
	two.controls.add({from: 'two'}, 2);
	expect(one.controls.latest()?.settings).toEqual({from: 'two'});
	expect(told).toEqual([expect.stringMatching(/^one: .*was removed while/)]);
	expect(readdirSync(folder).filter(name => name.includes('damaged'))).toEqual([]);
});

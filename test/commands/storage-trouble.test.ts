import {execFileSync} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openDatabase} from '../../src/db/open-database.ts';
import {onlyAccountFile} from '../support/account-files.ts';
import {oneLine} from '../support/cli.ts';
import {type Commands, commandsAt, withoutWaits} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

const env = {QUARTERDECK_BASE_URL: 'http://127.0.0.1:9', QUARTERDECK_API_KEY: 'key'};

/** The one database that a first command has made. */
async function databaseOf(cli: Commands): Promise<string> {
	await cli.run(['sessions', 'add', 's1'], {env});
	return onlyAccountFile(cli.stateFolder);
}

function removeAll(file: string): void {
	for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, {force: true, recursive: true});
}

describe('commands', () => {
	test('report a damaged database in one line and by the doctor until it is acknowledged', async () => {
		const cli = withoutWaits(commandsAt(temporaryFolder()));
		const file = await databaseOf(cli);
		removeAll(file);
		writeFileSync(file, 'no database'.repeat(1000));
		for (let i = 0; i < 2; i++) {
			const {code, stderr} = await cli.run(['sessions', 'list'], {env});
			expect({code, stderr}).toEqual({
				code: 0,
				stderr: expect.stringMatching(/^[^\n]+\n.*: no sessions are known [^\n]+\n$/),
			});
			expect(stderr).toContain('was damaged');
			expect(stderr).toContain('doctor --acknowledge clears this message');
		}
		expect((await cli.run(['doctor'], {env})).stdout).toMatch(/database +warning .*was damaged/);
		expect((await cli.run(['doctor', '--acknowledge'], {env})).stdout).toMatch(/database +ok/);
		expect((await cli.run(['sessions', 'list'], {env})).stderr).not.toContain('damaged');
	});

	test.each([
		['damaged', 'no database'.repeat(1000)],
		['emptied', ''],
		['removed', undefined],
	])('find the account of a profile again when the list of accounts was %s', async (_, content) => {
		const cli = withoutWaits(commandsAt(temporaryFolder()));
		const keyFile = join(cli.home, 'key');
		writeFileSync(keyFile, 'key', {mode: 0o600});
		await cli.run(['profiles', 'set', 'acme', '--base-url', env.QUARTERDECK_BASE_URL, '--key-file', keyFile]);
		const run = (...words: readonly string[]) => cli.run([...words, '--profile', 'acme']);
		await run('sessions', 'add', 's1');
		const machine = join(cli.stateFolder, 'accounts/machine.sqlite');
		removeAll(machine);
		if (content !== undefined) writeFileSync(machine, content);
		expect((await run('sessions', 'list', '--json')).stdout).toContain('s1');
	});

	test('a pipe in place of a file gives one clear line, not a hang', async () => {
		const cli = withoutWaits(commandsAt(temporaryFolder()));
		const file = await databaseOf(cli);
		removeAll(file);
		execFileSync('mkfifo', [file]);
		expect((await cli.run(['sessions', 'list'], {env})).stderr).toMatch(
			/^quarterdeck: .*not a file\. Move it away/,
		);
		expect((await cli.run(['doctor'], {env})).stdout).toContain('not a file. Move it away');
		const folder = join(cli.home, '.config/quarterdeck');
		mkdirSync(folder, {recursive: true});
		execFileSync('mkfifo', [join(folder, 'config.json')]);
		const {code, stderr} = await cli.run(['sessions', 'list'], {env});
		expect({code, stderr}).toEqual({code: 1, stderr: expect.stringMatching(oneLine)});
		expect(stderr).toContain('not a file');
	});

	test('the doctor distinguishes a misplaced file and no file yet', async () => {
		const cli = withoutWaits(commandsAt(temporaryFolder()));
		expect((await cli.run(['doctor'], {env})).stdout).toContain('machine.sqlite: not created yet');
		const folder = join(cli.stateFolder, 'accounts');
		mkdirSync(cli.stateFolder, {recursive: true});
		writeFileSync(folder, '');
		expect((await cli.run(['doctor'], {env})).stdout).toMatch(/machine database +problem .*ENOTDIR/);
	});

	test('report the newest of several incidents in one line, and list all in the doctor', async () => {
		const cli = withoutWaits(commandsAt(temporaryFolder()));
		const file = await databaseOf(cli);
		const machine = join(cli.stateFolder, 'accounts/machine.sqlite');
		for (const [path, what, at] of [
			[machine, 'Machine, first.', 1],
			[file, 'Account, second.', 2],
			[file, 'Account, third.', 3],
		] as const) {
			const database = openDatabase({file: path});
			database.incidents.add({at, what});
			database.close();
		}
		const {stderr} = await cli.run(['sessions', 'list'], {env});
		expect(stderr).toBe(
			'quarterdeck: Account, third. And 2 earlier ones: quarterdeck doctor. quarterdeck doctor --acknowledge clears this message.\n',
		);
		expect((await cli.run(['events'])).stderr).toBe(
			'quarterdeck: Machine, first. quarterdeck doctor --acknowledge clears this message.\nquarterdeck: no hook events yet\n',
		);
		const {stdout} = await cli.run(['doctor'], {env});
		for (const what of ['Machine, first.', 'Account, second.', 'Account, third.'])
			expect(stdout).toContain(what);
	});

	test('fail on unreadable events instead of listing none', async () => {
		const cli = withoutWaits(commandsAt(temporaryFolder()));
		mkdirSync(join(cli.stateFolder, 'accounts/machine.sqlite'), {recursive: true});
		const {code, stdout, stderr} = await cli.run(['events']);
		expect({code, stdout}).toEqual({code: 1, stdout: ''});
		expect(stderr).toContain('machine.sqlite is a folder, not a file. Move it away');
	});

	test('fail on unreadable accounts and messages instead of finding none', async () => {
		const cli = withoutWaits(commandsAt(temporaryFolder()));
		mkdirSync(dirname(cli.stateFolder), {recursive: true});
		writeFileSync(cli.stateFolder, 'in the way');
		for (const args of [
			['accounts', 'list'],
			['accounts', 'forget', '0a1b2c3d'],
			['search', 'words'],
		]) {
			const {code, stdout, stderr} = await cli.run(args, {env});
			expect({args, code, stdout}).toEqual({args, code: 1, stdout: ''});
			expect(stderr).toContain("saved data can't be read: ");
		}
	});

	test('say in one line what is wrong with the files of the embedded service', async () => {
		const cli = withoutWaits(commandsAt(temporaryFolder()));
		const folder = join(cli.stateFolder, 'local');
		const file = join(folder, 'service.sqlite');
		const said = async () => {
			const {code, stderr} = await cli.run(['serve']);
			expect(code).toBe(1);
			expect(stderr).toMatch(oneLine);
			return stderr;
		};
		mkdirSync(folder, {recursive: true, mode: 0o700});
		writeFileSync(file, 'no database'.repeat(1000));
		expect(await said()).toMatch(/is damaged .*Move it aside/);
		removeAll(file);
		for (const suffix of ['', '-wal', '-shm']) {
			execFileSync('mkfifo', [file + suffix]);
			expect(await said()).toMatch(/is a named pipe, not a file\. Move it away/);
			removeAll(file);
		}
	});
});

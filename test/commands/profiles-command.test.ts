import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {saveLastProfile} from '../../src/config/profiles.ts';
import {jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {portOf, startTestService, temporaryFolder} from '../support/local-service.ts';

test('profiles are created, changed in place, renamed and removed without asking any service', async () => {
	const cli = commandsAt(temporaryFolder());
	const profiles = (...args: string[]) => cli.run(['profiles', ...args]);
	const configuration = () =>
		JSON.parse(readFileSync(join(cli.home, '.config/quarterdeck/config.json'), 'utf8'));
	const done = {code: 0, stdout: '', stderr: ''};

	expect(await profiles('set', 'acme')).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/profile acme needs an address/),
	});
	expect(await profiles('set', 'acme', '--base-url', 'acme.example', '--key-file', '~/key')).toEqual(done);
	expect(await profiles('set', 'beta', '--base-url', 'beta.example', '--key-command', 'echo k')).toEqual(
		done,
	);
	expect(await profiles('set', 'acme', '--base-url', 'https://new.example')).toMatchObject({
		code: 0,
		stderr: expect.stringMatching(
			/the address was https:\/\/acme.example; from now on the key is sent to https:\/\/new.example/,
		),
	});
	expect(configuration()).toEqual({
		profiles: {
			acme: {baseUrl: 'https://new.example', keyFile: '~/key'},
			beta: {baseUrl: 'https://beta.example', keyCommand: 'echo k'},
		},
	});
	expect(await profiles('set', 'acme', '--key-command', 'pass show k')).toEqual(done);
	expect(configuration().profiles.acme).toEqual({
		baseUrl: 'https://new.example',
		keyCommand: 'pass show k',
	});
	expect(await profiles('rename', 'acme', 'beta')).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/beta already exists/),
	});
	expect(await profiles('rename', 'acme', 'prod')).toEqual(done);
	expect((await profiles('list')).stdout).toMatch(
		/^NAME +DEFAULT +USED BY +ADDRESS +KEY\s+prod +- +screen, commands +https:\/\/new.example +pass show k\s+beta +- +- .*\s+local +- +- +embedded/,
	);
	mkdirSync(cli.stateFolder, {recursive: true});
	saveLastProfile(cli.stateFolder, 'local');
	expect((await profiles('list')).stdout).toMatch(/^prod +- +commands [\s\S]*^local +- +screen /m);
	expect(await profiles('default', 'beta')).toEqual(done);
	expect(await profiles('remove', 'beta')).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/add --yes/),
	});
	expect(await profiles('remove', 'beta', '--yes')).toEqual(done);
	expect(jsonLines((await profiles('list', '--json')).stdout)).toEqual([
		{
			id: 'prod',
			quarterdeck: {
				isDefault: false,
				usedBy: ['commands'],
				isLocal: false,
				baseUrl: 'https://new.example',
				keyCommand: 'pass show k',
			},
		},
		{id: 'local', quarterdeck: {isDefault: false, usedBy: ['screen'], isLocal: true}},
	]);
	expect(await profiles('remove', 'beta')).toMatchObject({
		code: 4,
		stderr: expect.stringMatching(/no profile beta/),
	});
	expect(await profiles('default', 'local')).toEqual(done);
	expect((await cli.run(['sessions', 'list'])).code).toBe(0);
	expect(await profiles('set', 'local', '--base-url', 'acme.example')).toMatchObject({code: 2});
});

test('a changed address reaches the other service, without data stored for the first', async () => {
	const cli = commandsAt(temporaryFolder());
	const [first, second] = [await startTestService({port: 0}), await startTestService({port: 0})];
	const use = async ({local}: typeof first) => {
		const {url, key} = portOf(local);
		const file = join(cli.home, `key-${new URL(url).port}`);
		writeFileSync(file, key, {mode: 0o600});
		const {code} = await cli.run(['profiles', 'set', 'default', '--base-url', url, '--key-file', file]);
		expect(code).toBe(0);
	};
	const {id} = await first.service.computers.create({name: 'box', remoteUser: 'me'});
	await use(first);
	expect((await cli.run(['computers', 'get', id])).code).toBe(0);
	await use(second);
	expect((await cli.run(['computers', 'list'])).stdout).not.toContain('box');
	await use(first);
	expect((await cli.run(['computers', 'list'])).stdout).toContain('box');
});

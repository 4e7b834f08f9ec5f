import {expect, test} from 'vitest';
import {accountsIn} from '../support/account-files.ts';
import {filesHolding, jsonLines} from '../support/cli.ts';
import {setUpPlaces as setUp, shared, writeProfiles} from '../support/places.ts';

test('the list names the profile that opened each account last', async () => {
	const {home, cli, a1} = await setUp();
	writeProfiles(home, {first: a1, second: a1});
	for (const name of ['first', 'second'])
		expect((await cli.run(['sessions', 'add', shared, '--profile', name])).code).toBe(0);
	const listed = jsonLines((await cli.run(['accounts', 'list', '--json'])).stdout);
	expect(listed).toMatchObject([{quarterdeck: {profile: 'second'}}]);
});

test('accounts are forgotten with their files, but unsent messages only if told so', async () => {
	const {a1, atA, cli} = await setUp();
	atA.faults.push('down');
	await a1.run('send', shared, 'forgettable', '--no-wait');
	const [account] = accountsIn(cli.stateFolder);
	const forget = (...flags: string[]) => a1.run('accounts', 'forget', account?.id ?? '', ...flags);
	const refused = await forget('--yes');
	expect(refused.code).toBe(1);
	expect(refused.stderr).toContain('--discard-unsent');
	expect((await forget('--discard-unsent')).code).toBe(2);
	expect(jsonLines((await a1.run('outbox', 'list', '--json')).stdout)).toMatchObject([{text: 'forgettable'}]);
	expect(filesHolding(cli.stateFolder, 'forgettable')).not.toEqual([]);
	expect(await forget('--discard-unsent', '--yes')).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/^deleted everything stored for .+\n$/),
	});
	expect(accountsIn(cli.stateFolder)).toEqual([]);
	expect(filesHolding(cli.stateFolder, 'forgettable')).toEqual([]);
	expect((await forget('--yes')).code).toBe(4);
});

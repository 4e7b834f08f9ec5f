import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commands} from '../../src/commands/cli/table.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import {commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

/** What concerns this machine, and works before a service is set up. */
const ofMachine = [
	'accounts forget',
	'accounts list',
	'accounts use',
	'bridge',
	'completion',
	'doctor',
	'events',
	'help',
	'hooks install',
	'hooks status',
	'hooks test',
	'hooks uninstall',
	'keys',
	'profiles default',
	'profiles list',
	'profiles remove',
	'profiles rename',
	'profiles set',
	'reset-terminal',
	'search',
	'serve',
	'storage',
	'storage prune',
	'uninstall',
];

/** Arguments without which a command is wrong, whatever the service. */
const required: Readonly<Record<string, readonly string[]>> = {
	'computers create': ['--name', 'x', '--remote-user', 'x', '--provider', 'e2b'],
	'computers update': ['x', '--name', 'y'],
	'sessions answer': ['x', 'y', 'once'],
	'sessions continue': ['--interrupted'],
	'sessions create': ['--computer-id', 'x'],
};

test('every command for a service says that none is set up, and what to do', async () => {
	const forService = commands.map(({path}) => path).filter(path => !ofMachine.includes(path));
	expect(forService.length).toBe(commands.length - ofMachine.length);
	const cli = commandsAt(temporaryFolder());
	const results: string[] = [];
	for (const {path, args} of commands.filter(one => forService.includes(one.path))) {
		const values = required[path] ?? args.filter(name => !name.startsWith('[')).map(() => 'x');
		const {code, stdout, stderr} = await cli.run([...path.split(' '), ...values]);
		if (code !== 2 || stdout !== '' || !stderr.startsWith('quarterdeck: no service is set up: '))
			results.push(`${path}: ${code} ${stdout} ${stderr}`);
	}
	expect(results).toEqual([]);
});

test('a command that only reads creates no files', async () => {
	const cli = commandsAt(temporaryFolder());
	for (const {path, args} of commands.filter(({onlyReads}) => onlyReads))
		await cli.run([...path.split(' '), ...args.map(() => 'x')]);
	await cli.run(['doctor']);
	expect(existsSync(cli.stateFolder)).toBe(false);
});

test('a session that hooks made known is listed and forgotten', async () => {
	const cli = commandsAt(temporaryFolder());
	const database = openDatabase({file: join(cli.stateFolder, 'accounts', 'none', 'quarterdeck.sqlite')});
	database.sessions.put({id: 's-1', origin: 'hook', addedAt: Date.now()});
	database.close();
	expect((await cli.run(['sessions', 'list'])).stdout).toContain('s-1');
	expect((await cli.run(['sessions', 'forget', 's-2'])).code).toBe(4);
	expect(await cli.run(['sessions', 'forget', 's-1'])).toMatchObject({
		code: 0,
		stdout: 'removed the session s-1 from the list\n',
		stderr: '',
	});
	expect((await cli.run(['sessions', 'list'])).code).toBe(2);
});

import {existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {jsonLines, oneLine} from '../support/cli.ts';
import {type Commands, commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

function put(cli: Commands, name: string, text = ''): string {
	const file = join(cli.home, name);
	mkdirSync(dirname(file), {recursive: true, mode: 0o700});
	writeFileSync(file, text);
	return file;
}

/** A home with hooks, data, compiled code, a socket's folder and a configuration, and what belongs to others. */
async function furnished() {
	const cli = commandsAt(temporaryFolder());
	const settings = put(cli, '.claude/settings.json', '{"model": "x"}\n');
	await cli.run(['hooks', 'install', '--yes']);
	await cli.run(['profiles', 'set', 'acme', '--base-url', 'https://acme.example']);
	await cli.run(['storage', '--profile', 'acme'], {env: {QUARTERDECK_API_KEY: 'key'}});
	put(cli, '.cache/quarterdeck/compiled/send');
	put(cli, '.cache/other/file');
	put(cli, 'run/quarterdeck/999999999.sock');
	put(cli, `quarterdeck-${process.getuid?.()}/999999999.sock`);
	put(cli, '.local/state/quarterdeck/local/worktrees/id/repo/file');
	return {cli, settings, state: cli.stateFolder, config: join(cli.home, '.config/quarterdeck')};
}

test('everything that was saved goes but the configuration, once the user agrees', async () => {
	const {cli, settings, state, config} = await furnished();
	expect(readFileSync(settings, 'utf8')).toContain('quarterdeck-hook');
	const asked = await cli.run(['uninstall']);
	expect([asked.code, existsSync(state)]).toEqual([2, true]);
	expect(asked.stderr).toContain('add --yes');

	const {code, stdout, stderr} = await cli.run(['uninstall', '--yes']);
	expect([code, stderr]).toEqual([0, `quarterdeck: ${config} stays; --config removes it too\n`]);
	expect(stdout.split('\n')).toEqual([
		`take the hooks of Claude Code out of ${settings}`,
		expect.stringMatching(
			`^remove ${state}: .*; also the worktrees of 1 session, with what is not committed`,
		),
		`remove ${cli.home}/.cache/quarterdeck: compiled code`,
		expect.stringMatching(`^remove ${cli.home}/run/quarterdeck: sockets`),
		expect.stringMatching(`^remove ${cli.home}/quarterdeck-\\d+: sockets`),
		'all that is listed was removed',
		'',
	]);
	expect(readFileSync(settings, 'utf8')).toBe('{"model": "x"}\n');
	expect(existsSync(state)).toBe(false);
	expect(readdirSync(join(cli.home, '.cache'))).toEqual(['other']);
	expect(readdirSync(join(cli.home, 'run'))).toEqual([]);
	expect(existsSync(join(cli.home, `quarterdeck-${process.getuid?.()}`))).toBe(false);
	expect(existsSync(join(config, 'config.json'))).toBe(true);

	const rest = await cli.run(['uninstall', '--config', '--yes', '--json']);
	expect(jsonLines(rest.stdout)).toEqual([{kind: 'folder', target: config}]);
	expect(existsSync(config)).toBe(false);
	expect(await cli.run(['uninstall'])).toEqual({
		code: 0,
		stdout: '',
		stderr: 'quarterdeck: nothing is saved: there is nothing to remove\n',
	});
});

test('branches of worktrees are named', async () => {
	const {cli} = await furnished();
	const database = new DatabaseSync(join(cli.stateFolder, 'local/service.sqlite'));
	database.exec('CREATE TABLE sessions (worktree TEXT)');
	const worktree = {path: '/gone', repository: '/repo', branch: 'quarterdeck/fix'};
	const add = database.prepare('INSERT INTO sessions VALUES (?)');
	add.run(JSON.stringify(worktree));
	add.run(JSON.stringify({...worktree, branch: 'quarterdeck/old', isRemoved: true}));
	database.close();
	const {code, stderr} = await cli.run(['uninstall', '--yes']);
	expect(code).toBe(0);
	expect(stderr).toContain(
		"/repo keeps the branch quarterdeck/fix, whose commits may be nowhere else; to delete it afterwards: git -C '/repo' worktree prune && git -C '/repo' branch -D quarterdeck/fix",
	);
});

test('nothing is removed while Quarterdeck is open', async () => {
	const {cli, settings, state} = await furnished();
	const open = cli.start(['events', '--follow']);
	await expect.poll(() => readdirSync(join(cli.home, 'run/quarterdeck'))).toHaveLength(2);
	const refused = await cli.run(['uninstall', '--yes']);
	expect(refused).toMatchObject({code: 1, stdout: '', stderr: expect.stringMatching(oneLine)});
	expect(refused.stderr).toContain(`Quarterdeck is open in process ${process.pid}; quit it first`);
	expect([existsSync(state), readFileSync(settings, 'utf8')]).toEqual([
		true,
		expect.stringContaining('quarterdeck-hook'),
	]);
	open.interrupt();
	await open.ended;
});

test('a settings file that cannot be changed keeps all that is listed after it', async () => {
	const {cli, settings, state} = await furnished();
	writeFileSync(settings, `${readFileSync(settings, 'utf8')}}`);
	const failed = await cli.run(['uninstall', '--yes']);
	expect([failed.code, existsSync(state)]).toEqual([1, true]);
	expect(failed.stderr).toContain(`${settings} failed, and what is listed after it is unchanged`);
	expect(failed.stderr.trim().split('\n').at(-1)).toContain(`${settings}: `);
});

test('data behind a link goes, too', async () => {
	const cli = commandsAt(temporaryFolder());
	const file = put(cli, 'disk/data/debug.log');
	mkdirSync(dirname(cli.stateFolder), {recursive: true});
	symlinkSync(dirname(file), cli.stateFolder);
	expect(await cli.run(['uninstall', '--yes'])).toMatchObject({code: 0});
	expect(readdirSync(join(cli.home, 'disk'))).toEqual([]);
	expect(readdirSync(dirname(cli.stateFolder))).toEqual([]);
});

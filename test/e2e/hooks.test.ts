import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Cli, cliAt, jsonLines} from '../support/cli.ts';
import {startFakeClient} from '../support/fake-client.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {builtCli, builtHook} from '../support/program.ts';
import {openTerminal} from '../support/terminal.ts';

const files: Readonly<Record<string, string>> = {
	'.claude/settings.json': '{\n  "env": {"ANTHROPIC_API_KEY": "canary-key"}\n}\n',
	'.factory/hooks.json': '{"Stop":[]}',
	'.factory/settings.json': '{"model": "x"}',
	'.qwen/settings.json': '\ufeff{\r\n\t"a": 1\r\n}',
	'.gemini/settings.json': '{\n    // mine\n    "hooks": {} // none\n}\n',
};

function put(cli: Cli, name: string, text: string): string {
	const file = join(cli.home, name);
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, text);
	return file;
}

/** A home with the settings of all clients; Codex was started there, and has none. */
function furnished(): Cli {
	const cli = cliAt(temporaryFolder());
	for (const [name, text] of Object.entries(files)) put(cli, name, text);
	mkdirSync(join(cli.home, '.codex'));
	return cli;
}

const textOf = (cli: Cli, name: string) => readFileSync(join(cli.home, name), 'utf8');

describe('from install to uninstall', () => {
	test('dry run, install, test, status and uninstall leave the files of every client as they were', async () => {
		const cli = furnished();
		const dry = await cli.run(['hooks', 'install', '--dry-run']);
		expect(dry).toMatchObject({code: 0, stderr: ''});
		expect(dry.stdout).toMatch(/Claude Code .*settings\.json: add Notification, Stop/);
		const launcher = join(cli.stateFolder, 'quarterdeck-hook');
		expect(dry.stdout).toContain(`"command": "'${launcher}' --client claude 2>/dev/null || true",`);
		expect(dry.stdout).toContain(`${launcher}: write`);
		expect(existsSync(launcher)).toBe(false);
		expect(dry.stdout).not.toContain('canary-key');
		for (const [name, text] of Object.entries(files)) expect(textOf(cli, name)).toBe(text);

		const installed = await cli.run(['hooks', 'install', '--yes', '--json']);
		expect(installed.code).toBe(0);
		const changed = jsonLines(installed.stdout).filter(({written}) => written);
		expect(changed.map(({client}) => client)).toEqual(['claude', 'droid', 'qwen', 'gemini', 'codex']);
		expect(changed.every(({backup, client}) => client === 'codex' || existsSync(String(backup)))).toBe(true);
		expect(textOf(cli, '.factory/settings.json')).toBe(files['.factory/settings.json']);
		expect(textOf(cli, '.claude/settings.json')).toContain('canary-key');

		const again = await cli.run(['hooks', 'install', '--yes', '--json']);
		expect(again.code).toBe(0);
		expect(jsonLines(again.stdout).filter(({change}) => change !== 'same')).toEqual([]);

		const tested = await cli.run(['hooks', 'test', '--client', 'claude', '--client', 'codex', '--json']);
		expect(tested.code).toBe(0);
		const runs = jsonLines(tested.stdout);
		expect(runs).toHaveLength(2 * 6 * 10);
		expect(runs.flatMap(({problems}) => problems)).toEqual([]);

		const status = await cli.run(['hooks', 'status']);
		expect(status.code).toBe(0);
		expect(status.stdout).toMatch(/claude +user +\S+settings\.json +installed/);
		expect(status.stdout).toMatch(/droid +user +\S+settings\.json +ignored: another file takes precedence/);

		const gone = await cli.run(['hooks', 'uninstall', '--yes']);
		expect(gone.code).toBe(0);
		for (const [name, text] of Object.entries(files)) expect(textOf(cli, name)).toBe(text);
		expect(existsSync(join(cli.home, '.codex/hooks.json'))).toBe(false);
		expect((await cli.run(['hooks', 'test'])).code).toBe(1);
	}, 180_000);

	test('an event fired after an install is shown by the program that follows', async () => {
		const cli = furnished();
		await cli.run(['hooks', 'install', '--yes', '--client', 'droid']);
		const following = cli.start(['events', '--follow', '--json']);
		const status = async () => jsonLines((await cli.run(['hooks', 'status', '--json'])).stdout)[0];
		await expect
			.poll(async () => (await status())?.programs)
			.toMatchObject([{pid: following.child.pid, live: true}]);
		const env = {PATH: process.env.PATH, HOME: cli.home, XDG_RUNTIME_DIR: join(cli.home, 'run')};
		const client = startFakeClient('droid', {home: cli.home, cwd: cli.home, env});
		await client.fire('Notification', {message: 'may I?'});
		await following.until(/"event":"Notification"/);
		expect(jsonLines(following.stdout)).toMatchObject([
			{
				client: 'droid',
				data: {session_id: 'droid-session', message: 'may I?'},
				quarterdeck: {delivery: 'socket'},
			},
		]);
		expect((await status())?.lastEvents).toMatchObject([{client: 'droid', event: 'Notification'}]);
		following.child.kill('SIGTERM');
		await following.ended;
	});
});

describe('an install', () => {
	test("leaves a file that it can't read alone, says where, and goes on with the others", async () => {
		const cli = cliAt(temporaryFolder());
		put(cli, '.claude/settings.json', '{\n  "hooks": {},\n  "hooks": {}\n}');
		put(cli, '.qwen/settings.json', '{}');
		const {code, stdout} = await cli.run(['hooks', 'install', '--yes']);
		expect(code).toBe(1);
		expect(stdout).toContain('settings.json: not changed: line 3, column 3: duplicate key "hooks"');
		expect(textOf(cli, '.claude/settings.json')).toBe('{\n  "hooks": {},\n  "hooks": {}\n}');
		expect(textOf(cli, '.qwen/settings.json')).toContain('quarterdeck-hook');
	});

	test('goes into the project, or into a named file', async () => {
		const cli = cliAt(temporaryFolder());
		expect((await cli.run(['hooks', 'install', '--yes', '--client=codex', '--scope=project'])).code).toBe(0);
		expect(textOf(cli, '.codex/hooks.json')).toContain('--client codex');
		const named = join(cli.home, 'elsewhere.json');
		const args = ['hooks', 'install', '--yes', '--last-message', '--settings', named];
		expect((await cli.run(args)).stderr).toMatch(/add --client NAME/);
		expect((await cli.run([...args, '--client', 'gemini'])).code).toBe(0);
		expect(readFileSync(named, 'utf8')).toContain('--client gemini --last-message');
	});

	test("into a file that the client doesn't read is refused, but an uninstall from it isn't", async () => {
		const cli = cliAt(temporaryFolder());
		const settings = put(cli, '.factory/settings.json', '{}');
		await cli.run(['hooks', 'install', '--yes', '--settings', settings]);
		put(cli, '.factory/hooks.json', '{}');
		const refused = await cli.run(['hooks', 'install', '--yes', '--settings', settings]);
		expect(refused).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(/use hooks\.json in the same folder/),
		});
		expect((await cli.run(['hooks', 'uninstall', '--yes', '--settings', settings])).code).toBe(0);
		expect(readFileSync(settings, 'utf8')).toBe('{}');
	});

	test('into a named file is checked and tested if status and test name it, too', async () => {
		const cli = cliAt(temporaryFolder());
		const settings = put(cli, 'team/claude.json', '{"disableAllHooks": true}');
		const named = ['--client', 'claude', '--settings', settings];
		await cli.run(['hooks', 'install', '--yes', ...named]);
		const [status] = jsonLines((await cli.run(['hooks', 'status', '--json', ...named])).stdout);
		expect(status?.clients).toMatchObject([
			{
				client: 'claude',
				files: expect.arrayContaining([expect.objectContaining({path: settings, stale: [], missing: []})]),
				offSwitches: [{file: settings, name: 'disableAllHooks'}],
			},
		]);
		const others = jsonLines((await cli.run(['hooks', 'status', '--json', '--client', 'claude'])).stdout);
		expect(JSON.stringify(others)).not.toContain(settings);
		const runs = jsonLines((await cli.run(['hooks', 'test', '--json', ...named])).stdout);
		expect(runs.length).toBeGreaterThan(0);
		expect(runs.flatMap(({problems}) => problems)).toEqual([]);
	}, 180_000);

	test('says what is left to do, or that there is nothing to change', async () => {
		const cli = cliAt(temporaryFolder());
		const args = ['hooks', 'install', '--yes', '--client', 'codex'];
		expect((await cli.run(args)).stderr).toMatch(/Codex: confirm that you trust the changed hooks/);
		expect(await cli.run(args)).toMatchObject({
			code: 0,
			stderr: '',
			stdout: expect.stringMatching(/hooks\.json: nothing to change\n$/),
		});
	});

	test('into a read-only file fails and says so, without asking for a restart', async () => {
		const cli = cliAt(temporaryFolder());
		chmodSync(put(cli, '.factory/settings.json', '{}'), 0o400);
		const {code, stderr} = await cli.run(['hooks', 'install', '--yes']);
		expect(code).toBe(1);
		expect(stderr).toMatch(/settings\.json is read-only: make it writable/);
		expect(stderr).not.toMatch(/restart them/);
		const status = await cli.run(['hooks', 'status']);
		expect(status.stdout).toMatch(/hooks\.json +no file/);
		expect(status.stdout).toMatch(/settings\.json +not installed/);
	});

	test('reports a switch that keeps every hook from running', async () => {
		const cli = cliAt(temporaryFolder());
		put(cli, '.claude/settings.json', '{"disableAllHooks": true}');
		const {code, stderr} = await cli.run(['hooks', 'install', '--yes']);
		expect(code).toBe(0);
		expect(stderr).toMatch(/Claude Code has hooks turned off: disableAllHooks in \S+settings\.json/);
		expect((await cli.run(['hooks', 'status'])).code).toBe(1);
	});

	test.each([
		['no client is found', [], /no client was found/],
		['the client is unknown', ['--client', 'emacs'], /must be one of claude, droid/],
		['the scope is unknown', ['--client', 'claude', '--scope', 'all'], /must be one of user, project, local/],
		[
			'the client has no such scope',
			['--client', 'codex', '--scope', 'local'],
			/Codex has no local settings/,
		],
		[
			'two files are named',
			['--client', 'codex', '--scope', 'user', '--settings', 'x'],
			/--settings and --scope can't be used together/,
		],
		['nobody can be asked', ['--client', 'codex'], /there is no terminal to ask for confirmation/],
		['JSON is wanted and nobody asked', ['--client', 'codex', '--json'], /--json can't ask for confirmation/],
	])('is refused when %s', async (_, args, why) => {
		const cli = cliAt(temporaryFolder());
		const {code, stderr} = await cli.run(['hooks', 'install', ...args]);
		expect(code).toBe(2);
		expect(stderr).toMatch(why);
		expect(existsSync(join(cli.home, '.codex'))).toBe(false);
	});

	test.each([
		['n', 'enter', 1, false],
		['', 'enter', 1, false],
		['', 'ctrl+d', 1, false],
		['y', 'ctrl+c', 130, false],
		['y', 'enter', 0, true],
	])('asks on the terminal: %j and %s exits with %i', async (answer, key, code, isInstalled) => {
		const home = temporaryFolder();
		const terminal = openTerminal({
			command: process.execPath,
			args: [builtCli, 'hooks', 'install', '--client', 'claude'],
			env: {PATH: process.env.PATH, HOME: home, TMPDIR: home},
			cwd: home,
		});
		await terminal.see('Change this file? [y/N]');
		terminal.type(answer);
		terminal.press(key);
		expect((await terminal.exit()).code).toBe(code);
		expect(existsSync(join(home, '.claude/settings.json'))).toBe(isInstalled);
	});

	test('writes a launcher that names the hook beside the program, and repairs it alone', async () => {
		const cli = cliAt(temporaryFolder());
		const args = ['hooks', 'install', '--yes', '--client', 'claude'];
		await cli.run(args);
		const launcher = join(cli.stateFolder, 'quarterdeck-hook');
		const text = readFileSync(launcher, 'utf8');
		expect(text).toContain(`hook='${builtHook}'`);
		writeFileSync(launcher, text.replace(/^node=.*/m, "node='/gone/node'"));
		const status = await cli.run(['hooks', 'status']);
		expect(status).toMatchObject({code: 1, stdout: expect.stringContaining('program not found: /gone/node')});
		const settings = textOf(cli, '.claude/settings.json');
		expect(await cli.run(args)).toMatchObject({
			code: 0,
			stderr: expect.stringContaining(`wrote ${launcher}`),
		});
		expect(readFileSync(launcher, 'utf8')).toBe(text);
		expect(textOf(cli, '.claude/settings.json')).toBe(settings);
	});

	test('removes the launcher with the last entry that names it', async () => {
		const cli = cliAt(temporaryFolder());
		await cli.run(['hooks', 'install', '--yes', '--client', 'claude', '--client', 'codex']);
		const launcher = join(cli.stateFolder, 'quarterdeck-hook');
		await cli.run(['hooks', 'uninstall', '--yes', '--client', 'claude']);
		expect(existsSync(launcher)).toBe(true);
		await cli.run(['hooks', 'uninstall', '--yes']);
		expect(existsSync(launcher)).toBe(false);
	});
});

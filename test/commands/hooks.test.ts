import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {type Commands, commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {builtHook} from '../support/program.ts';

const files: Readonly<Record<string, string>> = {
	'.claude/settings.json': '{\n  "env": {"ANTHROPIC_API_KEY": "canary-key"}\n}\n',
	'.factory/hooks.json': '{"Stop":[]}',
	'.factory/settings.json': '{"model": "x"}',
	'.qwen/settings.json': '\ufeff{\r\n\t"a": 1\r\n}',
	'.gemini/settings.json': '{\n    // mine\n    "hooks": {} // none\n}\n',
};

function put(cli: Commands, name: string, text: string): string {
	const file = join(cli.home, name);
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, text);
	return file;
}

/** A home with the settings of all clients; Codex was started there, and has none. */
function furnished(): Commands {
	const cli = commandsAt(temporaryFolder());
	for (const [name, text] of Object.entries(files)) put(cli, name, text);
	mkdirSync(join(cli.home, '.codex'));
	return cli;
}

const textOf = (cli: Commands, name: string) => readFileSync(join(cli.home, name), 'utf8');

describe('from install to uninstall', () => {
	test('dry run, install, status and uninstall leave the files of every client as they were', async () => {
		const cli = furnished();
		expect((await commandsAt(temporaryFolder()).run(['hooks', 'uninstall', '--yes'])).stdout).toBe(
			'no hooks are installed: nothing to remove\n',
		);
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

		const status = await cli.run(['hooks', 'status']);
		expect(status.code).toBe(0);
		expect(status.stdout).toMatch(/claude +user +\S+settings\.json +installed/);
		expect(status.stdout).toMatch(/droid +user +\S+settings\.json +ignored: another file takes precedence/);

		const gone = await cli.run(['hooks', 'uninstall', '--yes']);
		expect(gone.code).toBe(0);
		for (const [name, text] of Object.entries(files)) expect(textOf(cli, name)).toBe(text);
		expect(existsSync(join(cli.home, '.codex/hooks.json'))).toBe(false);
		expect((await cli.run(['hooks', 'test'])).code).toBe(1);
	});
});

describe('an install', () => {
	test("leaves a file that it can't read alone, says where, and goes on with the others", async () => {
		const cli = commandsAt(temporaryFolder());
		put(cli, '.claude/settings.json', '{\n  "hooks": {},\n  "hooks": {}\n}');
		put(cli, '.qwen/settings.json', '{}');
		const {code, stdout} = await cli.run(['hooks', 'install', '--yes']);
		expect(code).toBe(1);
		expect(stdout).toContain('settings.json: not changed: line 3, column 3: duplicate key "hooks"');
		expect(textOf(cli, '.claude/settings.json')).toBe('{\n  "hooks": {},\n  "hooks": {}\n}');
		expect(textOf(cli, '.qwen/settings.json')).toContain('quarterdeck-hook');
	});

	test('goes into the project, or into a named file', async () => {
		const cli = commandsAt(temporaryFolder());
		expect((await cli.run(['hooks', 'install', '--yes', '--client=codex', '--scope=project'])).code).toBe(0);
		expect(textOf(cli, '.codex/hooks.json')).toContain('--client codex');
		const named = join(cli.home, 'elsewhere.json');
		const args = ['hooks', 'install', '--yes', '--last-message', '--settings', named];
		expect((await cli.run(args)).stderr).toMatch(/add --client NAME/);
		expect((await cli.run([...args, '--client', 'gemini'])).code).toBe(0);
		expect(readFileSync(named, 'utf8')).toContain('--client gemini --last-message');
	});

	test("into a file that the client doesn't read is refused, but an uninstall from it isn't", async () => {
		const cli = commandsAt(temporaryFolder());
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
		const cli = commandsAt(temporaryFolder());
		const settings = put(cli, 'team/claude.json', '{"disableAllHooks": true}');
		const named = ['--client', 'claude', '--settings', settings];
		await cli.run(['hooks', 'install', '--yes', ...named]);
		const [status] = jsonLines((await cli.run(['hooks', 'status', '--json', ...named])).stdout);
		expect(status?.clients).toMatchObject([
			{
				client: 'claude',
				files: expect.arrayContaining([expect.objectContaining({path: settings, stale: [], missing: []})]),
				turnedOff: [{file: settings, name: 'disableAllHooks'}],
			},
		]);
		const others = jsonLines((await cli.run(['hooks', 'status', '--json', '--client', 'claude'])).stdout);
		expect(JSON.stringify(others)).not.toContain(settings);
		// One event says as much as all of them, sooner.
		const {hooks} = JSON.parse(readFileSync(settings, 'utf8'));
		writeFileSync(settings, JSON.stringify({hooks: {Stop: hooks.Stop}}));
		const runs = jsonLines((await cli.run(['hooks', 'test', '--json', ...named])).stdout);
		expect(new Set(runs.map(({event}) => event))).toEqual(new Set(['Stop']));
		expect(runs.flatMap(({problems}) => problems)).toEqual([]);
	});

	test('says what is left to do, or that there is nothing to change', async () => {
		const cli = commandsAt(temporaryFolder());
		const args = ['hooks', 'install', '--yes', '--client', 'codex'];
		expect((await cli.run(args)).stderr).toMatch(/Codex: confirm that you trust the changed hooks/);
		expect(await cli.run(args)).toMatchObject({
			code: 0,
			stderr: '',
			stdout: expect.stringMatching(/hooks\.json: nothing to change\n$/),
		});
	});

	test('reports a switch that keeps every hook from running', async () => {
		const cli = commandsAt(temporaryFolder());
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
		const cli = commandsAt(temporaryFolder());
		const {code, stderr} = await cli.run(['hooks', 'install', ...args]);
		expect(code).toBe(2);
		expect(stderr).toMatch(why);
		expect(existsSync(join(cli.home, '.codex'))).toBe(false);
	});

	test('the doctor and the status say why installed hooks report nothing, and what mends it', async () => {
		const cli = furnished();
		const doctor = async () => (await cli.run(['doctor'])).stdout;
		expect(await doctor()).toMatch(/hooks +ok +none installed/);
		await cli.run(['hooks', 'install', '--yes']);
		expect(await doctor()).toMatch(/hooks +ok +installed in the settings of Claude Code, Factory droid/);
		const launcher = join(cli.stateFolder, 'quarterdeck-hook');
		writeFileSync(launcher, readFileSync(launcher, 'utf8').replace(/^node=.*$/m, "node='/old/node'"));
		const gone = await doctor();
		expect(gone).toMatch(/hooks +problem +The hooks of Claude Code report nothing: \/old\/node is gone/);
		expect(gone).toMatch(/hooks: run .*hooks install/);
		await cli.run(['hooks', 'install', '--yes']);
		chmodSync(launcher, 0o600);
		expect(await doctor()).toMatch(/hooks +problem .*quarterdeck-hook is gone or can't be run/);
		await cli.run(['hooks', 'install', '--yes']);
		expect(await doctor()).toMatch(/hooks +ok/);
		put(cli, '.claude/settings.json', `// mine\n${textOf(cli, '.claude/settings.json')}`);
		expect(await doctor()).toMatch(/hooks +problem +Claude Code skips \S+settings\.json.*it has comments/);
		const status = await cli.run(['hooks', 'status']);
		expect(status).toMatchObject({code: 1});
		expect(status.stdout).toMatch(/Claude Code skips \S+settings\.json, hooks included, for its comments/);
	});

	test('writes a launcher that names the hook beside the program, and repairs it alone', async () => {
		const cli = commandsAt(temporaryFolder());
		const args = ['hooks', 'install', '--yes', '--client', 'claude'];
		await cli.run(args);
		const launcher = join(cli.stateFolder, 'quarterdeck-hook');
		const text = readFileSync(launcher, 'utf8');
		expect(text).toContain(`hook='${builtHook}'`);
		writeFileSync(launcher, text.replace(/^node=.*/m, "node='/gone/node'"));
		const status = await cli.run(['hooks', 'status']);
		expect(status).toMatchObject({
			code: 1,
			stdout: expect.stringContaining("program is gone or can't be run: /gone/node"),
		});
		const settings = textOf(cli, '.claude/settings.json');
		expect(await cli.run(args)).toMatchObject({
			code: 0,
			stderr: expect.stringContaining(`wrote ${launcher}`),
		});
		expect(readFileSync(launcher, 'utf8')).toBe(text);
		expect(textOf(cli, '.claude/settings.json')).toBe(settings);
	});

	test('removes the launcher with the last entry that names it', async () => {
		const cli = commandsAt(temporaryFolder());
		await cli.run(['hooks', 'install', '--yes', '--client', 'claude', '--client', 'codex']);
		const launcher = join(cli.stateFolder, 'quarterdeck-hook');
		await cli.run(['hooks', 'uninstall', '--yes', '--client', 'claude']);
		expect(existsSync(launcher)).toBe(true);
		await cli.run(['hooks', 'uninstall', '--yes']);
		expect(existsSync(launcher)).toBe(false);
	});
});

describe('hooks install --answer', () => {
	const settings = '{\n  "model": "x"\n}\n';

	function clientAt(): {cli: Commands; file: string} {
		const cli = commandsAt(temporaryFolder());
		mkdirSync(join(cli.home, '.claude'));
		const file = join(cli.home, '.claude/settings.json');
		writeFileSync(file, settings);
		return {cli, file};
	}

	test('is off by default, has its own line in the status, and is undone byte for byte', async () => {
		const {cli, file} = clientAt();
		await cli.run(['hooks', 'install', '--yes']);
		expect(readFileSync(file, 'utf8')).not.toContain('PermissionRequest');
		expect((await cli.run(['hooks', 'status'])).stdout).toContain('answered only in the client');
		const {code, stderr} = await cli.run(['hooks', 'install', '--yes', '--answer', '--answer-minutes', '5']);
		expect(code).toBe(0);
		expect(stderr).toContain('keep it in memory only');
		expect(JSON.parse(readFileSync(file, 'utf8')).hooks.PermissionRequest).toHaveLength(1);
		const status = await cli.run(['hooks', 'status']);
		expect(status).toMatchObject({code: 0});
		expect(status.stdout).toMatch(/claude +user +\S+ +installed/);
		expect(status.stdout).toContain('can be answered here, for 5 minutes');
		await cli.run(['hooks', 'install', '--yes']);
		expect(readFileSync(file, 'utf8')).not.toContain('PermissionRequest');
		await cli.run(['hooks', 'install', '--yes', '--answer']);
		await cli.run(['hooks', 'uninstall', '--yes']);
		expect(readFileSync(file, 'utf8')).toBe(settings);
	});

	test('is only for clients whose prompts a hook can answer, and for 1 to 60 minutes', async () => {
		const {cli} = clientAt();
		mkdirSync(join(cli.home, '.codex'));
		const codex = await cli.run(['hooks', 'install', '--yes', '--answer', '--client', 'codex']);
		expect(codex).toMatchObject({code: 2});
		expect(codex.stderr).toContain('--answer is only for Claude Code');
		for (const more of [
			['--answer-minutes', '5'],
			['--answer', '--answer-minutes', '61'],
		])
			expect(await cli.run(['hooks', 'install', '--yes', ...more])).toMatchObject({code: 2});
	});
});

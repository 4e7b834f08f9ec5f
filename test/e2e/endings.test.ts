import {chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {oneLine, runProgram} from '../support/cli.ts';
import {isAlive} from '../support/is-alive.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {builtCli, emptyHome, homeIn} from '../support/program.ts';
import {openTerminal} from '../support/terminal.ts';

const node = process.execPath;
/** A user id that no machine has a name for. */
const nameless = 54_321;
const isRoot = process.getuid?.() === 0;

/** A command line of sh in which `qd` is the program. */
const inShell = (line: string, env = emptyHome()) =>
	runProgram('/bin/sh', ['-c', line.replaceAll('qd', `"${node}" "${builtCli}"`)], {env, cwd: env.HOME});

describe('stdout that is full or closed', () => {
	test.each(['--help', 'keys --json', 'serve'])('qd %s: one line on stderr, exit 1', async args => {
		const {code, stdout, stderr} = await inShell(`qd ${args} >/dev/full`);
		expect({code, stdout}).toEqual({code: 1, stdout: ''});
		expect(stderr).toMatch(oneLine);
		expect(stderr).toMatch(/stdout can't be written/);
	});

	test.each(['--help', 'keys --json'])('qd %s ends quietly with 0 if the reader is gone', async args => {
		const {stdout, stderr} = await inShell(`{ qd ${args}; echo "code $?" >&2; } | true`);
		expect({stdout, stderr}).toEqual({stdout: '', stderr: 'code 0\n'});
	});
});

describe('a key command', () => {
	function withKeyCommand(keyCommand: string | readonly string[]) {
		const env = emptyHome();
		const folder = join(env.HOME ?? '', '.config/quarterdeck');
		mkdirSync(folder, {recursive: true});
		const profiles = {default: {baseUrl: 'http://127.0.0.1:9', keyCommand}};
		writeFileSync(join(folder, 'config.json'), JSON.stringify({profiles}));
		return env;
	}

	test.each([
		[
			'prints without end',
			'trap "" TERM PIPE; while :; do echo xxxxxxxxxxxxxxxx; done 2>&-',
			/more than a key/,
		],
		['fails and leaves a child with its output', 'sleep 300 & echo $! >child; exit 3', /exited with 3/],
	])('that %s gives one line and exit 1', async (_, command, why) => {
		const {code, stderr} = await inShell(
			'qd computers get c-1; code=$?; [ -f child ] && kill $(cat child); exit $code',
			withKeyCommand(command),
		);
		expect(code).toBe(1);
		expect(stderr).toMatch(oneLine);
		expect(stderr).toMatch(why);
	});

	test('that never ends is ended by the first signal', async () => {
		const env = withKeyCommand('echo $$ >command; exec sleep 300');
		const line =
			'qd computers get c-1 & while [ ! -s command ]; do sleep 0.02; done; kill -TERM $!; wait $!; echo "code $?"';
		const {stdout} = await inShell(line, env);
		expect(stdout).toBe('code 130\n');
		const command = Number(readFileSync(join(env.HOME ?? '', 'command'), 'utf8'));
		await expect.poll(() => isAlive(command)).toBe(false);
	});
});

describe('a working folder that was removed', () => {
	const line = 'mkdir gone; cd gone; rmdir ../gone; ';

	test('commands work, and the screen opens', async () => {
		const env = emptyHome();
		for (const args of ['hooks status', 'computers list --local']) {
			const {code, stdout, stderr} = await inShell(`${line}qd ${args}`, env);
			expect([args, code]).toEqual([args, 0]);
			expect(stdout).not.toBe('');
			expect(stderr).toContain('the working directory was removed: using ');
			expect(stderr).not.toMatch(/ENOENT|uv_cwd|system error/);
		}
		const terminal = openTerminal({
			command: '/bin/sh',
			args: ['-c', `${line}exec "${node}" "${builtCli}" --local`],
			env,
			cwd: env.HOME ?? '',
		});
		await terminal.see('this machine');
		terminal.press('q');
		expect(await terminal.exit()).toEqual({code: 0});
	});
});

describe.skipIf(!isRoot)('a user id without a name, without HOME (needs root)', () => {
	const asNameless = `setpriv --reuid=${nameless} --regid=${nameless} --clear-groups env -u HOME -u USER -u LOGNAME`;

	function open() {
		const folder = temporaryFolder();
		chmodSync(folder, 0o755);
		const env = homeIn(folder);
		for (const name of ['state', 'cache', 'config']) {
			mkdirSync(join(folder, name), {mode: 0o700});
			chownSync(join(folder, name), nameless, nameless);
			env[`XDG_${name.toUpperCase()}_HOME`] = join(folder, name);
		}
		chownSync(env.XDG_RUNTIME_DIR ?? '', nameless, nameless);
		return env;
	}

	test('without a place to write, one line says so', async () => {
		const env = homeIn(temporaryFolder());
		const {code, stderr} = await inShell(`${asNameless} -u XDG_RUNTIME_DIR qd hooks status`, env);
		expect(code).toBe(0);
		expect(stderr).toMatch(oneLine);
		expect(stderr).toContain("can't write to /.local/state/quarterdeck");
	});

	test('a command works, and the screen opens', async () => {
		const env = open();
		const {code, stdout, stderr} = await inShell(`${asNameless} qd computers list --local`, env);
		expect(code).toBe(0);
		expect(stdout).not.toBe('');
		expect(stderr).not.toMatch(/uv_os|system error/);
		const terminal = openTerminal({
			command: '/bin/sh',
			args: ['-c', `exec ${asNameless} "${node}" "${builtCli}" --local`],
			env,
			cwd: '/',
		});
		await terminal.see('this machine');
		terminal.press('q');
		expect(await terminal.exit()).toEqual({code: 0});
	});
});

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
	test.each(['--help', 'serve'])('qd %s: one line on stderr, exit 1', async args => {
		const {code, stdout, stderr} = await inShell(`qd ${args} >/dev/full`);
		expect({code, stdout}).toEqual({code: 1, stdout: ''});
		expect(stderr).toMatch(oneLine);
		expect(stderr).toMatch(/stdout can't be written/);
	});

	test('qd --help ends quietly with 0 if the reader is gone', async () => {
		const {stdout, stderr} = await inShell(`{ qd --help; echo "code $?" >&2; } | true`);
		expect({stdout, stderr}).toEqual({stdout: '', stderr: 'code 0\n'});
	});
});

test('a key command that never ends is ended by the first signal', async () => {
	const env = emptyHome();
	const folder = join(env.HOME ?? '', '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	const keyCommand = 'echo $$ >command; exec sleep 300';
	const profiles = {default: {baseUrl: 'http://127.0.0.1:9', keyCommand}};
	writeFileSync(join(folder, 'config.json'), JSON.stringify({profiles}));
	const line =
		'qd computers get c-1 & while [ ! -s command ]; do sleep 0.02; done; kill -TERM $!; wait $!; echo "code $?"';
	const {stdout} = await inShell(line, env);
	expect(stdout).toBe('code 130\n');
	const command = Number(readFileSync(join(env.HOME ?? '', 'command'), 'utf8'));
	await expect.poll(() => isAlive(command)).toBe(false);
});

test('in a working folder that was removed, commands work, and the screen opens', async () => {
	const line = 'mkdir gone; cd gone; rmdir ../gone; ';
	const env = emptyHome();
	const {code, stdout, stderr} = await inShell(`${line}qd hooks status`, env);
	expect(code).toBe(0);
	expect(stdout).not.toBe('');
	expect(stderr).toContain('the working directory was removed: using ');
	expect(stderr).not.toMatch(/ENOENT|uv_cwd|system error/);
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

	test('without a place to write, a command says so', async () => {
		const env = homeIn(temporaryFolder());
		const {code, stderr} = await inShell(`${asNameless} -u XDG_RUNTIME_DIR qd storage prune --yes`, env);
		expect(code).toBe(1);
		expect(stderr).toContain("can't write to /.local/state/quarterdeck");
	});

	test('the screen opens, and starts the service', async () => {
		const env = open();
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

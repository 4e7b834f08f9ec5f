import {spawnSync} from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, onTestFinished, test} from 'vitest';
import {listProcesses, readProcVariable} from '../../../hooks/proc-stat.ts';
import {formatHookCommand, isHookCommand, readHookCommand} from '../../../src/hook-setup/hook-command.ts';
import {findHook, findNode} from '../../../src/hook-setup/launcher.ts';
import {runCommand} from '../../../src/hook-setup/trial.ts';
import {installedCommand} from '../../support/hook-install.ts';

function folder(parent = tmpdir()): string {
	const path = realpathSync(mkdtempSync(join(parent, 'hook-command-')));
	onTestFinished(() => rmSync(path, {recursive: true, force: true}));
	return path;
}

/** A program named `node` that runs a script. */
function fakeNode(path: string, script = ''): string {
	const file = join(path, 'node');
	writeFileSync(file, `#!/bin/sh\n${script}\n`);
	chmodSync(file, 0o755);
	return file;
}

describe('the command', () => {
	test.each([
		'plain',
		'with space',
		"with ' quote",
		'with " and $HOME and `x` and \\',
		'ünï; rm -rf x',
		'new\nline',
	])('runs the hook from a folder %j', async name => {
		const path = join(folder(), name);
		mkdirSync(path);
		const hook = join(path, 'hook.cjs');
		writeFileSync(hook, '');
		const node = fakeNode(path, 'printf "%s|" "$@" >"$(dirname "$0")/arguments"');
		const command = installedCommand(path, {node, hook}, {hasLastMessage: true});
		const end = await runCommand(command, {env: {PATH: '/usr/bin:/bin'}, input: ''});
		expect(end).toMatchObject({code: 0, output: ''});
		expect(readFileSync(join(path, 'arguments'), 'utf8')).toContain(
			`--v8-pool-size=0|${hook}|--client|claude|--last-message|--parent-pid|`,
		);
	});

	test.each([
		['neither is there', false, false],
		['only Node is there', true, false],
		['only the hook is there', false, true],
	])('is silent when %s', async (_, hasNode, hasHook) => {
		const path = folder();
		const hook = join(path, 'hook.cjs');
		if (hasHook) writeFileSync(hook, '');
		const node = hasNode ? fakeNode(path) : join(path, 'node');
		const command = installedCommand(path, {node, hook});
		expect(await runCommand(command, {env: {}, input: 'x'.repeat(100_000)})).toMatchObject({
			code: 0,
			output: '',
		});
	});

	test.each([
		['ends with another code', 'exit 9'],
		['prints', 'echo out; echo err >&2'],
		['is killed', 'kill -SEGV $$'],
		["can't be run", undefined],
	])('exits silently with 0 when Node %s', async (_, script) => {
		const path = folder();
		const hook = join(path, 'hook.cjs');
		writeFileSync(hook, '');
		const node = fakeNode(path, script);
		if (script === undefined) writeFileSync(node, '#!/nowhere/sh\n');
		const command = installedCommand(path, {node, hook});
		expect(await runCommand(command, {env: {}, input: ''})).toMatchObject({code: 0, output: ''});
	});

	test('lets the hook finish when the shell is told to end', async () => {
		const path = folder();
		const hook = join(path, 'hook.cjs');
		writeFileSync(hook, '');
		const node = fakeNode(path, 'kill -TERM $PPID; kill -HUP $PPID; touch "$(dirname "$0")/finished"');
		const command = installedCommand(path, {node, hook});
		expect(await runCommand(command, {env: {PATH: '/usr/bin:/bin'}, input: ''})).toMatchObject({code: 0});
		expect(existsSync(join(path, 'finished'))).toBe(true);
	});

	/** What users and their tools set: by each of these, Node fails, hangs or writes. */
	const nodeSettings = {
		NODE_OPTIONS:
			'--require /nowhere/bootloader.cjs --no-such-flag --inspect-brk=127.0.0.1:0 --max-old-space-size=1 --max-semi-space-size=1',
		NODE_DEBUG: 'net,fs,module',
		NODE_DEBUG_NATIVE: 'mksnapshot',
		OPENSSL_CONF: '/nowhere/openssl.cnf',
		NODE_ICU_DATA: '/nowhere',
		NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem',
		NODE_COMPILE_CACHE: '/proc/x',
	};
	test.for(['dash', 'bash', 'zsh', 'fish'])(
		"in %s, the hook runs silently with all of the user's settings for Node",
		(shell, {skip}) => {
			if (spawnSync(shell, ['-c', 'exit 0']).error) return skip(`${shell} is not installed`);
			const path = folder();
			const hook = join(path, 'hook.cjs');
			writeFileSync(hook, `require('node:fs').writeFileSync(${JSON.stringify(join(path, 'ran'))}, '')`);
			const command = installedCommand(path, {node: process.execPath, hook});
			const env = {PATH: process.env.PATH, HOME: path, ...nodeSettings};
			const {status, stdout, stderr} = spawnSync(shell, ['-c', command], {
				timeout: 60_000,
				killSignal: 'SIGKILL',
				env,
				encoding: 'utf8',
			});
			expect({status, stdout, stderr}).toEqual({status: 0, stdout: '', stderr: ''});
			expect(existsSync(join(path, 'ran'))).toBe(true);
		},
	);

	test("passes Node none of the user's settings for it", async () => {
		const path = folder();
		const hook = join(path, 'hook.cjs');
		writeFileSync(hook, '');
		const node = fakeNode(path, 'env >"$(dirname "$0")/environment"');
		const env = {
			PATH: '/usr/bin:/bin',
			NODE_CHANNEL_FD: '7',
			NODE_ANY_LATER: "a 'word' * of $it",
			OPENSSL_CONF: '/x',
			OTHER: 'two\nNODE_IN_TEXT=1 NODE_$(x)=2 words',
		};
		expect(await runCommand(installedCommand(path, {node, hook}), {env, input: ''})).toMatchObject({code: 0});
		const names = readFileSync(join(path, 'environment'), 'utf8').matchAll(/^[A-Z_]+(?==)/gm);
		// NODE_IN_TEXT begins a line of OTHER.
		expect([...names].flat().filter(name => /NODE|OTHER|OPENSSL/.test(name))).toEqual([
			'OTHER',
			'NODE_IN_TEXT',
		]);
	});

	test('runs the hook whatever programs are on the PATH', async () => {
		const path = folder();
		const hook = join(path, 'hook.cjs');
		writeFileSync(hook, '');
		// Long enough for a watchdog that can't wait to end it.
		const node = fakeNode(path, `/bin/sleep 0.5; echo >'${path}/ran'`);
		const command = installedCommand(path, {node, hook});
		expect(await runCommand(command, {env: {PATH: path}, input: ''})).toMatchObject({code: 0, output: ''});
		expect(existsSync(join(path, 'ran'))).toBe(true);
	});

	test.each([
		['the launcher is gone', (path: string) => rmSync(join(path, 'quarterdeck-hook')), ''],
		['hardly a file can be opened', () => {}, 'ulimit -n 8; '],
		['its folder was removed', () => {}, 'd=$(mktemp -d); cd "$d"; rmdir "$d"; '],
	])('exits silently with 0 when %s', async (_, change, before) => {
		const path = folder();
		const hook = join(path, 'hook.cjs');
		writeFileSync(hook, '');
		const command = installedCommand(path, {node: process.execPath, hook});
		change(path);
		const end = await runCommand(before + command, {env: {PATH: '/usr/bin:/bin'}, input: ''});
		expect(end).toMatchObject({code: 0, output: ''});
	});

	test.runIf(process.platform === 'linux').each([
		['never starts', 'exec sleep 1000', {}],
		['that waits for an answer never starts', 'exec sleep 1000', {waitSeconds: 1}],
		['is done', '', {}],
	])('leaves no process behind when Node %s', async (_, script, options) => {
		const path = folder();
		for (const name of ['hook.cjs', 'answer-hook.cjs']) writeFileSync(join(path, name), '');
		const node = fakeNode(path, script);
		const command = installedCommand(path, {node, hook: join(path, 'hook.cjs')}, options);
		const env = {PATH: '/usr/bin:/bin', HOOK_TEST: path};
		expect(await runCommand(command, {env, input: ''})).toMatchObject({code: 0, output: ''});
		const left = () => listProcesses().filter(({pid}) => readProcVariable(pid, 'HOOK_TEST') === path);
		await expect.poll(left).toEqual([]);
	});

	// With more memory, but less than it needs, Node waits forever for threads that could not be started.
	test.runIf(process.platform === 'linux')(
		'exits silently with 0 where Node has too little memory to start',
		() => {
			const path = folder();
			const hook = join(path, 'hook.cjs');
			writeFileSync(hook, '');
			const command = installedCommand(path, {node: process.execPath, hook});
			const {status, stdout, stderr} = spawnSync('sh', ['-c', `ulimit -v 120000; ${command}`], {
				stdio: ['ignore', 'pipe', 'pipe'],
				timeout: 30_000,
				// The shell takes other signals only after its command.
				killSignal: 'SIGKILL',
				encoding: 'utf8',
				cwd: path,
			});
			expect({status, stdout, stderr}).toEqual({status: 0, stdout: '', stderr: ''});
			expect(readdirSync(path).sort(), 'no core file').toEqual(['hook.cjs', 'quarterdeck-hook']);
		},
	);

	test('reads back as it was made, and is recognized by its launcher', () => {
		const path = fc.string({unit: 'grapheme'}).map(text => `/${text}/quarterdeck-hook`);
		fc.assert(
			fc.property(path, fc.boolean(), fc.option(fc.nat()), (launcher, hasLastMessage, wait) => {
				const options = {hasLastMessage, ...(wait !== null && {waitSeconds: wait})};
				const parts = {launcher, client: 'codex' as const, ...options};
				const command = formatHookCommand(parts);
				expect(isHookCommand(command)).toBe(true);
				expect(readHookCommand(command)).toEqual(parts);
			}),
		);
	});

	test.each([
		'quarterdeck-hook --client claude',
		"'/opt/quarterdeck-hook/run.sh' --client claude",
		"echo '/x/quarterdeck-hook' --client claude",
		"'/x/my-quarterdeck-hook' --client claude",
	])("%s isn't ours", command => {
		expect(isHookCommand(command)).toBe(false);
	});

	test('one edited by hand counts as ours, but nothing is read from it', () => {
		const edited = "'/x/quarterdeck-hook' --client claude 2>>~/log";
		expect(isHookCommand(edited)).toBe(true);
		expect(readHookCommand(edited)).toBeUndefined();
	});
});

describe('the program', () => {
	test("finds its hook beside its entry, even through a package manager's link", () => {
		const path = folder();
		mkdirSync(join(path, 'dist'));
		mkdirSync(join(path, 'bin'));
		for (const name of ['cli.js', 'hook.cjs']) writeFileSync(join(path, 'dist', name), '');
		symlinkSync('../dist/cli.js', join(path, 'bin', 'quarterdeck'));
		expect(findHook(join(path, 'bin', 'quarterdeck'))).toBe(join(path, 'dist', 'hook.cjs'));
	});

	test('says what to do about a missing hook', () => {
		const entry = join(folder(), 'cli.js');
		writeFileSync(entry, '');
		expect(() => findHook(entry)).toThrow(/hook\.cjs is missing: reinstall quarterdeck/);
	});

	test('names its Node by the link on PATH, which outlives the release it points to', () => {
		const [path, fleeting] = [folder('/var/tmp'), folder('/tmp')];
		for (const name of ['v24', 'bin', 'other']) mkdirSync(join(path, name));
		const running = fakeNode(join(path, 'v24'));
		fakeNode(join(path, 'other'));
		symlinkSync(running, join(path, 'bin', 'node'));
		symlinkSync(running, join(fleeting, 'node'));
		const folders = ['relative', fleeting, join(path, 'other'), join(path, 'bin')];
		expect(findNode(running, folders.join(':'))).toBe(join(path, 'bin', 'node'));
		expect(findNode(running, fleeting)).toBe(running);
		expect(findNode(running, undefined)).toBe(running);
	});
});

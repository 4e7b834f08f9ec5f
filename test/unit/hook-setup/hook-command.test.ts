import {chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, onTestFinished, test} from 'vitest';
import {formatHookCommand, isHookCommand, readHookCommand} from '../../../src/hook-setup/hook-command.ts';
import {findHook, findNode} from '../../../src/hook-setup/program-paths.ts';
import {runCommand} from '../../../src/hook-setup/run-command.ts';

function folder(parent = tmpdir()): string {
	const path = realpathSync(mkdtempSync(join(parent, 'hook-command-')));
	onTestFinished(() => rmSync(path, {recursive: true, force: true}));
	return path;
}

/** A program named `node` that tells what it was started with. */
function fakeNode(path: string): string {
	const file = join(path, 'node');
	writeFileSync(file, '#!/bin/sh\nprintf "%s|" "$@"\n');
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
		const command = formatHookCommand({node: fakeNode(path), hook, client: 'droid', hasLastMessage: true});
		const end = await runCommand(command, {env: {PATH: '/usr/bin:/bin'}, input: ''});
		expect(end).toMatchObject({code: 0, output: `${hook}|--client|droid|--last-message|`});
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
		const command = formatHookCommand({node, hook, client: 'claude'});
		expect(await runCommand(command, {env: {}, input: 'x'.repeat(100_000)})).toMatchObject({
			code: 0,
			output: '',
		});
	});

	test('becomes the hook: its parent is who started the shell', async () => {
		const path = folder();
		const hook = join(path, 'hook.cjs');
		writeFileSync(hook, 'process.stdout.write(String(process.ppid))');
		const command = formatHookCommand({node: process.execPath, hook, client: 'claude'});
		expect((await runCommand(command, {env: {}, input: ''})).output).toBe(String(process.pid));
	});

	test('is read back as it was made, and known by its mark alone', () => {
		const path = fc.string({unit: 'grapheme'}).map(text => `/${text}`);
		fc.assert(
			fc.property(path, path, fc.boolean(), (node, hook, hasLastMessage) => {
				const parts = {node, hook, client: 'codex' as const, hasLastMessage};
				const command = formatHookCommand(parts);
				expect(isHookCommand(command)).toBe(true);
				expect(readHookCommand(command)).toEqual(parts);
			}),
		);
	});

	test.each([
		'quarterdeck-hook --client claude',
		'/opt/quarterdeck-hook/run.sh',
		'echo : quarterdeck-hook;',
		": quarterdeck-hooks; exec 'a' 'b' --client claude; exit 0",
	])('%s is not ours', command => {
		expect(isHookCommand(command)).toBe(false);
	});

	test('an older form is ours, and nothing is read from it', () => {
		expect(isHookCommand(': quarterdeck-hook; whatever it was')).toBe(true);
		expect(readHookCommand(': quarterdeck-hook; whatever it was')).toBeUndefined();
	});
});

describe('the program', () => {
	test('its hook is beside its entry, also through the link that a package manager makes', () => {
		const path = folder();
		mkdirSync(join(path, 'dist'));
		mkdirSync(join(path, 'bin'));
		for (const name of ['cli.js', 'hook.cjs']) writeFileSync(join(path, 'dist', name), '');
		symlinkSync('../dist/cli.js', join(path, 'bin', 'quarterdeck'));
		expect(findHook(join(path, 'bin', 'quarterdeck'))).toBe(join(path, 'dist', 'hook.cjs'));
	});

	test('a hook that is missing is told with what to do', () => {
		const entry = join(folder(), 'cli.js');
		writeFileSync(entry, '');
		expect(() => findHook(entry)).toThrow(/hook\.cjs is missing: install quarterdeck again/);
	});

	test('its Node is named by the link on PATH, which outlives the release it points to', () => {
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

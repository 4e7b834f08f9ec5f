import {spawnSync} from 'node:child_process';
import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {copyLocally} from '../../../src/term/clipboard.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'clipboard-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

/** Puts a program of this name on the path: it keeps its input, arguments and environment. */
function program(name: string, code = 0): NodeJS.ProcessEnv {
	const file = join(folder, name);
	writeFileSync(
		file,
		`#!/bin/sh\n/bin/cat > '${folder}/input'\necho "$@" > '${folder}/args'\n/usr/bin/env > '${folder}/env'\nexit ${code}\n`,
	);
	chmodSync(file, 0o755);
	return {PATH: `relative:${folder}`, QUARTERDECK_API_KEY: 'canary'};
}
const kept = (name: string) => readFileSync(join(folder, name), 'utf8');

test('copies with the program for the current display, without a shell and without the key', async () => {
	const text = '$(touch x) `y` "z"\n漢';
	expect(await copyLocally(text, {...program('wl-copy'), WAYLAND_DISPLAY: 'w'}, 'linux')).toBe('wl-copy');
	expect(kept('input')).toBe(text);
	expect(kept('env')).not.toContain('canary');
	expect(await copyLocally('x', {...program('xclip'), DISPLAY: ':0'}, 'linux')).toBe('xclip');
	expect(kept('args')).toBe('-selection clipboard\n');
	expect(await copyLocally('mac', program('pbcopy'), 'darwin')).toBe('pbcopy');
});

test('tries the next program if one fails', async () => {
	const env = {...program('wl-copy', 1), WAYLAND_DISPLAY: 'w', DISPLAY: ':0'};
	expect(await copyLocally('x', env, 'linux')).toBeUndefined();
	program('xsel');
	expect(await copyLocally('x', env, 'linux')).toBe('xsel');
});

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

test.skipIf(!hasTmux)("copies to tmux's buffer in tmux, even over ssh", async () => {
	const tmux = (...args: string[]) =>
		spawnSync('tmux', ['-S', join(folder, 'socket'), ...args], {encoding: 'utf8', timeout: 60_000});
	tmux('-f', '/dev/null', 'new-session', '-d', 'sleep 60');
	try {
		const server = tmux('display-message', '-p', '#{socket_path},#{pid},0').stdout.trim();
		const env = {PATH: process.env.PATH, TMUX: server, SSH_CONNECTION: '1'};
		expect(await copyLocally('one\n漢 "two"', env, 'linux')).toBe('tmux');
		expect(tmux('show-buffer').stdout).toBe('one\n漢 "two"');
	} finally {
		tmux('kill-server');
	}
	expect(await copyLocally('x', {...program('tmux', 1), TMUX: 'old,1,0'}, 'linux')).toBeUndefined();
});

test("doesn't copy locally over ssh, without a display or without a program", async () => {
	const env = program('xclip');
	expect(await copyLocally('x', env, 'linux')).toBeUndefined();
	expect(await copyLocally('x', {...env, DISPLAY: ':0', SSH_CONNECTION: '1'}, 'linux')).toBeUndefined();
	expect(await copyLocally('x', {PATH: '', DISPLAY: ':0'}, 'linux')).toBeUndefined();
});

import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import {readKey} from '../../../src/config/key-source.ts';
import {Secret} from '../../../src/config/secret.ts';
import {temporaryFolder} from '../../support/local-service.ts';

const canary = 'canary-0123456789';
const env = {PATH: process.env.PATH};

function keyFile(text: string, mode = 0o600): string {
	const file = join(temporaryFolder(), 'key');
	writeFileSync(file, text);
	chmodSync(file, mode);
	return file;
}

describe('a key file', () => {
	test('that only its owner can read is read and trimmed', async () => {
		const key = await readKey({kind: 'file', file: keyFile(`${canary}\n`)}, env);
		expect(key.reveal()).toBe(canary);
	});

	test.each([0o640, 0o604, 0o660, 0o620, 0o602, 0o601, 0o777])('with mode %o is refused', async mode => {
		const source = {kind: 'file', file: keyFile(canary, mode)} as const;
		await expect(readKey(source, env)).rejects.toThrow(/chmod 600/);
	});

	test.each([
		['empty', '\n', /is empty/],
		['two words', `${canary} ${canary}`, /one word/],
		['two lines', `${canary}\nx`, /one word/],
		['a control character', `${canary}\u0007x`, /one word/],
		['letters beyond ASCII', `${canary}ä`, /one word/],
		['far too long', 'x'.repeat(20_000), /too large/],
	])('that is %s is refused without showing it', async (_, text, why) => {
		const error = await readKey({kind: 'file', file: keyFile(text)}, env).catch(caught => caught);
		expect(error).toMatchObject({message: expect.stringMatching(why)});
		expect(inspect(error)).not.toContain(canary);
	});

	test('that is missing or a folder is refused', async () => {
		const folder = join(temporaryFolder(), 'folder');
		mkdirSync(folder);
		await expect(readKey({kind: 'file', file: folder}, env)).rejects.toThrow(/not a file/);
		await expect(readKey({kind: 'file', file: join(folder, 'none')}, env)).rejects.toThrow(/does not exist/);
	});
});

describe('a key command', () => {
	const run = (command: string | readonly string[], more = {}) =>
		readKey({kind: 'command', command}, {...env, ...more});

	test('given as words runs without a shell', async () => {
		expect((await run(['printf', '%s', '$HOME;x'])).reveal()).toBe('$HOME;x');
	});

	test('given as a line runs in sh', async () => {
		expect((await run(`printf ${canary}`)).reveal()).toBe(canary);
	});

	test('never sees a key from the environment', async () => {
		const key = await run('printf "%s" "$(env | grep -c QUARTERDECK_API_KEY)"', {
			QUARTERDECK_API_KEY: canary,
		});
		expect(key.reveal()).toBe('0');
	});

	test.each([
		['fails', `echo ${canary}; exit 3`, /exited with 3/],
		['prints nothing', 'true', /the output of keyCommand is empty/],
		[
			'prints without end',
			'trap "" TERM PIPE; while :; do echo xxxxxxxxxxxxxxxx; done 2>&-',
			/more than a key/,
		],
	])('that %s is refused without its output', async (_, command, why) => {
		const error = await run(command).catch(caught => caught);
		expect(error).toMatchObject({message: expect.stringMatching(why)});
		expect(inspect(error)).not.toContain(canary);
	});

	test('that fails and leaves a child with its output is over', async () => {
		const file = join(temporaryFolder(), 'child');
		await expect(run(`sleep 300 & echo $! >'${file}'; exit 3`)).rejects.toThrow(/exited with 3/);
		// It is no longer ours.
		process.kill(Number(readFileSync(file, 'utf8')));
	});

	test("that doesn't exist is refused, and keeps nothing running", async () => {
		const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
		const before = timers();
		await expect(run(['/no/such/command'])).rejects.toThrow(/no such program/);
		expect(timers()).toBe(before);
	});
});

test('a secret shows itself only when it is revealed', () => {
	const secret = new Secret(canary);
	const shown = [
		`${secret}`,
		JSON.stringify({secret}),
		inspect({secret}),
		inspect(secret, {showHidden: true}),
	];
	expect(shown.join()).not.toContain(canary);
	expect(secret.reveal()).toBe(canary);
});

describe('a key from the environment', () => {
	const read = (text: string) => readKey({kind: 'environment', key: new Secret(text)}, env);

	test('that is the path of a file is refused', async () => {
		for (const path of ['~/no/such/file', keyFile(canary)])
			await expect(read(path)).rejects.toThrow(/QUARTERDECK_API_KEY is the path of a file/);
	});

	test('may start with a slash', async () => {
		expect((await read('/no/such/file==')).reveal()).toBe('/no/such/file==');
	});
});

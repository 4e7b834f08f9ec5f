import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../../support/local-service.ts';

test('a build replaces the files of a running program one by one, and only if something has changed', async () => {
	const out = temporaryFolder();
	for (const name of ['undici.js', 'no-output.js']) writeFileSync(join(out, name), 'old');
	const build = spawn(process.execPath, ['.ci/build.ts', out], {stdio: 'inherit'});
	const ended = once(build, 'exit');
	let isMissing = false;
	const watch = setInterval(() => {
		isMissing ||= !existsSync(join(out, 'undici.js'));
	}, 1);
	expect((await ended)[0]).toBe(0);
	clearInterval(watch);
	expect(isMissing).toBe(false);
	expect(readFileSync(join(out, 'undici.js'), 'utf8')).not.toBe('old');
	expect(readdirSync(out)).toContain('cli.cjs');
	expect(readdirSync(out).filter(name => /no-output|\.new$/.test(name))).toEqual([]);

	const buildIfChanged = async () => {
		writeFileSync(join(out, 'undici.js'), 'kept');
		const [code] = await once(
			spawn(process.execPath, ['.ci/build.ts', out, 'if-changed'], {stdio: 'inherit'}),
			'exit',
		);
		expect(code).toBe(0);
		return readFileSync(join(out, 'undici.js'), 'utf8') !== 'kept';
	};
	expect(await buildIfChanged()).toBe(false);
	// As if all had changed since.
	utimesSync(join(out, 'THIRD-PARTY.txt'), 0, 0);
	expect(await buildIfChanged()).toBe(true);
}, 120_000);

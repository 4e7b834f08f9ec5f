import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../../support/local-service.ts';

test('a build replaces the files of a running program one by one, and only if something has changed', async () => {
	const out = temporaryFolder();
	for (const name of ['undici.js', 'no-output.js', 'THIRD-PARTY.txt']) writeFileSync(join(out, name), 'old');
	const buildIfChanged = () =>
		once(spawn(process.execPath, ['.ci/build.ts', out, 'if-changed'], {stdio: 'inherit'}), 'exit');
	// As if all had changed since.
	utimesSync(join(out, 'THIRD-PARTY.txt'), 0, 0);
	const ended = buildIfChanged();
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

	writeFileSync(join(out, 'undici.js'), 'kept');
	expect((await buildIfChanged())[0]).toBe(0);
	expect(readFileSync(join(out, 'undici.js'), 'utf8')).toBe('kept');
}, 120_000);

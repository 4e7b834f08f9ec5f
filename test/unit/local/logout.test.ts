import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {lingers, logoutEnds, outlivingLogout} from '../../../src/local/logout.ts';
import {temporaryFolder} from '../../support/local-service.ts';

/** An environment whose systemd says so. */
function systemd({kills = 'true', hasManager = true, linger = 'no'}) {
	const folder = temporaryFolder();
	const say = (program: string, words: string) =>
		writeFileSync(join(folder, program), `#!/bin/sh\necho ${words}\n`, {mode: 0o755});
	say('busctl', `b ${kills}`);
	say('loginctl', linger);
	mkdirSync(join(folder, 'systemd'));
	if (hasManager) writeFileSync(join(folder, 'systemd/private'), '');
	return {PATH: folder, XDG_RUNTIME_DIR: folder};
}

const user = 1000;

test.each([
	['where logind ends processes, the user’s own systemd runs it', {}, user, 'session', true],
	['without that, nothing helps', {hasManager: false}, user, 'all', false],
	['elsewhere a session of its own is enough', {kills: 'false'}, user, 'nothing', false],
	['logind spares root', {}, 0, 'nothing', false],
])('%s', async (_, options, uid, ends, isScope) => {
	const env = systemd(options);
	expect(await logoutEnds(env, uid)).toBe(ends);
	const command = await outlivingLogout(['node', 'cli.cjs', 'serve'], env, uid);
	const scope = ['systemd-run', '--user', '--scope', '--quiet', '--collect', '--'];
	expect(command).toEqual([...(isScope ? scope : []), 'node', 'cli.cjs', 'serve']);
});

test('a system without systemd ends nothing', async () => {
	expect(await logoutEnds({PATH: temporaryFolder()}, user)).toBe('nothing');
});

test('the user’s own systemd goes on only if it lingers', async () => {
	expect(await lingers('me', systemd({linger: 'yes'}))).toBe(true);
	expect(await lingers('me', systemd({}))).toBe(false);
});

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkAgents, checkPrograms} from '../../../../src/commands/doctor/programs.ts';
import type {Settings} from '../../../../src/config/settings.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

test('git and ssh are there with their version, or what needs them is told', async () => {
	const PATH = join(temporaryFolder(), 'bin');
	mkdirSync(PATH);
	const script = (name: string, line: string) =>
		writeFileSync(join(PATH, name), `#!/bin/sh\n${line}\n`, {mode: 0o755});
	const found = async () => (await checkPrograms({PATH})).map(one => [one.name, one.state, one.found]);
	expect(await found()).toEqual([
		['git', 'warning', 'not found: changes, worktrees and clones need it'],
		['ssh', 'warning', 'not found: computers that ssh reaches need it'],
	]);
	script('git', '[ "$1" = --version ] && echo git version 2.39.5');
	script('ssh', '[ "$1" = -V ] && echo OpenSSH_9.2p1 Debian-2 >&2');
	expect(await found()).toEqual([
		['git', 'ok', `2.39.5, ${join(PATH, 'git')}`],
		['ssh', 'ok', `9.2p1, ${join(PATH, 'ssh')}`],
	]);
	script('git', 'exit 1');
	expect((await found())[0]).toEqual(['git', 'warning', `${join(PATH, 'git')} prints no version`]);
});

test('a missing agent is never a success, and a problem only where it is used', async () => {
	const states = async (mode: Settings['mode']) => {
		const checks = await checkAgents({agent: 'claude', mode} as Settings, {PATH: '/nowhere'});
		return checks.find(({name}) => name === 'agent claude')?.state;
	};
	expect(await states('remote')).toBe('none');
	expect(await states('local')).toBe('problem');
});

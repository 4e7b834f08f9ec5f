import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {wireCommand} from '../../../../src/commands/cli/wire-command.ts';
import {saveLastProfile} from '../../../../src/config/profiles.ts';
import type {SettingsInput} from '../../../../src/config/settings.ts';
import {systemClock} from '../../../../src/domain/clock.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

const profiles = {acme: {baseUrl: 'https://acme.example'}, beta: {baseUrl: 'https://beta.example'}};

/** What a command at a terminal says of the profile, after the screen was left in another one. */
async function said(left: string, flags: SettingsInput['flags'] = {}, config: object = {}) {
	const home = temporaryFolder();
	const folder = join(home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true, mode: 0o700});
	writeFileSync(join(folder, 'config.json'), JSON.stringify({profiles, ...config}), {mode: 0o600});
	mkdirSync(join(home, '.local/state/quarterdeck'), {recursive: true, mode: 0o700});
	saveLastProfile(join(home, '.local/state/quarterdeck'), left);
	const remarks: string[] = [];
	const output = {note: () => undefined, remark: (text: string) => void remarks.push(text)};
	const wiring = await wireCommand({flags, env: {}, home}, systemClock, output);
	onTestFinished(() => wiring.close());
	return remarks;
}

test('a command says that it uses another profile than the screen was left in, unless one is chosen', async () => {
	expect(await said('beta')).toEqual([
		'using profile acme; the screen was last in beta: --profile beta uses that',
	]);
	expect(await said('local')).toEqual([
		'using profile acme; the screen was last in local: --local uses that',
	]);
	expect(await said('acme')).toEqual([]);
	expect(await said('gone')).toEqual([]);
	expect(await said('beta', {profile: 'acme'})).toEqual([]);
	expect(await said('beta', {local: true})).toEqual([]);
	expect(await said('beta', {}, {profile: 'acme'})).toEqual([]);
});

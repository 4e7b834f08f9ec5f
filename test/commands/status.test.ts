import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {readConfigFile} from '../../src/config/config-file.ts';
import {saveLastProfile} from '../../src/config/profiles.ts';
import {commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

vi.mock(import('../../src/config/config-file.ts'), {spy: true});

test('status is for the profile of all commands, and creates nothing', async () => {
	const cli = commandsAt(temporaryFolder());
	const folder = join(cli.home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	const profiles = {acme: {baseUrl: 'https://acme.example'}};
	writeFileSync(join(folder, 'config.json'), JSON.stringify({profiles}), {mode: 0o600});
	expect(await cli.run(['status'])).toMatchObject({code: 0, stdout: '?\n'});
	expect(await cli.run(['status', '--json'])).toMatchObject({code: 0, stdout: '{}\n'});
	expect(existsSync(cli.stateFolder)).toBe(false);
	mkdirSync(cli.stateFolder, {recursive: true});
	saveLastProfile(cli.stateFolder, 'local');
	vi.mocked(readConfigFile).mockClear();
	expect(await cli.run(['status'])).toMatchObject({code: 0, stdout: '?\n'});
	expect(readConfigFile).toHaveBeenCalledTimes(1);
});

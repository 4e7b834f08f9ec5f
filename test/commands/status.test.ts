import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {readConfigFile} from '../../src/config/config-file.ts';
import {saveLastProfile} from '../../src/config/profiles.ts';
import {commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

vi.mock(import('../../src/config/config-file.ts'), {spy: true});

test('status is for the profile that the next screen opens', async () => {
	const cli = commandsAt(temporaryFolder());
	const folder = join(cli.home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	const profiles = {acme: {baseUrl: 'https://acme.example'}};
	writeFileSync(join(folder, 'config.json'), JSON.stringify({profiles}), {mode: 0o600});
	expect(await cli.run(['status'])).toMatchObject({code: 0, stdout: '?\n'});
	saveLastProfile(cli.stateFolder, 'local');
	expect(await cli.run(['status'])).toMatchObject({code: 0, stdout: '! 0  ● 0\n', stderr: ''});
	vi.mocked(readConfigFile).mockClear();
	expect(await cli.run(['status', '--profile', 'acme'])).toMatchObject({code: 0, stdout: '?\n'});
	expect(readConfigFile).toHaveBeenCalledTimes(1);
});

test('where no service is set up, status is for the embedded one, if it was ever used', async () => {
	const cli = commandsAt(temporaryFolder());
	expect(await cli.run(['status'])).toMatchObject({code: 2, stdout: ''});
	mkdirSync(join(cli.stateFolder, 'local'), {recursive: true, mode: 0o700});
	expect(await cli.run(['status'])).toMatchObject({code: 0, stdout: '! 0  ● 0\n', stderr: ''});
});

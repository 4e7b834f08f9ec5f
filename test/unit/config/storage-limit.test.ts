import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readSettings} from '../../../src/config/settings.ts';
import {temporaryFolder} from '../../support/local-service.ts';

async function limit(file: object): Promise<number> {
	const home = temporaryFolder();
	const folder = join(home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'config.json'), JSON.stringify(file));
	return (await readSettings({flags: {}, env: {}, home})).storageLimit;
}

test('the storage limit is 2 GB, or what the file says', async () => {
	expect(await limit({})).toBe(2e9);
	expect(await limit({storageLimit: '500 MB'})).toBe(5e8);
});

test.each(['lots', '1 kB'])("%s isn't a storage limit", async storageLimit => {
	expect(await limit({storageLimit})).toBe(2e9);
});

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readSettings} from '../../../src/config/settings.ts';
import {temporaryFolder} from '../../support/local-service.ts';

async function quietHours(file: object, profile?: string) {
	const home = temporaryFolder();
	const folder = join(home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'config.json'), JSON.stringify(file));
	const settings = await readSettings({flags: profile === undefined ? {} : {profile}, env: {}, home});
	return settings.quietHours;
}

test('quiet hours are those of the profile, else those of all; none when nothing is set', async () => {
	const file = {
		quietHours: '22:00-07:30',
		profiles: {a: {local: true, quietHours: '12:00-13:00'}, b: {local: true}},
	};
	expect(await quietHours(file, 'a')).toEqual({from: 720, to: 780});
	expect(await quietHours(file, 'b')).toEqual({from: 1320, to: 450});
	expect(await quietHours({})).toBeUndefined();
});

test('a span that is none is refused, with where it stands and what it should look like', async () => {
	await expect(quietHours({quietHours: '22-7'})).rejects.toThrow(
		/quietHours: not a span of hours such as 22:00-07:30/,
	);
	await expect(quietHours({profiles: {a: {quietHours: 'night'}}})).rejects.toThrow(/profiles\.a\.quietHours/);
});

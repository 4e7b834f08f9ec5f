import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fill, posts, screenEnv, setUpPlaces, shared, writeProfiles} from '../support/places.ts';
import {openProgram} from '../support/program.ts';

test('a new key is read while the user writes, and typing goes on; one of another account takes nothing along', async () => {
	const {home, a1, a2, atA} = await setUpPlaces();
	await fill(a1);
	await fill(a2);
	writeProfiles(home, {default: a1});
	const replaceKey = (key: string) => {
		writeFileSync(join(home, '.config/quarterdeck/key-of-default'), key);
		a1.organization.keys.clear();
	};
	const terminal = openProgram(['--session', shared], screenEnv(home), {columns: 120, rows: 34});
	const {see, press, type} = terminal;
	await see('common secret of a1');
	press('enter');
	await see('Enter send');
	type('half a thought');
	await see('> half a thought');
	replaceKey('renewed');
	a1.organization.keys.add('renewed');
	await see('key refused');
	await expect.poll(() => atA.requests.some(({key}) => key === 'renewed')).toBe(true);
	await see('● connected');
	await see('Enter send');
	type(', and the rest');
	await see('> half a thought, and the rest');
	press('esc');
	await see('q quit');
	expect(posts(atA)).toEqual([]);

	replaceKey('key-a2');
	press('r');
	await see('common secret of a2');
	await see(/1 draft stays? with account [0-9a-f]{8}, the old key's/);
	expect(terminal.screen()).not.toMatch(/half a thought|secret of a1/);
	press('q');
	await terminal.exit();
}, 60_000);

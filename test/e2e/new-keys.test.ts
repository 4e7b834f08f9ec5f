import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fill, marks, posts, setUpPlaces, shared, writeProfiles} from '../support/places.ts';
import {environmentIn, openProgram} from '../support/program.ts';
import {tokenOf} from '../support/token.ts';

const size = {columns: 120, rows: 34};

test('a new key is read while the user writes, and typing goes on; one of another account takes nothing along', async () => {
	const {home, a1, atA} = await setUpPlaces();
	await fill(a1);
	writeProfiles(home, {default: a1});
	const replaceKey = (key: string) => {
		writeFileSync(join(home, '.config/quarterdeck/key-of-default'), key);
		a1.organization.keys.clear();
	};
	const terminal = openProgram(['--session', shared], environmentIn(home), size);
	const {see, press, type} = terminal;
	await see('common secret of a1');
	press('enter');
	await see('Enter send');
	type('half a thought');
	await see('> half a thought');
	const renewed = tokenOf({org_id: 'ours'});
	replaceKey(renewed);
	a1.organization.keys.add(renewed);
	await see('key refused');
	await expect.poll(() => atA.requests.some(({key}) => key === renewed)).toBe(true);
	await see('● connected');
	await see('Enter send');
	type(', and the rest');
	await see('> half a thought, and the rest');
	press('esc');
	await see('q quit');
	expect(posts(atA)).toEqual([]);

	replaceKey(tokenOf({org_id: 'another'}));
	press('r');
	await see(/What was shown stays with account [0-9a-f]{8}, the old key's/);
	expect(terminal.screen()).not.toMatch(/half a thought|secret of a1/);
	press('q');
	await terminal.exit();
}, 60_000);

test('a new key in the environment is asked about before anything is shown, and the answer is kept', async () => {
	const {cli, home, a1} = await setUpPlaces();
	await fill(a1);
	a1.organization.isMember = true;
	a1.organization.keys.add('same');
	const env = {...a1.env, QUARTERDECK_API_KEY: 'same'};
	const terminal = openProgram([], {...environmentIn(home), ...env}, size);
	await terminal.see('Same organization?');
	expect(terminal.screen()).not.toMatch(marks('a1'));
	terminal.press('esc');
	await terminal.see('asks again');
	terminal.press('r');
	await terminal.see(/│ {2}y yes/);
	terminal.press('y');
	await terminal.see(marks('a1'));
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
	const {code, stdout} = await cli.run(['sessions', 'list'], {env});
	expect([code, stdout.includes('session-a1')]).toEqual([0, true]);
}, 60_000);

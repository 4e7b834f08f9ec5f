import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {eventually} from '../support/eventually.ts';
import {setUpPlaces} from '../support/places.ts';
import {environmentIn, openProgram} from '../support/program.ts';

test('the screen logs what its engine does', async () => {
	const {a1, home, cli} = await setUpPlaces();
	expect((await a1.run('sessions', 'add', 'session-a1')).code).toBe(0);
	const terminal = openProgram(
		['--debug', '--session', 'session-a1'],
		{...environmentIn(home), ...a1.env},
		{columns: 100, rows: 30},
	);
	await terminal.see('secret of a1');
	const text = () => readFileSync(join(cli.stateFolder, 'debug.log'), 'utf8');
	await eventually(() => expect(text()).toMatch(/poll session=session-a1 changed=1 next=\d+/));
	expect(text()).not.toContain('secret of a1');
	terminal.press('q');
	await terminal.exit();
});

import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openDatabase} from '../../src/db/open-database.ts';
import {accountFileFor} from '../support/account-files.ts';
import {startFleetService} from '../support/fleet-service.ts';
import {addFortySessions, homeThatKnows} from '../support/forty-sessions.ts';
import {openProgram} from '../support/program.ts';

const hour = 3_600_000;
const lastKey = 'screen.keyAt';

test('a start hours after the last key shows what has happened since, and opens it', async () => {
	const service = await startFleetService();
	const [finished = '', asking = '', failing = ''] = addFortySessions(service).slice(10);
	const env = await homeThatKnows(service);
	const first = openProgram([], env, {columns: 120, rows: 40});
	await first.see('40 idle');
	first.press('j');
	first.press('q');
	await first.see('Code 0');
	await first.exit();

	const state = join(String(env.HOME), '.local/state/quarterdeck');
	const database = openDatabase({file: await accountFileFor(state, {url: service.url, key: 'k-forty'})});
	expect(database.settings.get(lastKey)).toEqual(expect.any(Number));
	database.settings.put(lastKey, Date.now() - 4 * hour);
	database.close();
	service.say(finished, 'assistant', 'Staging is up again.', {ago: hour});
	service.say(asking, 'assistant', 'Two ways are open.\n\nWhich one do you want?', {ago: hour / 2});
	service.say(failing, 'assistant', 'The sandbox ran out of memory.', {ago: hour / 4, isError: true});

	const second = openProgram([], env, {columns: 120, rows: 40});
	// Eight others were active in the last ten minutes.
	await second.see(/While you were away {2}since .* · 11 sessions/);
	await second.see(/✗ failed +.*The sandbox ran out of memory\. +15m/);
	await second.see(/! asks +.*Two ways are open\. +30m/);
	await second.see(/✓ answered +.*Staging is up again\. +1h/);
	for (let moves = 0; moves < 9; moves++) second.press('j');
	second.press('enter');
	await second.see('Which one do you want?');
	second.press('q');
	await second.see('Code 0');
	await second.exit();
}, 120_000);

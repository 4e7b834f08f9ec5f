import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../src/db/open-database.ts';
import {accountFileFor} from '../support/account-files.ts';
import {startFleetService} from '../support/fleet-service.ts';
import {addFortySessions, homeThatKnows} from '../support/forty-sessions.ts';
import {openProgram} from '../support/program.ts';

const size = {columns: 160, rows: 50};
const hour = 3_600_000;
const lastKey = 'screen.keyAt';

/** Forty sessions that nobody has open, and their news, in two programs one after the other. */
test('after hours away, news of sessions that nobody had open is shown, previewed, read and answered', async () => {
	const service = await startFleetService();
	const ids = addFortySessions(service);
	const [finished = '', asking = '', failing = '', long = ''] = ids;
	const oldest = ids.at(-1) ?? '';
	const env = await homeThatKnows(service);
	const posts = () => service.requests.filter(({line}) => line.startsWith('POST')).map(({line}) => line);
	const first = openProgram([], env, size);
	await first.see('40 idle');
	first.press('q');
	await first.see('Code 0');
	await first.exit();

	const state = join(String(env.HOME), '.local/state/quarterdeck');
	const database = openDatabase({file: await accountFileFor(state, {url: service.url, key: 'k-forty'})});
	onTestFinished(() => database.close());
	expect(database.settings.get(lastKey)).toEqual(expect.any(Number));
	database.settings.put(lastKey, Date.now() - 4 * hour);
	// So long ago that the turns are over.
	const ago = 60_000;
	service.say(finished, 'assistant', 'Staging is up again.', {ago: ago + 1});
	service.say(finished, 'assistant', 'The smoke tests pass.', {ago});
	const question = 'Two ways are open: keep the index, or drop it. Which one do you want?';
	service.say(asking, 'assistant', question, {ago});
	service.say(failing, 'assistant', 'The sandbox ran out of memory.', {ago, isError: true});
	for (let part = 0; part < 30; part++) {
		const text = `Part ${part} of the report.\n\nMore of it tomorrow.`;
		service.say(long, 'assistant', text, {ago: ago + 30 - part});
	}
	// The install of a computer's dependencies was run again elsewhere, and failed.
	const error = 'npm ERR! code ENOSPC\nnpm ERR! no space left on device';
	service.computers.set('c3', {
		id: 'c3',
		...service.computers.get('c3'),
		provisioningSteps: [
			{name: 'clone', status: 'completed'},
			{name: 'install-deps', status: 'failed', error, completedAt: Date.now()},
		],
	});

	const terminal = openProgram([], env, size);
	const {see, gone, press, type} = terminal;
	await see(/While you were away {2}since .* · \d+ sessions/);
	await see(/✗ failed +.*The sandbox ran out of memory\./);
	await see('5 need you');
	press('esc');
	await gone('While you were away');
	await see(/! Add pagination to the orders endp\w*…? +1 +\d/);
	await see('asks · Two ways are open');
	await see(/✗ Migrate the invoices table to big/);
	await see(/✗ gpu-lab /);
	await see('failed · install-deps: npm');

	/** Puts the cursor on a session's row, in whatever order the rows stand. */
	const goTo = async (id: string, preview: RegExp) => {
		press('/');
		await see('Filter by');
		type(id.slice(0, 8));
		await see('39 sessions, 6 computers hidden');
		// Up, as the row may be one of those that need the user.
		press('enter', 'k');
		await see(preview);
		press('esc');
		await gone('No matches.');
	};
	await goTo(finished, /─ Fix the flaky login test on CI[\s\S]*The smoke tests pass\.[\s\S]*Preview/);
	expect(terminal.screen()).toContain('5 need you');
	press('enter');
	await see('4 need you');
	await see(/You are welcome\.[\s\S]*── 2 new ──[\s\S]*Staging is up again\.[\s\S]*The smoke tests pass\./);
	press('esc');
	await see('Enter open');
	await goTo(long, /─ Why is the nightly build slow[\s\S]*Part 29[\s\S]*Preview/);
	press('enter');
	await see(/You are welcome\.[\s\S]*── 30 new ──[\s\S]*Part 0 of the report\./);
	expect(terminal.screen()).toContain('4 need you');
	expect(terminal.screen()).not.toContain('Part 28');
	press('end');
	await see('Part 29 of the report.');
	await see('3 need you');
	press('esc');
	await see('Enter open');
	for (const left of ['2 need you', '1 needs you', 'nothing needs you']) {
		press(']');
		await see(left);
		press('esc');
		await see('Enter open');
	}
	expect(posts()).toEqual([]);

	// A reply from the lists goes to the session at the cursor.
	await goTo(oldest, /─ Cover the parser[\s\S]*Preview/);
	press('space');
	await see('Reply to Cover the parser');
	type('Add a tenth one.');
	await see('> Add a tenth one.');
	press('enter');
	await gone('Reply to');
	await see('● working');
	expect(posts()).toEqual([`POST /api/v0/sessions/${oldest}/messages`]);
	press('q');
	await see('Code 0');
	await terminal.exit();
}, 90_000);

import {expect, test} from 'vitest';
import {startFleetService} from '../support/fleet-service.ts';
import {addFortySessions, homeThatKnows} from '../support/forty-sessions.ts';
import {openProgram} from '../support/program.ts';

/** Side by side: most of each is waiting until a turn counts as over. */
test('the cursor previews without a request, and a line marks unread messages, in both page orders', async () => {
	await Promise.all([false, true].map(browse));
}, 150_000);

test('what a start opens by itself stays unread until a key is pressed', async () => {
	const service = await startFleetService();
	const [id = ''] = addFortySessions(service);
	const env = await homeThatKnows(service);
	const size = {columns: 160, rows: 50};
	const before = openProgram(['--session', id], env, size);
	await before.see('You are welcome.');
	await before.see('nothing needs you');
	before.press('q');
	await before.see('Code 0');
	await before.exit();

	service.say(id, 'assistant', 'Staging is down.', {isError: true});
	const program = openProgram([], env, size);
	await program.see(/── 1 new ──[\s\S]*Staging is down\./);
	await program.see('1 needs you');
	program.press('z');
	await program.see('Snooze');
	program.press('esc');
	await program.gone('Snooze');
	expect(program.screen()).toContain('1 needs you');
	program.press('?');
	await program.see('Keys');
	program.press('esc');
	await program.see('nothing needs you');
	program.press('q');
	await program.see('Code 0');
	await program.exit();
}, 60_000);

async function browse(isOldestFirst: boolean): Promise<void> {
	const service = await startFleetService({isOldestFirst});
	const ids = addFortySessions(service);
	const [short = '', long = ''] = ids;
	const oldest = ids.at(-1) ?? '';
	const env = await homeThatKnows(service);
	const size = {columns: 160, rows: 50};
	const terminal = openProgram([], env, size);
	await terminal.see('40 idle');

	/** Puts the cursor on a session's row, in whatever order the rows stand. */
	const goTo = async (id: string, preview: RegExp) => {
		terminal.press('/');
		await terminal.see('Filter by');
		terminal.type(id.slice(0, 8));
		await terminal.see('39 sessions, 6 computers hidden');
		// Up, as the row may be one of those that need the user.
		terminal.press('enter', 'k');
		await terminal.see(preview);
		terminal.press('esc');
		await terminal.gone('No matches.');
	};

	// The oldest session is read every 5 minutes: no request for it comes by itself meanwhile.
	const requests = () => service.requests.filter(({line}) => line.includes(oldest)).length;
	const before = requests();
	await goTo(oldest, /─ Cover the parser with property tests[\s\S]*Added 9 properties[\s\S]*Preview/);
	expect(requests()).toBe(before);

	service.say(short, 'assistant', 'Staging is up again.');
	service.say(short, 'assistant', 'The smoke tests pass.');
	for (let part = 0; part < 30; part++)
		service.say(long, 'assistant', `Part ${part} of the report.\n\nMore of it tomorrow.`, {ago: 30 - part});
	await terminal.see(/✓ Fix the flaky login test on CI +2 +\w+/, {within: 60_000});
	await terminal.see(/✓ Add pagination to the orders .* 30 +\w+/, {within: 60_000});

	await goTo(short, /─ Fix the flaky login test on CI[\s\S]*The smoke tests pass\.[\s\S]*Preview/);
	expect(terminal.screen()).toContain('2 need you');
	terminal.press('enter');
	await terminal.see('1 needs you');
	await terminal.see(
		/You are welcome\.[\s\S]*── 2 new ──[\s\S]*Staging is up again\.[\s\S]*The smoke tests pass\./,
	);
	terminal.press('esc');
	await terminal.see('Enter open');

	await goTo(long, /─ Add pagination to the orders endpoint[\s\S]*Part 29[\s\S]*Preview/);
	terminal.press('enter');
	await terminal.see(/You are welcome\.[\s\S]*── 30 new ──[\s\S]*Part 0 of the report\./);
	expect(terminal.screen()).toContain('1 needs you');
	expect(terminal.screen()).not.toContain('Part 28');
	terminal.press('end');
	await terminal.see('Part 29 of the report.');
	await terminal.see('nothing needs you');

	// A reply from the lists goes to the session at the cursor.
	terminal.press('esc');
	await terminal.see('Enter open');
	await goTo(oldest, /─ Cover the parser[\s\S]*Preview/);
	terminal.press(' ');
	await terminal.see('Reply to Cover the parser');
	terminal.type('Add a tenth one.');
	await terminal.see('> Add a tenth one.');
	terminal.press('enter');
	await terminal.gone('Reply to');
	await terminal.see('● working');
	const posted = service.requests.filter(({line}) => line.startsWith('POST'));
	expect(posted.map(({line}) => line)).toEqual([`POST /api/v0/sessions/${oldest}/messages`]);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();

	// What was read is read in the next program, too.
	const next = openProgram([], env, size);
	await next.see('39 idle');
	expect(next.screen()).toContain('nothing needs you');
	expect(next.screen()).not.toMatch(/\d+ new/);
	next.press('q');
	await next.see('Code 0');
	await next.exit();
}

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../src/db/open-database.ts';
import {accountFileFor} from '../support/account-files.ts';
import {eventually} from '../support/eventually.ts';
import {startFleetService} from '../support/fleet-service.ts';
import {addFortySessions, homeThatKnows} from '../support/forty-sessions.ts';
import {openProgram} from '../support/program.ts';

const size = {columns: 160, rows: 50};
const hour = 3_600_000;
const lastKey = 'screen.keyAt';
/** A session or computer of late is read every 15 s, and a turn counts as over after 15 s of quiet. */
const withinCadence = {within: 60_000};

/** Forty sessions that nobody has open, and their news, in two programs one after the other. */
test('news of sessions that nobody has open is shown, previewed, read and answered, also after hours away', async () => {
	const service = await startFleetService();
	const ids = addFortySessions(service);
	const [finished = '', asking = '', failing = '', long = ''] = ids;
	const oldest = ids.at(-1) ?? '';
	const home = await homeThatKnows(service);
	const editor = join(String(home.HOME), 'edit.sh');
	const env = {...home, EDITOR: editor};
	writeFileSync(editor, '#!/bin/sh\nprintf "Editing: press Enter " > /dev/tty\nread word < /dev/tty\n', {
		mode: 0o755,
	});
	const posts = () => service.requests.filter(({line}) => line.startsWith('POST')).map(({line}) => line);
	const terminal = openProgram([], env, size);
	const {see, gone, press, type} = terminal;
	await see('40 idle');

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

	// The oldest session is read every 5 minutes: no request for it comes by itself meanwhile.
	const requests = () => service.requests.filter(({line}) => line.includes(oldest)).length;
	const before = requests();
	await goTo(oldest, /─ Cover the parser with property tests[\s\S]*Added 9 properties[\s\S]*Preview/);
	expect(requests()).toBe(before);

	service.say(finished, 'assistant', 'Staging is up again.');
	service.say(finished, 'assistant', 'The smoke tests pass.');
	service.say(asking, 'assistant', 'Two ways are open: keep the index, or drop it. Which one do you want?');
	service.say(failing, 'assistant', 'The sandbox ran out of memory.', {isError: true});
	for (let part = 0; part < 30; part++)
		service.say(long, 'assistant', `Part ${part} of the report.\n\nMore of it tomorrow.`, {ago: 30 - part});
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
	await see('5 need you', withinCadence);
	await see(/◌ Fix the flaky login test on CI +2 +\d/);
	await see(/! Add pagination to the orders endp\w*…? +1 +\d/);
	await see('asks · Two ways are open');
	await see(/✗ Migrate the invoices table to big/);
	await see('failed · The sandbox ran out');
	await see(/✗ gpu-lab /);
	await see('failed · install-deps: npm');

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

	// What comes while an editor has the terminal is unread until the screen is back.
	const state = join(String(home.HOME), '.local/state/quarterdeck');
	const database = openDatabase({file: await accountFileFor(state, {url: service.url, key: 'k-forty'})});
	onTestFinished(() => database.close());
	// It may be the one that is open, which has no preview.
	await goTo(asking, /─ Add pagination/);
	press('enter');
	await see('Enter write');
	press('enter');
	await see('Enter send');
	type('A word');
	press('ctrl+g');
	await see('Editing: press Enter');
	const {id: answer} = service.say(asking, 'assistant', 'The index is gone.');
	const known = () => database.sessions.get(asking);
	await eventually(() => expect(known()?.activity?.newestId).toBe(answer));
	// Whoever would mark it as read has done so before the next read.
	const asked = service.requests.length;
	await eventually(() => expect(service.requests.length).toBeGreaterThan(asked + 1));
	expect([known()?.seenId === answer, known()?.activity?.unread]).toEqual([false, 1]);
	press('enter');
	await see('The index is gone.');
	await eventually(() => expect([known()?.seenId, known()?.activity?.unread]).toEqual([answer, 0]));
	press('esc');
	await see('q quit');
	press('q');
	await see('Code 0');
	await terminal.exit();

	// Four hours later.
	expect(database.settings.get(lastKey)).toEqual(expect.any(Number));
	database.settings.put(lastKey, Date.now() - 4 * hour);
	service.say(asking, 'assistant', 'Staging is down.', {isError: true});
	const next = openProgram([], env, size);
	await next.see(/While you were away {2}since .* · \d+ sessions/);
	await next.see(/✗ failed +.*Staging is down\. +\d+s/);
	// What a start opens by itself stays unread until a key is pressed.
	await next.see('1 needs you');
	next.press('enter');
	await next.see(/── 1 new ──[\s\S]*Staging is down\./);
	await next.see('nothing needs you');
	expect(next.screen()).toContain('> A word');
	next.press('esc');
	await next.see('Enter open');
	next.press('q');
	await next.see('Code 0');
	await next.exit();
}, 180_000);

test('marked sessions: what the service refuses stays marked; one message goes to each exactly once', async () => {
	const service = await startFleetService();
	const ids = addFortySessions(service);
	const [first = '', second = ''] = ids;
	const terminal = openProgram(['--view', 'sessions'], await homeThatKnows(service), size);
	const {see, gone, press, type} = terminal;
	await see('40 idle');
	// Sorted by the last activity: what is marked is where it was marked.
	await see('STATE▲');
	for (const title of ['TITLE', 'COMPUTER', 'MODEL', 'MESSAGES', 'UNREAD', 'TOKENS', 'ACTIVE']) {
		press('o');
		await see(`${title}▲`);
	}
	press('g');
	await see(/▌ +◌ idle\? +Fix the flaky login test on CI /);
	const mark = async (...counts: readonly number[]) => {
		for (const count of counts) {
			press('v');
			await see(`${count} marked`);
		}
	};

	await mark(1, 2, 3);
	const refusing = service.sessions.get(second);
	if (refusing) refusing.isReadOnly = true;
	// Nobody here knows of this tag yet.
	Object.assign(service.sessions.get(first) ?? {}, {sessionSettings: {tags: [{name: 'theirs'}]}});
	press('t');
	await see('Tag 3 sessions');
	type('release');
	press('ctrl+s');
	await see(/Changed the tags of 2 of 3; Add pagination to the orders endpoint: /);
	await see('1 marked');
	await see('#theirs #release');
	press('g', 'v');
	await see('2 marked');
	press('X');
	await see(/Archived 1 of 2; Add pagination to the orders endpoint: /);
	await see(/Sessions · 1 marked .* 39 ─/);
	await gone(/Fix the flaky login test on CI +linux/);
	const settings = (id: string) =>
		(service.sessions.get(id)?.sessionSettings ?? {}) as {tags?: object[]; archivedAt?: string};
	expect(settings(first)).toMatchObject({tags: [{name: 'theirs'}, {name: 'release'}]});
	expect([settings(first).archivedAt, settings(second).archivedAt]).toEqual([expect.any(String), undefined]);
	press('u');
	await see(/Fix the flaky login test on CI +linux/);

	press('g');
	// The answer to the change has told that its turn is over.
	await see(/▌ +○ idle +Fix the flaky/);
	await mark(2);
	press('j');
	await mark(3);
	press('space');
	await see('Message to 3 sessions');
	type('Please stop');
	press('ctrl+j');
	type('and report.');
	await see('and report.');
	press('enter');
	await see('message accepted by 3 of 3');
	await see(/Fix the flaky login test on CI +✓ (accepted|seen)/);
	const sentTo = ids.slice(0, 3);
	for (const id of sentTo)
		expect(
			service.sessions
				.get(id)
				?.messages.filter(({content}) => content[0]?.text === 'Please stop\nand report.'),
		).toHaveLength(1);
	press('esc');
	await gone('DELIVERY');
	press('q');
	await see('Code 0');
	await terminal.exit();
	const posted = service.requests.filter(({line}) => line.startsWith('POST')).map(({line}) => line);
	expect(posted.sort()).toEqual(sentTo.map(id => `POST /api/v0/sessions/${id}/messages`));
}, 90_000);

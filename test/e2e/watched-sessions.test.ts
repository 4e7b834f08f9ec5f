import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../src/db/open-database.ts';
import {accountFileFor} from '../support/account-files.ts';
import {eventually} from '../support/eventually.ts';
import {type FleetService, startFleetService} from '../support/fleet-service.ts';
import {addFortySessions, homeThatKnows} from '../support/forty-sessions.ts';
import {openProgram} from '../support/program.ts';
import {runInside} from '../support/run-inside.ts';

/** Side by side: most of each is waiting until a session is read again and its turn counts as over. */
test('news in unopened sessions reaches Needs you, and leaves it once read, in both page orders', async () => {
	await Promise.all([false, true].map(watchSessions));
}, 150_000);

/** The install of a computer's dependencies was run again elsewhere, and failed. */
function failInstall({computers}: FleetService, id: string): void {
	const error = 'npm ERR! code ENOSPC\nnpm ERR! no space left on device';
	computers.set(id, {
		id,
		...computers.get(id),
		provisioningSteps: [
			{name: 'clone', status: 'completed'},
			{name: 'install-deps', status: 'failed', error, completedAt: Date.now()},
		],
	});
}

/** A session or computer of late is read every 15 s, and a turn counts as over after 15 s of quiet. */
const withinCadence = {within: 60_000};

async function watchSessions(isOldestFirst: boolean): Promise<void> {
	const service = await startFleetService({isOldestFirst});
	const [finished = '', asking = '', failing = ''] = addFortySessions(service);
	const env = await homeThatKnows(service);
	const terminal = openProgram([], env, {columns: 160, rows: 50});
	await terminal.see('40 idle');
	service.say(finished, 'assistant', 'Staging is up again.');
	service.say(asking, 'assistant', 'Two ways are open: keep the index, or drop it. Which one do you want?');
	service.say(failing, 'assistant', 'The sandbox ran out of memory.', {isError: true});
	failInstall(service, 'c3');
	await terminal.see('4 need you', withinCadence);
	await terminal.see(/✓ Fix the flaky login test on CI +1 +\d/);
	await terminal.see('Staging is up again. · linux-build-1');
	await terminal.see(/! Add pagination to the orders endp\w*…? +1 +\d/);
	await terminal.see('reply · Two ways are open');
	await terminal.see(/✗ Migrate the invoices table to big/);
	await terminal.see('failed · The sandbox ran out of memory.');
	await terminal.see(/✗ gpu-lab /);
	await terminal.see('failed · install-deps: npm');
	for (const left of ['3 need you', '2 need you', '1 needs you', 'nothing needs you']) {
		terminal.press(']');
		await terminal.see(left);
		terminal.press('esc');
		await terminal.see('Enter open');
	}
	expect(service.requests.some(({line}) => line.startsWith('POST'))).toBe(false);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
	// What the screen has read is told by the command, too: the service never said how many messages there are, but all were read.
	const {stdout} = await runInside(['sessions', 'list'], env as Record<string, string>, String(env.HOME));
	expect(stdout).toMatch(/Fix the flaky login test on CI +idle \(messages \w+\) +linux-build-1 +7 /);
	// What was asked is still asked.
	expect(stdout).toMatch(/Add pagination to the orders endpoint +asks \(messages \w+\) /);
}

test('an answer that comes while an editor has the terminal is unread until the screen is back', async () => {
	const service = await startFleetService();
	const [id = ''] = addFortySessions(service);
	const env = await homeThatKnows(service);
	const editor = join(String(env.HOME), 'edit.sh');
	writeFileSync(editor, '#!/bin/sh\nprintf "Editing: press Enter " > /dev/tty\nread word < /dev/tty\n', {
		mode: 0o755,
	});
	const terminal = openProgram(['--session', id], {...env, EDITOR: editor}, {columns: 120, rows: 40});
	await terminal.see('You are welcome.');
	terminal.press('enter');
	terminal.type('A word');
	terminal.press('ctrl+g');
	await terminal.see('Editing: press Enter');
	const {id: answer} = service.say(id, 'assistant', 'Staging is up again.');
	const state = join(String(env.HOME), '.local/state/quarterdeck');
	const database = openDatabase({file: await accountFileFor(state, {url: service.url, key: 'k-forty'})});
	onTestFinished(() => database.close());
	const known = () => database.sessions.get(id);
	await eventually(() => expect(known()?.activity?.newestId).toBe(answer));
	// Whoever would mark it as read has done so before the next read.
	const requests = service.requests.length;
	await eventually(() => expect(service.requests.length).toBeGreaterThan(requests + 1));
	expect([known()?.seenId === answer, known()?.activity?.unread]).toEqual([false, 1]);
	terminal.press('enter');
	await terminal.see('Staging is up again.');
	await eventually(() => expect([known()?.seenId, known()?.activity?.unread]).toEqual([answer, 0]));
}, 90_000);

import {expect, test} from 'vitest';
import {startFleetService} from '../support/fleet-service.ts';
import {addFortySessions, homeThatKnows} from '../support/forty-sessions.ts';
import {openProgram} from '../support/program.ts';
import {runInside} from '../support/run-inside.ts';

/** Side by side: most of each is waiting until a session is read again and its turn counts as over. */
test('what happens in sessions nobody opened reaches Needs you, and leaves it once read, in both page orders', async () => {
	await Promise.all([false, true].map(watchSessions));
}, 150_000);

async function watchSessions(isOldestFirst: boolean): Promise<void> {
	const service = await startFleetService({isOldestFirst});
	const [finished = '', asking = '', failing = ''] = addFortySessions(service);
	const env = await homeThatKnows(service);
	const terminal = openProgram([], env, {columns: 160, rows: 50});
	await terminal.see('40 idle');
	service.say(finished, 'assistant', 'Staging is up again.');
	service.say(asking, 'assistant', 'Two ways are open: keep the index, or drop it. Which one do you want?');
	service.say(failing, 'assistant', 'The sandbox ran out of memory.', {isError: true});
	await terminal.see('3 need you');
	await terminal.see(/! Fix the flaky login test on CI .*1 new/);
	await terminal.see(/! Add pagination to the orders .*reply/);
	await terminal.see(/✗ Migrate the invoices table to .*error/);
	for (const left of ['2 need you', '1 needs you', 'nothing needs you']) {
		terminal.press(']');
		await terminal.see(left);
		terminal.press('esc');
		await terminal.see('Enter open');
	}
	expect(service.requests.some(({line}) => line.startsWith('POST'))).toBe(false);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit;
	// What the screen has read is told by the command, too; the service never said how many messages there are.
	const {stdout} = await runInside(['sessions', 'list'], env as Record<string, string>, String(env.HOME));
	expect(stdout).toMatch(/Fix the flaky login test on CI +your-turn \(messages \w+\) +c0 +- /);
}

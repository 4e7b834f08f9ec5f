import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {builtHook, emptyHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

const size = {columns: 140, rows: 40};

test('everyday tasks work by keys alone', async () => {
	const env = emptyHome();
	const terminal = openProgram(['--local'], env, size);
	const {press, see, gone, type} = terminal;
	await see(/✓ active/);

	// Two sessions on this machine, each with its answer; the name is given here.
	await openSession(terminal, 'printf first-%s answer', 'first-answer');
	await openSession(terminal, 'seq 1000 1100', '1099');
	press('esc');
	await see('Enter open');
	press('e');
	await see('Rename');
	press('ctrl+u');
	type('printer');
	press('enter');
	await see(/─ printer ·/);

	// Words are found in the stream, and a message is copied to the terminal's clipboard.
	press('enter');
	await see('Enter write');
	press('/');
	await see('close search');
	type('1005');
	await see('1 of 1');
	press('enter');
	await see('n next');
	press('esc');
	await gone('close search');
	press('G', 'y');
	await see('Copied the message');
	expect(terminal.output()).toContain(
		`\u001B]52;c;${Buffer.from('1000\n1001\n').toString('base64').slice(0, 12)}`,
	);

	// The palette goes to what some letters name.
	press('ctrl+p');
	await see('Commands');
	type('prf');
	await see(/▌.*printf first/);
	press('enter');
	await see(/printf first-%s answer ·/);
	await see('first-answer');

	// The other one beside it, and away again.
	press('esc');
	await see('Enter open');
	// Then the order of the rows stays as it is.
	await see(/○ printer/);
	await see(/▌○ printf first/);
	press('k', '|');
	await see(/printf firs.* ·.* printer ·/);
	press('|');
	await gone(/ printer ·/);

	// Lists are filtered by what sessions are.
	press('/');
	await see('Enter keep');
	type('!printer');
	await gone(/[○●◐◓◑◒] printer/);
	press('esc');
	await see(/[○●◐◓◑◒] printer/);

	// Put away, and back.
	press('X');
	await gone(/[○●◐◓◑◒] printf first/);
	press('u');
	await see(/▌[○●◐◓◑◒] printf first/);

	// An agent asks: it rises, and is acknowledged.
	const {status, stdout} = spawnSync('node', [builtHook, '--client', 'claude'], {
		timeout: 60_000,
		env,
		input: JSON.stringify({
			hook_event_name: 'Notification',
			session_id: 'elsewhere',
			message: 'May I run this?',
			notification_type: 'permission_prompt',
			cwd: '/',
		}),
		encoding: 'utf8',
	});
	expect([status, stdout]).toEqual([0, '']);
	await see('1 needs you');
	press(']');
	await see('May I run this?');
	press('m');
	await see(/nothing needs you/i);
	press('I');
	await see(/Inbox .*1 acknowledged or snoozed/);
	press('esc');
	await gone('Inbox');

	// The theme is tried and kept.
	press('T');
	await see('▌ auto');
	press('j', 'j');
	await see('▌ light');
	press('enter');
	await gone('high-contrast');

	// Every view under its number.
	for (const [key, title] of [
		['2', 'UNREAD'],
		['3', 'Computers'],
		['4', 'Usage'],
		['5', 'Readiness'],
		['6', 'Controls'],
		['7', 'Users'],
		['8', 'Events'],
		['1', 'Needs you'],
	] as const) {
		press(key);
		await see(title);
	}
	press('?');
	await see('type to search');
	press('esc');
	await gone('type to search');
	press('q');
	await see('Code 0');
	await terminal.exit();
}, 120_000);

/** Opens a session, by `s` or with its first message by `n`, and waits for the answer to the first message. */
async function openSession(terminal: Terminal, message: string, answer: string | RegExp): Promise<void> {
	terminal.press('n');
	await terminal.see('What should it do?');
	terminal.type(message);
	await terminal.see(`> ${message}`);
	terminal.press('enter');
	await terminal.see(answer);
	terminal.press('esc');
	await terminal.see('Enter write');
}

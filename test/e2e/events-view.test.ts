import {spawnSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {clients} from '../../src/hook-setup/clients.ts';
import {commandsAt} from '../support/commands.ts';
import {startFakeClient} from '../support/fake-client.ts';
import {builtHook, emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 120, rows: 40};

test('an event of an agent on this machine is logged as it comes, and its session shown at work', async () => {
	const env = emptyHome();
	const terminal = openProgram(['--local', '--view', 'events'], env, size);
	await terminal.see('No hook events yet');
	await terminal.see(/hooks +listening/);
	const event = {
		hook_event_name: 'Notification',
		session_id: 'outside-1',
		message: 'May I run this?',
		notification_type: 'permission_prompt',
		cwd: '/home/me/shop',
	};
	const fire = (data: object) => {
		const input = JSON.stringify(data);
		const {status} = spawnSync('node', [builtHook, '--client', 'claude'], {
			timeout: 60_000,
			env,
			input,
			encoding: 'utf8',
		});
		expect(status).toBe(0);
	};
	fire(event);
	await terminal.see(/! claude +Notification +shop +May I run/);
	await terminal.see('Enter open session');
	await terminal.see(/effect +needs you: permission/);
	await terminal.see(/delivered +by (socket|spool), after \d+m?s/);
	await terminal.see('1 needs you');

	fire({
		hook_event_name: 'UserPromptSubmit',
		session_id: 'outside-1',
		cwd: '/home/me/shop',
		prompt: 'secret',
	});
	await terminal.see(/● claude +UserPromptSubmit/);
	terminal.type('1');
	await terminal.see(/[◐◓◑◒] claude shop/);
	terminal.type(':ev');
	await terminal.see('Events and diagnostics');
	terminal.press('enter');
	await terminal.see('Hook events');
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
}, 60_000);

test('after an install, the screen shows events of each client', async () => {
	const env = emptyHome();
	const home = env.HOME ?? '';
	const cwd = join(home, 'shop');
	mkdirSync(cwd);
	const names = clients.flatMap(({name}) => ['--client', name]);
	expect((await commandsAt(home).run(['hooks', 'install', '--yes', ...names])).code).toBe(0);
	const terminal = openProgram(['--local', '--view', 'events'], env, size);
	await terminal.see(/hooks +listening/);
	for (const {name, events} of clients) {
		const client = startFakeClient(name, {home, cwd, env});
		for (const event of events.slice(-2)) {
			const silent = {code: 0, stdout: '', stderr: '', isTimedOut: false};
			expect(await client.fire(event)).toEqual([expect.objectContaining(silent)]);
			await terminal.see(new RegExp(`${name} +${event} +shop `));
		}
	}
	terminal.type('q');
	await terminal.see('Code 0');
	await terminal.exit();
}, 60_000);

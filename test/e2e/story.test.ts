import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {expect, test} from 'vitest';
import {createRepository, packageFiles} from '../support/git-repository.ts';
import {builtHook, emptyHome, openProgram, settingsAround} from '../support/program.ts';
import {runJson} from '../support/run-inside.ts';

const size = {columns: 120, rows: 40};

test('from an empty home to an answered session that needs you, and the terminal given back', async () => {
	const repository = createRepository(packageFiles());
	const env = emptyHome();
	const terminal = openProgram(['--local'], env, size);

	// This machine's computer is provisioned before the newcomer's eyes.
	await terminal.see(/check host\s+done/);
	await terminal.see(/● active|active/);

	// A computer with a repository and its dependencies, by a click on the hint.
	const rows = terminal.screen().split('\n');
	const y = rows.findIndex(row => row.includes('new computer'));
	const cell = `${(rows[y]?.indexOf('new computer') ?? 0) + 1};${y + 1}`;
	terminal.type(`\x1b[<0;${cell}M\x1b[<0;${cell}m`);
	await terminal.see('New computer');
	terminal.press('tab');
	terminal.type('story');
	await terminal.see('story');
	terminal.press('tab');
	terminal.type(repository.url);
	await terminal.see('file:///');
	terminal.press('ctrl+s');
	await terminal.gone('New computer');
	for (const step of ['check host', 'create workspace', 'clone', 'install dependencies', 'ready'])
		await terminal.see(new RegExp(`${step}.*\\s(done|completed)`));
	await terminal.see(/5 of 5 steps/);

	// A session on it.
	terminal.press('n');
	await terminal.see('> A command for the shell');
	terminal.type('ls -la');
	await terminal.see('> ls -la');
	terminal.press('enter');
	await terminal.see(/total \d+/);
	await terminal.see(/drwx.* \.\./);

	// An agent's hook speaks for that session.
	const sessionId = await readSessionId(env);
	terminal.press('esc');
	await terminal.see(/✓ [Nn]othing/);
	await terminal.see('Enter write');
	terminal.press('G', 'y');
	await terminal.see('Copied the message');
	const copied = `\x1b]52;c;${Buffer.from('total ').toString('base64')}`;
	expect(terminal.output()).toContain(copied);
	const event = {
		hook_event_name: 'Notification',
		session_id: sessionId,
		message: 'May I run this?',
		notification_type: 'permission_prompt',
		cwd: '/',
	};
	const hook = spawnSync('node', [builtHook, '--client', 'claude'], {
		timeout: 60_000,
		env,
		input: JSON.stringify(event),
		encoding: 'utf8',
	});
	expect([hook.status, hook.stdout, hook.stderr]).toEqual([0, '', '']);
	await terminal.see('1 needs you');
	await terminal.see(/Needs you/);
	expect(terminal.output()).toContain('(1) quarterdeck');

	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
	const {before, after} = settingsAround(terminal);
	expect(before).toBeDefined();
	expect(after).toBe(before);
	expect(terminal.modes()).toEqual({
		alternateScreen: false,
		bracketedPaste: false,
		mouse: false,
		focusReports: false,
		applicationCursorKeys: false,
		cursorHidden: false,
		kittyKeyboard: 0,
	});
	// The service goes on for a while.
	expect(processesUnder(env.HOME as string).map(command => command.replace(/[\0 ]+$/, ''))).toEqual([
		'quarterdeck service',
	]);
}, 120_000);

/** The session that was opened on the computer, as a script would find it while the screen is open. */
async function readSessionId(env: NodeJS.ProcessEnv): Promise<string> {
	const sessions = await runJson(env, 'sessions', 'list');
	return String(
		sessions.find(({quarterdeck}) => (quarterdeck as {origin: string}).origin === 'created')?.sessionId,
	);
}

/** Commands of the processes that still run in a folder. */
function processesUnder(folder: string): string[] {
	return readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.flatMap(pid => {
			try {
				return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
					? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')]
					: [];
			} catch {
				return [];
			}
		});
}

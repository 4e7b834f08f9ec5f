import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runJson} from '../support/agent-says.ts';
import {createRepository, writeFiles} from '../support/git-repository.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {emptyHome, openProgram} from '../support/program.ts';

test('the changes of a session are shown and committed; a worktree is removed only after two questions', async () => {
	const {folder} = createRepository({'src/a.ts': "export const name = 'one';\n"});
	writeFiles(folder, {'src/a.ts': "export const name = 'two';\n", 'notes.md': '# Notes\n'});
	const git = (...args: string[]) =>
		execFileSync('git', args, {cwd: folder, encoding: 'utf8', timeout: 20_000});
	const hooks = temporaryFolder();
	writeFileSync(
		join(hooks, 'commit-msg'),
		'#!/bin/sh\ngrep -q Fix "$1" || { echo "say what is fixed" >&2; exit 1; }\n',
		{mode: 0o755},
	);
	const settings = join(hooks, 'settings');
	writeFileSync(settings, `[core]\n\thooksPath = ${hooks}\n`);
	const env = {...emptyHome(), GIT_CONFIG_GLOBAL: settings};
	const terminal = openProgram(['--local'], env, {columns: 120, rows: 40});
	await terminal.see('● connected');
	const [computer] = await runJson(env, 'computers', 'create', '--name', 'desk', '--remote-user', 'me');
	await runJson(env, 'sessions', 'create', '--computer-id', `${computer?.id}`, '--cwd', folder);
	await terminal.see(/desk/);
	await terminal.see('idle');
	// The row and the stream's title have the branch and the counts.
	await terminal.see(/main +\+2 -1/);
	terminal.press('L');
	await terminal.see(/main · desk · project +\+2 -1/);
	terminal.press('d');
	await terminal.see('Changes · project · main +2 -1');
	await terminal.see(/1 - export const name = 'one';/);
	await terminal.see(/1 \+ export const name = 'two';/);
	await terminal.see('? notes.md');
	writeFileSync(join(folder, 'later.txt'), 'later\n');
	terminal.press('r');
	await terminal.see('? later.txt');
	terminal.press('esc');
	await terminal.gone('? later.txt');
	// By its name in the palette, too.
	terminal.press('ctrl+p');
	terminal.type('changes in the session');
	await terminal.see(/Changes in the session.s folder/);
	terminal.press('enter');
	await terminal.see('? later.txt');

	// What a hook of the user refuses stays in the form.
	terminal.press('c');
	await terminal.see('Commit 3 files to main');
	terminal.type('Broken');
	await terminal.see(/Message +Broken/);
	terminal.press('enter');
	await terminal.see('say what is fixed');
	terminal.type(': Fix it');
	await terminal.see('Broken: Fix it');
	terminal.press('enter');
	await terminal.see(/Committed [\da-f]{7,} to main/);
	await terminal.see('Nothing has changed since the last commit.');
	expect(git('log', '-1', '--format=%s').trim()).toBe('Broken: Fix it');
	terminal.press('esc');
	await terminal.gone('Nothing has changed since the last commit.');

	// Another session, in a worktree.
	terminal.press('n');
	await terminal.see('What should it do?');
	terminal.type('echo two > src/a.ts');
	await terminal.see('two > src/a.ts');
	terminal.press('shift+tab', 'enter');
	await terminal.see('Settings of the new session');
	terminal.press('shift+tab');
	await terminal.see('its own worktree: a separate folder and git branch');
	terminal.press('w');
	await terminal.see('(●) its own worktree');
	terminal.press('enter');
	await terminal.see('settings its own worktree');
	terminal.press('shift+tab', 'shift+tab');
	await terminal.see('▌folder');
	terminal.type(folder);
	await terminal.see(folder.slice(-20));
	terminal.press('enter');
	await terminal.see(/quarterdeck\/[\da-f]{8}/);
	await terminal.see('Esc leave');
	await terminal.see(/quarterdeck\/[\da-f]{8} \+1 -1/);
	terminal.press('esc');
	await terminal.gone('Esc leave');
	const removing = async () => {
		terminal.press('ctrl+p');
		terminal.type('remove the worktree');
		await terminal.see('Remove the worktree: delete');
		terminal.press('enter');
		await terminal.see('Its folder is deleted');
		terminal.press('y');
		await terminal.see('1 changed file is not committed and would be deleted.');
		await terminal.see(/│ +y yes +n no/);
	};
	await removing();
	terminal.press('n');
	await terminal.gone('1 changed file is not committed');
	await removing();
	terminal.press('y');
	await terminal.see(/Worktree and branch quarterdeck\/[\da-f]{8} removed/);
	terminal.press('ctrl+c', 'ctrl+c');
	await terminal.see('Code 0');
	await terminal.exit();
});

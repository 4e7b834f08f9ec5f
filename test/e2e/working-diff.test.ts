import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runJson} from '../support/agent-says.ts';
import {cliAt, jsonLines} from '../support/cli.ts';
import {createRepository, writeFiles} from '../support/git-repository.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {emptyHome, openProgram} from '../support/program.ts';

test('the changes of a session are shown and committed; a worktree is removed only after two questions', async () => {
	const {folder} = createRepository({'src/a.ts': "export const name = 'one';\n"});
	writeFiles(folder, {'src/a.ts': "export const name = 'two';\n", 'notes.md': '# Notes\n'});
	const git = (...args: string[]) =>
		execFileSync('git', args, {cwd: folder, encoding: 'utf8', timeout: 20_000});
	git('config', 'user.name', 'Test');
	git('config', 'user.email', 'test@example.org');
	const hooks = temporaryFolder();
	writeFileSync(
		join(hooks, 'commit-msg'),
		'#!/bin/sh\ngrep -q Fix "$1" || { echo "say what is fixed" >&2; exit 1; }\n',
		{mode: 0o755},
	);
	const settings = join(hooks, 'settings');
	writeFileSync(settings, `[core]\n\thooksPath = ${hooks}\n`);
	const env = {...emptyHome(), GIT_CONFIG_GLOBAL: settings};
	const [computer] = runJson(env, 'computers', 'create', '--name', 'desk', '--remote-user', 'me');
	runJson(env, 'sessions', 'create', '--computer-id', `${computer?.id}`, '--cwd', folder);
	const terminal = openProgram(['--local'], env, {columns: 120, rows: 40});
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
	terminal.press('S');
	await terminal.see('its own worktree');
	terminal.type(folder);
	await terminal.see(folder.slice(-20));
	terminal.press('tab', 'tab');
	await terminal.see('its own worktree: a separate folder and git branch');
	terminal.press('w');
	await terminal.see('(●) its own worktree');
	terminal.press('ctrl+s');
	await terminal.see(/quarterdeck\/[\da-f]{8}/);
	await terminal.see('Esc leave');
	terminal.type('echo two > src/a.ts');
	await terminal.see('two > src/a.ts');
	terminal.press('enter');
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

test('sessions diff prints the patch, or one document; outside a repository it fails', async () => {
	const {folder} = createRepository({'a.txt': 'one\n'});
	writeFiles(folder, {'a.txt': 'two\n', 'new.bin': 'a\0b'});
	const cli = cliAt(temporaryFolder());
	const run = (...args: string[]) => cli.run(['--local', ...args]);
	const created = await run('computers', 'create', '--name', 'box', '--remote-user', 'me', '--json');
	const [computer] = jsonLines(created.stdout);
	const sessionIn = async (cwd: string) => {
		const made = await run('sessions', 'create', '--computer-id', `${computer?.id}`, '--cwd', cwd, '--json');
		return `${jsonLines(made.stdout)[0]?.sessionId}`;
	};
	const id = await sessionIn(folder);
	const printed = await run('sessions', 'diff', id);
	expect(printed.stdout).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n');
	expect(printed.stderr).toContain('binary file, not shown: new.bin');
	expect(printed.code).toBe(0);
	const [document] = jsonLines((await run('sessions', 'diff', id, '--json')).stdout);
	expect(document).toMatchObject({
		branch: 'main',
		added: 1,
		removed: 1,
		files: [
			{path: 'a.txt', kind: 'modified', added: 1, removed: 1},
			{path: 'new.bin', kind: 'untracked', isBinary: true},
		],
	});
	const outside = await run('sessions', 'diff', await sessionIn(temporaryFolder()));
	expect(outside).toMatchObject({code: 1, stdout: ''});
	expect(outside.stderr).toContain('not in a git repository');
	expect((await run('sessions', 'diff', 'no-such-session')).code).toBe(4);
});

test('scripts create and remove worktrees', async () => {
	const {folder} = createRepository({'a.txt': 'one\n'});
	const cli = cliAt(temporaryFolder());
	const run = (...args: string[]) => cli.run(['--local', ...args]);
	const created = await run('computers', 'create', '--name', 'box', '--remote-user', 'me', '--json');
	const computerId = `${jsonLines(created.stdout)[0]?.id}`;
	const create = async (...args: string[]) => {
		const made = await run(
			'sessions',
			'create',
			'--computer-id',
			computerId,
			'--cwd',
			folder,
			'--json',
			...args,
		);
		return jsonLines(made.stdout)[0] as {sessionId: string; workFolder?: {cwd?: string}};
	};
	const {sessionId, workFolder} = await create('--worktree');
	writeFileSync(join(`${workFolder?.cwd}`, 'a.txt'), 'two\n');
	const kept = await run('sessions', 'remove-worktree', sessionId);
	expect(kept).toMatchObject({code: 1});
	expect(kept.stderr).toContain('not removed: 1 file not committed, 0 commits');
	expect(await run('sessions', 'remove-worktree', sessionId, '--force')).toMatchObject({code: 0});
	expect((await create()).workFolder?.cwd).toBeUndefined();
	mkdirSync(join(cli.home, '.config/quarterdeck'), {recursive: true});
	writeFileSync(join(cli.home, '.config/quarterdeck/config.json'), JSON.stringify({worktree: true}));
	expect((await create()).workFolder?.cwd).toContain(cli.stateFolder);
	expect((await create('--no-worktree')).workFolder?.cwd).toBeUndefined();
});

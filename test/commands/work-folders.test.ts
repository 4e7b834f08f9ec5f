import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {createRepository, writeFiles} from '../support/git-repository.ts';
import {temporaryFolder} from '../support/local-service.ts';

test('sessions diff prints the patch, or one document; outside a repository it fails', async () => {
	const {folder} = createRepository({'a.txt': 'one\n'});
	writeFiles(folder, {'a.txt': 'two\n', 'new.bin': 'a\0b'});
	const cli = commandsAt(temporaryFolder());
	const run = (...args: string[]) => cli.run(['--local', ...args]);
	await cli.start(['serve']).until(/socket/);
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
	const cli = commandsAt(temporaryFolder());
	const run = (...args: string[]) => cli.run(['--local', ...args]);
	await cli.start(['serve']).until(/socket/);
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

import {execFileSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {createProcessGroups} from '../../../src/local/processes/process-group.ts';
import {addWorktree} from '../../../src/local/work-folder/worktrees.ts';
import {createRepository, writeFiles} from '../../support/git-repository.ts';
import {temporaryFolder} from '../../support/local-service.ts';

const groups = createProcessGroups(randomUUID());
afterAll(() => groups.close());

async function addTo(cwd: string) {
	const context = {groups, closing: new AbortController().signal, folder: temporaryFolder()};
	const added = await addWorktree(context, {sessionId: randomUUID(), cwd, isRequired: true});
	return {path: added?.worktree.path ?? '', missing: added?.missing};
}

const git = (cwd: string, ...args: string[]) => execFileSync('git', args, {cwd, encoding: 'utf8'});

test('a new worktree gets the ignored files that .worktreeinclude names, and no others', async () => {
	const {folder} = createRepository({'.gitignore': '.env*\nkeys/\nbuild/\n', 'a.txt': 'a\n'});
	writeFiles(folder, {
		'.worktreeinclude': '# local settings\n.env*\n!.env.old\nkeys/\na.txt\nnotes.txt\n',
		'.env': 'A=1\n',
		'.env.old': 'old\n',
		'apps/web/.env': 'B=2\n',
		'keys/deep/run': '#!/bin/sh\n',
		'build/out': 'o\n',
		// Not ignored: it would be a change of the session's.
		'notes.txt': 'n\n',
		'a.txt': 'changed\n',
	});
	execFileSync('chmod', ['700', join(folder, 'keys/deep/run')]);
	symlinkSync('deep/run', join(folder, 'keys/link'));
	const {path, missing} = await addTo(join(folder, 'apps'));
	expect(missing).toBeUndefined();
	expect(readFileSync(join(path, '.env'), 'utf8')).toBe('A=1\n');
	expect(readFileSync(join(path, 'apps/web/.env'), 'utf8')).toBe('B=2\n');
	expect(statSync(join(path, 'keys/deep/run')).mode & 0o777).toBe(0o700);
	expect(readlinkSync(join(path, 'keys/link'))).toBe('deep/run');
	expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a\n');
	for (const name of ['.env.old', 'build', 'notes.txt']) expect(existsSync(join(path, name))).toBe(false);
	expect(git(path, 'status', '--porcelain')).toBe('');
});

test('no link that leads elsewhere is copied or followed, and what is missing is said', async () => {
	const elsewhere = temporaryFolder();
	writeFileSync(join(elsewhere, 'key'), 'secret\n');
	const {folder} = createRepository({'.gitignore': 'out/\nlinked\nup\n.env\n', 'x.txt': 'x\n'});
	writeFiles(folder, {'.worktreeinclude': 'linked\nup\n.env\n', '.env': 'A=1\n'});
	symlinkSync(join(elsewhere, 'key'), join(folder, 'linked'));
	symlinkSync('../up', join(folder, 'up'));
	const {path, missing} = await addTo(folder);
	expect(readdirSync(path).sort()).toEqual(['.env', '.git', '.gitignore', 'x.txt']);
	expect(missing).toBe("Files of .worktreeinclude that weren't copied: linked, up");
	// In the last commit, a folder is a link to elsewhere; here, it is a folder with an ignored file.
	symlinkSync(elsewhere, join(folder, 'dir'));
	git(folder, 'add', 'dir');
	git(folder, 'commit', '--quiet', '-m', 'link');
	rmSync(join(folder, 'dir'));
	writeFiles(folder, {'.worktreeinclude': 'out\n', 'dir/out/evil': 'e\n'});
	expect((await addTo(folder)).missing).toContain(
		"weren't copied: fatal: pathspec 'dir/out/evil' is beyond a",
	);
	expect(readdirSync(elsewhere)).toEqual(['key']);
});

test.each<[string, (file: string) => void]>([
	[
		'a link',
		file => {
			writeFileSync(`${file}.real`, '.env\n');
			symlinkSync(`${file}.real`, file);
		},
	],
	['a pipe', file => execFileSync('mkfifo', [file])],
	['a folder', file => mkdirSync(file)],
])('a .worktreeinclude that is %s counts as none', async (_, make) => {
	const {folder} = createRepository({'.gitignore': '.env\n'});
	writeFiles(folder, {'.env': 'A=1\n'});
	make(join(folder, '.worktreeinclude'));
	const {path, missing} = await addTo(folder);
	expect(missing).toBeUndefined();
	expect(existsSync(join(path, '.env'))).toBe(false);
});

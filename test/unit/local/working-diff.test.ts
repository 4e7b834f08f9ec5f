import {execFileSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import type {WorkingDiff} from '../../../src/domain/sessions/work-folder.ts';
import {createProcessGroups} from '../../../src/local/processes/process-group.ts';
import {readWorkingDiff} from '../../../src/local/work-folder/read-diff.ts';
import {commitAll, createRepository, writeFiles} from '../../support/git-repository.ts';
import {temporaryFolder} from '../../support/local-service.ts';

const groups = createProcessGroups(randomUUID());
afterAll(() => groups.close());

function diffOf(folder: string, hasPatches = true, isSinceBase = false): Promise<WorkingDiff> {
	const reader = {groups, closing: new AbortController().signal};
	return readWorkingDiff(reader, folder, {hasPatches, isSinceBase});
}

function git(folder: string, ...args: string[]): void {
	execFileSync('git', args, {cwd: folder, stdio: 'ignore', timeout: 20_000});
}

test('shows lines and counts of changed, added, removed, renamed and new files', async () => {
	const long = Array.from({length: 20}, (_, index) => `line ${index}\n`).join('');
	const {folder} = createRepository({
		'src/a.ts': 'one\ntwo\nthree\n',
		'gone.txt': 'gone\n',
		'old-name.txt': long,
		'same.txt': 'same\n',
	});
	writeFiles(folder, {'src/a.ts': 'one\n2\nthree\nfour', 'new/b.ts': 'x\ny\n', 'staged.txt': 'staged\n'});
	git(folder, 'add', 'staged.txt');
	git(folder, 'mv', 'old-name.txt', 'new-name.txt');
	rmSync(join(folder, 'gone.txt'));
	// From a folder of the repository, all of it is shown.
	const diff = await diffOf(join(folder, 'src'));
	expect(diff).toMatchObject({folder, branch: 'main', added: 5, removed: 2});
	expect(diff.leftOut).toBeUndefined();
	expect(diff.files).toEqual([
		{path: 'gone.txt', kind: 'deleted', added: 0, removed: 1, patch: '@@ -1 +0,0 @@\n-gone'},
		{path: 'new-name.txt', from: 'old-name.txt', kind: 'renamed', added: 0, removed: 0, patch: ''},
		{path: 'new/b.ts', kind: 'untracked', added: 2, removed: 0, patch: '@@ -0,0 +1,2 @@\n+x\n+y'},
		{
			path: 'src/a.ts',
			kind: 'modified',
			added: 2,
			removed: 1,
			patch: '@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n\\ No newline at end of file',
		},
		{path: 'staged.txt', kind: 'added', added: 1, removed: 0, patch: '@@ -0,0 +1 @@\n+staged'},
	]);
	const {id: _, hasNoBase: __, ...counts} = diff;
	const files = diff.files?.map(({patch: _, ...file}) => file);
	expect(await diffOf(folder, false)).toEqual({...counts, files});
});

test('all files are new before the first commit, and none without changes; a branch may be missing', async () => {
	const folder = temporaryFolder();
	git(folder, 'init', '--quiet', '--initial-branch=trunk');
	writeFiles(folder, {a: 'a\n'});
	git(folder, 'add', 'a');
	expect(await diffOf(folder)).toMatchObject({
		branch: 'trunk',
		files: [{path: 'a', kind: 'added', added: 1}],
	});
	commitAll(folder, 'first');
	git(folder, 'checkout', '--quiet', '--detach');
	const clean = await diffOf(folder);
	expect(clean).toMatchObject({files: [], added: 0, removed: 0});
	expect(clean.branch).toBeUndefined();
});

test('since the base branch, counts what was committed, but not what the base has gained', async () => {
	const {folder} = createRepository({'a.txt': 'a\n', 'old.txt': 'old\n'});
	expect(await diffOf(folder, true, true)).toEqual({problem: 'no-base'});
	expect((await diffOf(folder)).hasNoBase).toBe(true);
	git(folder, 'checkout', '--quiet', '-b', 'topic');
	expect((await diffOf(folder)).hasNoBase).toBeUndefined();
	writeFiles(folder, {'a.txt': 'b\n', 'committed.txt': 'c\n'});
	commitAll(folder, 'first');
	git(folder, 'checkout', '--quiet', 'main');
	writeFiles(folder, {'of-main.txt': 'm\n'});
	commitAll(folder, 'main goes on');
	git(folder, 'checkout', '--quiet', 'topic');
	writeFiles(folder, {'new.txt': 'n\n', 'old.txt': 'new\n'});
	const since = await diffOf(folder, true, true);
	expect(since).toMatchObject({base: 'main', commits: 1, branch: 'topic', added: 4, removed: 2});
	expect(since.files?.map(({path, kind}) => `${kind} ${path}`)).toEqual([
		'modified a.txt',
		'added committed.txt',
		'untracked new.txt',
		'modified old.txt',
	]);
	const own = await diffOf(folder);
	expect(own.base).toBeUndefined();
	expect(own.files?.map(({path}) => path)).toEqual(['new.txt', 'old.txt']);
	expect(own.id).not.toBe(since.id);
	// Of a branch of a branch, the nearer one is the base; a work tree of its own has that of the main one.
	git(folder, 'branch', 'trunk');
	git(folder, 'checkout', '--quiet', '--force', 'trunk');
	const path = join(temporaryFolder(), 'tree');
	git(folder, 'worktree', 'add', '-b', 'mine', path);
	writeFiles(path, {'mine.txt': 'x\n'});
	commitAll(path, 'mine');
	expect(await diffOf(path, true, true)).toMatchObject({base: 'trunk', commits: 1, added: 1, removed: 0});
	// A clone's own branch is compared with what the remote has.
	const clone = join(temporaryFolder(), 'clone');
	execFileSync('git', ['clone', '--quiet', '--branch=main', folder, clone], {
		stdio: 'ignore',
		timeout: 20_000,
	});
	writeFiles(clone, {'unpushed.txt': 'x\n'});
	commitAll(clone, 'unpushed');
	expect(await diffOf(clone, true, true)).toMatchObject({base: 'origin/main', commits: 1, branch: 'main'});
});

test('says if a folder has no git or is gone, and why git refuses', async () => {
	const folder = temporaryFolder();
	expect(await diffOf(folder)).toEqual({problem: 'no-repository'});
	expect(await diffOf(join(folder, 'gone'))).toEqual({problem: 'no-folder'});
	git(folder, 'init', '--quiet');
	writeFileSync(join(folder, '.git/config'), '[core]\nrepositoryformatversion = 99\n');
	const refused = await diffOf(folder);
	expect(refused.problem).toBe('failed');
	expect(refused.detail).toMatch(/repo(?:sitory)? version/i);
});

test('shows the lines of files with any kind of name', async () => {
	const names = [
		'with space.txt',
		'tab\there.txt',
		'quote".txt',
		'umlaut-ä-日本.txt',
		'new\nline.txt',
		'x\ndiff --git a/fake b/fake\n@@ -1 +1 @@\n+fake',
		':100644 000000 M.txt',
		'-rf',
		'? question',
		'\u001b[31mred\u202egpj.exe',
	];
	const {folder} = createRepository(Object.fromEntries(names.map(name => [name, 'before\n'])));
	writeFiles(folder, Object.fromEntries(names.map((name, index) => [name, `before\nafter ${index}\n`])));
	writeFiles(folder, Object.fromEntries(names.map((name, index) => [`new ${name}`, `new ${index}\n`])));
	const {files = []} = await diffOf(folder);
	expect(files).toHaveLength(names.length * 2);
	for (const [index, name] of names.entries()) {
		expect(files.find(({path}) => path === name)).toMatchObject({
			kind: 'modified',
			added: 1,
			patch: `@@ -1 +1,2 @@\n before\n+after ${index}`,
		});
		expect(files.find(({path}) => path === `new ${name}`)).toMatchObject({
			kind: 'untracked',
			patch: `@@ -0,0 +1 @@\n+new ${index}`,
		});
	}
});

test('tells binary files, links, modes, conflicts and inner repositories apart', async () => {
	const {folder} = createRepository({
		'image.png': 'PNG\0one',
		'run.sh': 'echo\n',
		'turns.txt': 'text\n',
		'both.txt': 'base\n',
	});
	git(folder, 'checkout', '--quiet', '-b', 'other');
	writeFiles(folder, {'both.txt': 'theirs\n'});
	commitAll(folder, 'theirs');
	git(folder, 'checkout', '--quiet', 'main');
	writeFiles(folder, {'both.txt': 'ours\n'});
	commitAll(folder, 'ours');
	expect(() => git(folder, 'merge', 'other')).toThrow();
	writeFiles(folder, {'image.png': 'PNG\0two', 'new.bin': 'a\0b'});
	chmodSync(join(folder, 'run.sh'), 0o755);
	rmSync(join(folder, 'turns.txt'));
	symlinkSync('/etc/passwd', join(folder, 'turns.txt'));
	symlinkSync('/etc/passwd', join(folder, 'new-link'));
	execFileSync('mkfifo', [join(folder, 'pipe')], {timeout: 20_000});
	mkdirSync(join(folder, 'inner'));
	git(join(folder, 'inner'), 'init', '--quiet');
	const {files = []} = await diffOf(folder);
	const fileOf = (name: string) => files.find(({path}) => path === name);
	expect(fileOf('image.png')).toEqual({path: 'image.png', kind: 'modified', isBinary: true});
	expect(fileOf('new.bin')).toEqual({path: 'new.bin', kind: 'untracked', isBinary: true});
	expect(fileOf('run.sh')).toMatchObject({patch: '', note: 'old mode 100644, new mode 100755'});
	expect(fileOf('turns.txt')?.patch).toContain('-text');
	expect(fileOf('turns.txt')?.patch).toContain('+/etc/passwd');
	expect(fileOf('new-link')).toMatchObject({
		kind: 'untracked',
		patch: expect.stringContaining('+/etc/passwd\n'),
		note: 'a link',
	});
	expect(fileOf('pipe')).toBeUndefined();
	expect(fileOf('inner/')).toMatchObject({kind: 'untracked', note: 'another repository'});
	expect(fileOf('both.txt')).toMatchObject({kind: 'conflict'});
	expect(fileOf('both.txt')?.patch).toContain('+<<<<<<< HEAD');
});

test('shows the lines of each file under its own name, after another was written as it was', async () => {
	const {folder} = createRepository({'a.txt': 'a\n', 'b.txt': 'b\n'});
	writeFiles(folder, {'a.txt': 'a\n', 'b.txt': 'c\n'});
	const later = new Date(Date.now() + 5000);
	utimesSync(join(folder, 'a.txt'), later, later);
	const {files} = await diffOf(folder);
	expect(files).toEqual([
		{path: 'b.txt', kind: 'modified', added: 1, removed: 1, patch: '@@ -1 +1 @@\n-b\n+c'},
	]);
});

test('cuts large changes at whole lines, and keeps their counts', async () => {
	const line = 'x'.repeat(99);
	const {folder} = createRepository({'large.txt': 'first\n', 'after.txt': 'first\n', 'z.txt': 'first\n'});
	writeFiles(folder, {
		'after.txt': 'first\nsecond\n',
		'large.txt': `${line}\n`.repeat(40_000),
		'z.txt': 'first\nlast\n',
		'new-large.txt': `${line}\n`.repeat(4000),
	});
	const {files = [], added, hasMoreLines} = await diffOf(folder);
	expect(added).toBeGreaterThan(40_000);
	expect(hasMoreLines).toBe(true);
	const [after, large, newLarge, z] = files;
	expect(after).toMatchObject({path: 'after.txt', added: 1, patch: '@@ -1 +1,2 @@\n first\n+second'});
	expect(large).toMatchObject({path: 'large.txt', added: 40_000, removed: 1, isCut: true});
	expect(large?.patch?.length).toBeLessThanOrEqual(256 * 1024);
	expect(large?.patch?.endsWith(`\n+${line}`)).toBe(true);
	expect(newLarge).toMatchObject({path: 'new-large.txt', isCut: true, hasMoreLines: true});
	expect(newLarge?.patch?.endsWith(`\n+${line}`)).toBe(true);
	// Behind the end of what is read of the patch.
	expect(z).toEqual({path: 'z.txt', kind: 'modified', added: 1, removed: 0, isCut: true});
});

test('counts the files beyond those that can be listed', async () => {
	const {folder} = createRepository({a: 'a\n'});
	writeFiles(folder, Object.fromEntries(Array.from({length: 1100}, (_, index) => [`new/${index}`, 'x\n'])));
	const {files, leftOut, hasMoreLines} = await diffOf(folder);
	expect([files?.length, leftOut, hasMoreLines]).toEqual([1000, 100, true]);
});

test("the id changes with each change, even of what isn't sent", async () => {
	const {folder} = createRepository({'a.txt': 'a\n', 'image.png': 'PNG\0one'});
	const ids = new Set<string | undefined>();
	const note = async () => {
		const {id} = await diffOf(folder);
		expect(id).toMatch(/^[\da-f]{32}$/);
		ids.add(id);
	};
	await note();
	await note();
	expect(ids.size).toBe(1);
	writeFiles(folder, {'a.txt': 'b\n'});
	await note();
	writeFiles(folder, {'new.txt': 'b\n'});
	await note();
	writeFiles(folder, {'new.txt': 'c\n'});
	await note();
	writeFiles(folder, {'image.png': 'PNG\0two'});
	await note();
	writeFiles(folder, {'image.png': 'PNG\0three and more'});
	await note();
	commitAll(folder, 'second');
	await note();
	expect(ids.size).toBe(7);
});

test('a partial clone fetches nothing to show its diff', async () => {
	const {folder, url} = createRepository({'a.txt': 'a\n'.repeat(100)});
	git(folder, 'config', 'uploadpack.allowFilter', 'true');
	const clone = join(temporaryFolder(), 'clone');
	execFileSync('git', ['clone', '--quiet', '--filter=blob:none', '--no-checkout', url, clone], {
		stdio: 'ignore',
		timeout: 20_000,
	});
	const ran = join(temporaryFolder(), 'ran');
	const script = join(temporaryFolder(), 'evil');
	writeFileSync(script, `#!/bin/sh\ntouch '${ran}'\nexit 1\n`, {mode: 0o755});
	git(clone, 'config', 'remote.origin.uploadpack', script);
	git(clone, 'config', 'remote.origin.url', `ext::${script}`);
	git(clone, 'config', 'protocol.ext.allow', 'always');
	git(clone, 'config', 'protocol.allow', 'always');
	writeFiles(clone, {'a.txt': 'b\n'});
	git(clone, 'read-tree', 'HEAD');
	const diff = await diffOf(clone);
	expect(existsSync(ran)).toBe(false);
	expect(diff.problem).toBe('failed');
});

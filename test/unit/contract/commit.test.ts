import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {commitAll, createRepository, writeFiles} from '../../support/git-repository.ts';
import {sharedTestServices, temporaryFolder} from '../../support/local-service.ts';
import {scriptAgent} from '../../support/replayed-agents.ts';
import {createSession} from '../../support/sessions.ts';

const shared = sharedTestServices();

const git = (cwd: string, ...args: string[]) =>
	execFileSync('git', args, {
		cwd,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
		timeout: 20_000,
	}).trim();

/** Settings of the user, in place of those of this machine's user. */
function userSettings(file: string): void {
	vi.stubEnv('GIT_CONFIG_GLOBAL', file);
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
}

async function sessionIn(files: Readonly<Record<string, string>>) {
	const {service} = await shared();
	const {folder} = createRepository(files);
	const id = await createSession(service, folder);
	const diffId = async () => `${(await service.workFolders.diff(id)).id}`;
	return {service, folder, id, diffId};
}

test('commits all changes that were shown, with the whole message', async () => {
	const {service, folder, id, diffId} = await sessionIn({'a.txt': 'a\n', 'gone.txt': 'gone\n'});
	writeFiles(folder, {'a.txt': 'b\n', 'new/c.txt': 'c\n'});
	git(folder, 'rm', '--quiet', 'gone.txt');
	const message = '#12: say it\n\n- a line with "quotes" and $(touch x)\n# not a comment';
	const {commit, branch, problem} = await service.workFolders.commit(id, {diffId: await diffId(), message});
	expect(problem).toBeUndefined();
	expect(branch).toBe('main');
	expect(git(folder, 'rev-parse', 'HEAD').startsWith(`${commit}`)).toBe(true);
	expect(git(folder, 'log', '-1', '--format=%B')).toBe(message);
	expect(git(folder, 'show', '--name-status', '--format=').split('\n').sort()).toEqual([
		'A\tnew/c.txt',
		'D\tgone.txt',
		'M\ta.txt',
	]);
	expect((await service.workFolders.diff(id)).files).toEqual([]);
	const {problem: nothing} = await service.workFolders.commit(id, {diffId: await diffId(), message});
	expect(nothing).toBe('Nothing has changed since the last commit.');
});

test('leaves files out of a commit, and the index as it was for them', async () => {
	const old = {
		'both.txt': '1\n2\n3\n4\n',
		'moved.txt': 'a\nb\nc\nd\n',
		'gone.txt': 'g\n',
		'cut.txt': 'c\n',
		'in.txt': 'i\n',
		'stays.txt': 'a\nb\nc\ne\n',
	};
	const {service, folder, id, diffId} = await sessionIn(old);
	// Staged and changed again, renamed, deleted with and without git, new and staged, new.
	writeFiles(folder, {'both.txt': '1\n2\n3\nfour\n'});
	git(folder, 'mv', 'moved.txt', 'to.txt');
	git(folder, 'rm', '--quiet', 'gone.txt');
	writeFiles(folder, {'added.txt': 'new\n'});
	git(folder, 'add', 'both.txt', 'added.txt');
	writeFiles(folder, {
		'both.txt': '1\n2\n3\nfive\n',
		'untracked.txt': 'u\n',
		'in.txt': 'in\n',
		'here.txt': 'h\n',
	});
	rmSync(join(folder, 'cut.txt'));
	git(folder, 'mv', 'stays.txt', 'chosen.txt');
	const staged = git(folder, 'diff', '--cached', '--name-status', '--no-renames');
	const except = ['both.txt', 'to.txt', 'gone.txt', 'cut.txt', 'added.txt', 'untracked.txt'];
	const values = {diffId: await diffId(), message: 'some', except};
	expect((await service.workFolders.commit(id, values)).problem).toBeUndefined();
	expect(git(folder, 'show', '--name-status', '--no-renames', '--format=').split('\n')).toEqual([
		'A\tchosen.txt',
		'A\there.txt',
		'M\tin.txt',
		'D\tstays.txt',
	]);
	const kept = staged.split('\n').filter(line => !/chosen|stays/.test(line));
	expect(git(folder, 'diff', '--cached', '--name-status', '--no-renames').split('\n')).toEqual(kept);
	expect(git(folder, 'show', ':both.txt')).toBe('1\n2\n3\nfour');
	expect(git(folder, 'diff', '--name-status')).toBe('M\tboth.txt\nD\tcut.txt');
	expect(git(folder, 'ls-files', '--others')).toBe('untracked.txt');
	const all = {...values, diffId: await diffId()};
	expect((await service.workFolders.commit(id, all)).problem).toBe('No file is left to commit.');
	git(folder, 'update-ref', 'MERGE_HEAD', 'HEAD');
	const merge = await service.workFolders.commit(id, {...all, except: ['added.txt']});
	expect(merge.problem).toContain('can only be committed as a whole');
});

test("doesn't commit what has changed since it was shown", async () => {
	const {service, folder, id, diffId} = await sessionIn({'a.txt': 'a\n'});
	writeFiles(folder, {'a.txt': 'b\n'});
	const shown = await diffId();
	writeFiles(folder, {'secret.txt': 'key\n'});
	const {problem} = await service.workFolders.commit(id, {diffId: shown, message: 'x'});
	expect(problem).toContain('changed since it was shown');
	expect(git(folder, 'rev-list', '--count', 'HEAD')).toBe('1');
	expect(git(folder, 'diff', '--cached', '--name-only')).toBe('');
});

test("runs the user's own hooks, and says in their words why they refuse; none of the repository's", async () => {
	const {service, folder, id, diffId} = await sessionIn({'a.txt': 'a\n'});
	writeFiles(folder, {'a.txt': 'b\n', 'staged.txt': 's\n', 'new.txt': 'n\n'});
	git(folder, 'add', 'staged.txt');
	const home = temporaryFolder();
	const [ran, hook] = [join(home, 'ran'), join(home, 'hooks/pre-commit')];
	writeFiles(home, {config: `[core]\n\thooksPath = ${home}/hooks\n`, 'hooks/x': ''});
	userSettings(join(home, 'config'));
	writeFileSync(hook, '#!/bin/sh\necho "lint: a.txt is \u001b[31mwrong" >&2\nexit 3\n', {mode: 0o755});
	const shown = await diffId();
	const staged = statSync(join(folder, '.git/index')).mtimeMs;
	const refused = await service.workFolders.commit(id, {diffId: shown, message: 'x'});
	expect(refused.commit).toBeUndefined();
	expect(refused.problem).toContain('lint: a.txt is');
	// What was staged is as it was, so that the same changes can be committed once the hook agrees.
	expect(git(folder, 'diff', '--cached', '--name-only')).toBe('staged.txt');
	expect(await diffId()).toBe(shown);
	// A newer index would hide changes that were made in the second of the last one.
	expect(statSync(join(folder, '.git/index')).mtimeMs).toBeLessThanOrEqual(staged);
	expect(git(folder, 'rev-list', '--count', 'HEAD')).toBe('1');
	writeFileSync(hook, `#!/bin/sh\ntouch '${ran}'\n`, {mode: 0o755});
	writeFiles(folder, {'.git/hooks/x': ''});
	writeFileSync(join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 3\n', {mode: 0o755});
	const {commit} = await service.workFolders.commit(id, {diffId: shown, message: 'x'});
	expect(commit).toMatch(/^[\da-f]{7,}$/);
	expect(existsSync(ran)).toBe(true);
});

test("stores files as the user's own filters make them, and none that only the repository can filter", async () => {
	const {service, folder, id, diffId} = await sessionIn({'.gitattributes': '*.up filter=upper\n'});
	writeFiles(folder, {'a.up': 'secret\n'});
	git(folder, 'config', 'filter.upper.clean', 'tr a-z 0');
	const refused = await service.workFolders.commit(id, {diffId: await diffId(), message: 'x'});
	expect(refused.problem).toContain("clean filter 'upper' failed");
	expect(refused.problem).toContain("this filter is in the repository's own settings");
	expect(git(folder, 'status', '--porcelain')).toBe('?? a.up');
	const home = temporaryFolder();
	writeFiles(home, {config: '[filter "upper"]\n\tclean = tr a-z A-Z\n'});
	userSettings(join(home, 'config'));
	const {problem} = await service.workFolders.commit(id, {diffId: await diffId(), message: 'x'});
	expect(problem).toBeUndefined();
	expect(git(folder, 'show', 'HEAD:a.up')).toBe('SECRET');
});

test('commits a folder that became a link, and a file that became a folder', async () => {
	const {service, folder, id, diffId} = await sessionIn({'docs/a.txt': 'a\n', file: 'f\n', 'b.txt': 'b\n'});
	rmSync(join(folder, 'docs'), {recursive: true});
	symlinkSync('/etc', join(folder, 'docs'));
	rmSync(join(folder, 'file'));
	writeFiles(folder, {'file/inner': 'i\n'});
	const {problem} = await service.workFolders.commit(id, {diffId: await diffId(), message: 'x'});
	expect(problem).toBeUndefined();
	expect(git(folder, 'ls-files').split('\n')).toEqual(['b.txt', 'docs', 'file/inner']);
	expect(git(folder, 'status', '--porcelain')).toBe('');
});

test("doesn't commit files in conflict; says what git says about a missing author name", async () => {
	const {service, folder, id, diffId} = await sessionIn({'a.txt': 'base\n'});
	git(folder, 'checkout', '--quiet', '-b', 'other');
	writeFiles(folder, {'a.txt': 'theirs\n'});
	commitAll(folder, 'theirs');
	git(folder, 'checkout', '--quiet', 'main');
	writeFiles(folder, {'a.txt': 'ours\n'});
	commitAll(folder, 'ours');
	expect(() => git(folder, 'merge', 'other')).toThrow();
	const conflict = await service.workFolders.commit(id, {diffId: await diffId(), message: 'x'});
	expect(conflict.problem).toContain('resolve these conflicts first: a.txt');
	git(folder, 'merge', '--abort');
	writeFiles(folder, {'a.txt': 'more\n'});
	git(folder, 'config', 'user.name', '');
	const nameless = await service.workFolders.commit(id, {diffId: await diffId(), message: 'x'});
	expect(nameless.problem).toMatch(/^fatal: empty ident name/);
});

/** A `gh` that notes how it was called, before one that this machine may have. */
function fakeGh(defaultBranch: string, create = 'echo https://github.example/me/project/pull/7'): string {
	const calls = join(temporaryFolder(), 'calls');
	scriptAgent(
		'gh',
		`printf '%s\\n' "$@" >> '${calls}'; case $1 in repo) echo ${defaultBranch};; pr) ${create};; esac`,
	);
	return calls;
}

/** A new repository that git reaches by `ssh`, of which a stand-in runs what it is told here. */
function createRemote(): {readonly folder: string; readonly url: string} {
	const folder = join(temporaryFolder(), 'remote.git');
	git('/', 'init', '--quiet', '--bare', folder);
	scriptAgent('ssh', 'for command; do :; done; exec sh -c "$command"');
	return {folder, url: `ssh://host${folder}`};
}

test('pushes the branch and opens a pull request with gh', async () => {
	const calls = fakeGh('main');
	const {service, folder, id} = await sessionIn({'a.txt': 'a\n'});
	const remote = createRemote();
	git(folder, 'remote', 'add', 'origin', remote.url);
	git(folder, 'checkout', '--quiet', '-b', 'feature/x');
	writeFiles(folder, {'a.txt': 'b\n'});
	commitAll(folder, 'second');
	expect((await service.workFolders.diff(id)).hasPullRequests).toBe(true);
	const values = {title: '--title=evil; touch x', body: 'two\nlines'};
	expect(await service.workFolders.openPullRequest(id, values)).toEqual({
		url: 'https://github.example/me/project/pull/7',
		branch: 'feature/x',
		isPushed: true,
	});
	expect(git(remote.folder, 'rev-parse', 'refs/heads/feature/x')).toBe(git(folder, 'rev-parse', 'HEAD'));
	expect(git(folder, 'rev-parse', '--symbolic-full-name', '@{upstream}')).toBe(
		'refs/remotes/origin/feature/x',
	);
	expect(readFileSync(calls, 'utf8')).toContain(
		'pr\ncreate\n--head=feature/x\n--title=--title=evil; touch x\n--body=two\nlines\n',
	);
});

test('opens no pull request from the default branch, without a remote, or if gh refuses', async () => {
	// It comes in pieces that end inside of characters.
	fakeGh('main', "{ printf 'a pull request exists'; yes é | head -n 30000; } | tr -d '\\n' >&2; exit 1");
	const {service, folder, id} = await sessionIn({'a.txt': 'a\n'});
	const open = async () => service.workFolders.openPullRequest(id, {title: 'x', body: ''});
	expect((await open()).problem).toBe('this repository has no remote');
	const remote = createRemote();
	git(folder, 'remote', 'add', 'origin', remote.url);
	expect((await open()).problem).toContain('main is the branch that pull requests go to');
	expect(git(remote.folder, 'branch', '--list')).toBe('');
	git(folder, 'checkout', '--quiet', '-b', 'x');
	expect(await open()).toEqual({
		problem: `a pull request exists${'é'.repeat(30_000)}`,
		isPushed: true,
	});
	git(folder, 'remote', 'set-url', 'origin', `${remote.url}/gone`);
	expect((await open()).problem).toMatch(/does not appear to be a git repository|not found/i);
	git(folder, 'checkout', '--quiet', '--detach');
	expect((await open()).problem).toBe('no branch is checked out here');
});

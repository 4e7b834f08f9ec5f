import {execFileSync} from 'node:child_process';
import {
	cpSync,
	existsSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {eventually} from '../../support/eventually.ts';
import {commitAll, createRepository, writeFiles} from '../../support/git-repository.ts';
import {sharedTestServices, startTestService, temporaryFolder} from '../../support/local-service.ts';
import {createReadyComputer, readAll, textOf} from '../../support/sessions.ts';

const shared = sharedTestServices();

const git = (cwd: string, ...args: string[]) =>
	execFileSync('git', args, {
		cwd,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
		timeout: 20_000,
	}).trim();

/** A service with a ready computer; its sessions, each with a worktree and what its first message answered. */
async function open(start = shared) {
	const {service, folder} = await start();
	const computerId = await createReadyComputer(service);
	const say = async (sessionId: string, text: string) => {
		await service.messages.add(sessionId, {text});
		await eventually(async () => {
			const {status} = await service.sessions.update(sessionId, {});
			if (status !== 'idle') throw new Error('at work');
		});
		return textOf((await readAll(service, sessionId)).at(-1));
	};
	const create = async (cwd: string) => {
		const session = await service.sessions.create({computerId, cwd, worktree: true});
		return {session, id: session.sessionId, path: `${session.workFolder?.cwd}`};
	};
	return {service, folder, computerId, say, create};
}

test('sessions with worktrees work side by side, each on its own branch', async () => {
	const {say, create, folder} = await open();
	const repository = createRepository({'src/a.txt': 'one\n', 'b.txt': 'b\n'});
	writeFiles(repository.folder, {'b.txt': 'not committed\n'});
	const [one, two] = [await create(join(repository.folder, 'src')), await create(repository.folder)];
	for (const {session, id, path} of [one, two]) {
		expect(session.workFolder).toMatchObject({branch: `quarterdeck/${id.slice(0, 8)}`, isWorktree: true});
		expect(path.startsWith(join(folder, 'worktrees', id))).toBe(true);
		expect(statSync(join(folder, 'worktrees', id)).mode & 0o777).toBe(0o700);
	}
	expect(one.path.endsWith('/project/src')).toBe(true);
	expect(two.path.endsWith('/project')).toBe(true);
	expect(one.session.workFolder?.sourceFolder).toBe(realpathSync(join(repository.folder, 'src')));
	expect(two.session.workFolder?.sourceFolder).toBe(realpathSync(repository.folder));
	expect(await say(one.id, 'pwd; echo changed > a.txt; cat ../b.txt')).toBe(`${one.path}\nb\n`);
	expect(readFileSync(join(two.path, 'src/a.txt'), 'utf8')).toBe('one\n');
	expect(readFileSync(join(repository.folder, 'src/a.txt'), 'utf8')).toBe('one\n');
});

test('the configured setup of a repository runs in its new worktree before the first message', async () => {
	const {folder} = createRepository({'src/a.txt': 'one\n'});
	const other = createRepository({'a.txt': 'one\n'}).folder;
	const setups: Record<string, string> = {[folder]: 'pwd; echo made > made.txt', '/gone': 'touch gone'};
	const {service, create, say} = await open(() => startTestService({worktreeSetup: async () => setups}));
	const {id, path} = await create(join(folder, 'src'));
	expect(await say(id, 'cat ../made.txt')).toBe('made\n');
	const top = path.replace(/\/src$/, '');
	// It answers nobody.
	const {items} = await service.messages.list(id, {role: 'tool'});
	expect(items.map(textOf)).toEqual([`$ ${setups[folder]}\n${top}\n`]);
	// From within that worktree, too. What fails is said, and the first message runs nevertheless.
	setups[folder] = 'echo no >&2; exit 3';
	const failed = await create(path);
	expect(await say(failed.id, 'echo on')).toBe('on\n');
	const [first] = await readAll(service, failed.id);
	expect([textOf(first), first?.isError]).toEqual(['$ echo no >&2; exit 3\nno\n[exit 3]', true]);
	const unnamed = await create(other);
	expect(await say(unnamed.id, 'ls')).toBe('a.txt\n');
	expect(await readAll(service, unnamed.id)).toHaveLength(2);
	// One that doesn't end can be interrupted.
	setups[folder] = 'sleep 60';
	const endless = await create(folder);
	await eventually(async () => expect(await service.agentRequests.interrupt(endless.id)).toBe(true));
	expect(await say(endless.id, 'echo on')).toBe('on\n');
	expect(textOf((await readAll(service, endless.id))[0])).toBe('$ sleep 60\n[interrupted]');
});

test('a setup that is unknown is said in the session', async () => {
	const {folder} = createRepository({'a.txt': 'one\n'});
	const worktreeSetup = async () => {
		throw new Error('config.json:1:1: not valid JSON');
	};
	const {service, create} = await open(() => startTestService({worktreeSetup}));
	const {id} = await create(folder);
	const [first] = await readAll(service, id);
	expect(textOf(first)).toBe('[No setup has run: config.json:1:1: not valid JSON]');
});

test('of two sessions that continue a conversation at once, the refused one leaves no worktree', async () => {
	const {service, computerId, folder} = await open(startTestService);
	const cwd = createRepository({'a.txt': 'one\n'}).folder;
	const draft = {computerId, cwd, worktree: true, agent: 'claude', resume: 'conversation-1'};
	const made = await Promise.allSettled([service.sessions.create(draft), service.sessions.create(draft)]);
	const sessions = made.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
	expect(sessions).toHaveLength(1);
	expect(git(cwd, 'worktree', 'list').split('\n')).toHaveLength(2);
	const [{sessionId = '', workFolder} = {}] = sessions;
	expect(git(cwd, 'branch', '--list', 'quarterdeck/*', '--format=%(refname:short)')).toBe(workFolder?.branch);
	expect(readdirSync(join(folder, 'worktrees'))).toEqual([sessionId]);
});

test('where no worktree can be made, refuses a session that needs one, and makes others without', async () => {
	const {service, computerId} = await open();
	const outside = temporaryFolder();
	const empty = temporaryFolder();
	git(empty, 'init', '--quiet');
	for (const [cwd, why] of [
		[outside, /not in a git repository/],
		[empty, /no commit yet/],
	] as const) {
		await expect(service.sessions.create({computerId, cwd, worktree: true})).rejects.toThrow(why);
		const session = await service.sessions.create({computerId, cwd, worktree: 'if-possible'});
		expect(session.workFolder?.isWorktree).toBeUndefined();
	}
	const {folder} = createRepository({'a.txt': 'a\n'});
	const possible = await service.sessions.create({computerId, cwd: folder, worktree: 'if-possible'});
	expect(possible.workFolder?.isWorktree).toBe(true);
});

test("makes no worktree whose files only the repository's own filter could make", async () => {
	const {service, computerId} = await open();
	const {folder} = createRepository({'a.txt': 'a\n', '.gitattributes': '*.txt filter=lock\n'});
	git(folder, 'config', 'filter.lock.smudge', 'cat');
	const create = (worktree: true | 'if-possible') =>
		service.sessions.create({computerId, cwd: folder, worktree});
	await expect(create(true)).rejects.toThrow(/smudge filter lock failed[\s\S]*own settings/);
	expect((await create('if-possible')).workFolder?.isWorktree).toBeUndefined();
	expect(git(folder, 'worktree', 'list').split('\n')).toHaveLength(1);
	expect(git(folder, 'branch', '--list', 'quarterdeck/*')).toBe('');
});

test('removes a worktree with a submodule only if forced', async () => {
	const {service, create} = await open();
	const {folder} = createRepository({'a.txt': 'a\n'});
	const inner = createRepository({'i.txt': 'i\n'}).folder;
	git(folder, 'update-index', '--add', '--cacheinfo', `160000,${git(inner, 'rev-parse', 'HEAD')},module`);
	git(folder, 'commit', '--quiet', '-m', 'module');
	const {id, path} = await create(folder);
	cpSync(inner, join(path, 'module'), {recursive: true});
	writeFiles(path, {'module/unfinished.txt': 'x\n'});
	await expect(service.workFolders.removeWorktree(id, {isForced: false})).rejects.toThrow(/submodules/);
	expect(existsSync(join(path, 'module/unfinished.txt'))).toBe(true);
	expect(await service.workFolders.removeWorktree(id, {isForced: true})).toMatchObject({isRemoved: true});
});

test('removes a worktree and its branch once its work is merged', async () => {
	const {service, folder, say, create} = await open();
	const repository = createRepository({'a.txt': 'a\n'});
	const {id, path} = await create(repository.folder);
	const branch = `quarterdeck/${id.slice(0, 8)}`;
	writeFiles(path, {'a.txt': 'b\n'});
	commitAll(path, 'second');
	expect(await service.workFolders.removeWorktree(id, {isForced: false})).toEqual({
		isRemoved: false,
		branch,
		changes: 0,
		commits: 1,
	});
	expect(existsSync(path)).toBe(true);
	git(repository.folder, 'merge', '--quiet', branch);
	const removal = await service.workFolders.removeWorktree(id, {isForced: false});
	expect(removal).toMatchObject({isRemoved: true, isBranchKept: false});
	expect(existsSync(join(folder, 'worktrees', id))).toBe(false);
	expect(git(repository.folder, 'branch', '--list', branch)).toBe('');
	expect(git(repository.folder, 'worktree', 'list').split('\n')).toHaveLength(1);
	// The session stays, and says why it can run nothing; the next one can still start where it came from.
	const {workFolder} = await service.sessions.update(id, {});
	expect(workFolder).toEqual({sourceFolder: realpathSync(repository.folder)});
	expect(await say(id, 'pwd')).toContain('[not run: there is no folder');
	await expect(service.workFolders.removeWorktree(id, {isForced: true})).rejects.toThrow(/no work tree/);
});

test('removes a worktree with unfinished work only if forced, and always keeps its commits', async () => {
	const {service, create} = await open();
	const repository = createRepository({'a.txt': 'a\n'});
	const {id, path} = await create(repository.folder);
	writeFiles(path, {'a.txt': 'b\n'});
	commitAll(path, 'second');
	writeFiles(path, {'new.txt': 'new\n', 'a.txt': 'c\n'});
	expect(await service.workFolders.removeWorktree(id, {isForced: false})).toMatchObject({
		isRemoved: false,
		changes: 2,
		commits: 1,
	});
	expect(readFileSync(join(path, 'new.txt'), 'utf8')).toBe('new\n');
	const removal = await service.workFolders.removeWorktree(id, {isForced: true});
	expect(removal).toMatchObject({isRemoved: true, isBranchKept: true});
	expect(existsSync(path)).toBe(false);
	expect(git(repository.folder, 'show', `quarterdeck/${id.slice(0, 8)}:a.txt`)).toBe('b');
});

test("doesn't remove a worktree while a turn runs; clears one that is already gone", async () => {
	const {service, create} = await open();
	const repository = createRepository({'a.txt': 'a\n'});
	const {id, path} = await create(repository.folder);
	await service.messages.add(id, {text: 'while [ ! -e go ]; do sleep 0.05; done; rm go'});
	await expect(service.workFolders.removeWorktree(id, {isForced: true})).rejects.toThrow(/turn is running/);
	writeFileSync(join(path, 'go'), '');
	await eventually(async () => {
		const {status} = await service.sessions.update(id, {});
		if (status !== 'idle') throw new Error('at work');
	});
	rmSync(path, {recursive: true});
	expect(await service.workFolders.removeWorktree(id, {isForced: false})).toMatchObject({isRemoved: true});
	expect(git(repository.folder, 'worktree', 'list').split('\n')).toHaveLength(1);
});

import {execFileSync} from 'node:child_process';
import {createHash, randomUUID} from 'node:crypto';
import {
	appendFileSync,
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join, relative} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {createFileFinder} from '../../../src/actions/find-files.ts';
import {settingsText} from '../../../src/git/settings.ts';
import {runGit} from '../../../src/local/processes/git.ts';
import {createProcessGroups} from '../../../src/local/processes/process-group.ts';
import {commitAll, openPullRequest} from '../../../src/local/work-folder/commit.ts';
import {readWorkingDiff} from '../../../src/local/work-folder/read-diff.ts';
import {addWorktree, removeWorktree} from '../../../src/local/work-folder/worktrees.ts';
import {createRepository, makeRepository, writeFiles} from '../../support/git-repository.ts';
import {temporaryFolder} from '../../support/local-service.ts';
import {scriptAgent} from '../../support/replayed-agents.ts';

type Settings = Readonly<Record<string, string>>;

const git = (cwd: string, ...args: string[]) =>
	execFileSync('git', args, {cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000});

function configure(folder: string, settings: Settings, file = '.git/config'): void {
	appendFileSync(join(folder, file), settingsText(Object.entries(settings)));
}

const files = {
	'a.txt': 'a\n',
	'.gitattributes': '* filter=evil diff=evil merge=evil\n',
};

const base = mkdtempSync(join(tmpdir(), 'test-'));
beforeAll(() => {
	makeRepository(base, files);
	writeFiles(base, {'a.txt': 'b\n', 'new.txt': 'n\n'});
});
afterAll(() => rmSync(base, {recursive: true}));

function createHostile(): string {
	const folder = temporaryFolder();
	cpSync(base, folder, {recursive: true});
	return folder;
}

/** Programs that leave a file of their name in `ran`, and then behave like `cat`. */
function createTraps() {
	const [ran, traps] = [temporaryFolder(), temporaryFolder()];
	const trap = (name: string) => {
		const file = join(traps, name);
		writeFileSync(file, `#!/bin/sh\ntouch '${ran}/${name}'\ncat 2>/dev/null\n`, {mode: 0o755});
		return file;
	};
	return {trap, whatRan: () => readdirSync(ran)};
}

type MakeTrap = ReturnType<typeof createTraps>['trap'];

const groups = createProcessGroups(randomUUID());
afterAll(() => groups.close());

function createReader() {
	return {groups, closing: new AbortController().signal, folder: temporaryFolder()};
}

type Reader = ReturnType<typeof createReader>;

async function push(reader: Reader, folder: string, looks = ''): Promise<void> {
	scriptAgent('gh', `${looks} echo trunk`);
	await openPullRequest(reader, folder, {title: 't', body: ''});
}

async function commitShown(reader: Reader, folder: string) {
	const diff = await readWorkingDiff(reader, folder, {hasPatches: true});
	return {diff, ...(await commitAll(reader, folder, {diffId: diff.id ?? '', message: 'second'}))};
}

/** All that we do with git in a folder. */
async function useEverything(folder: string) {
	const reader = createReader();
	const finder = createFileFinder(() => 0);
	await new Promise<void>(arrived => finder.filesUnder(folder, arrived));
	const add = () =>
		addWorktree(reader, {sessionId: randomUUID(), cwd: folder, isRequired: false}).catch(() => undefined);
	await add();
	// Without filters, there is something to remove.
	writeFiles(folder, {'.git/info/attributes': '* !filter\n'});
	const added = await add();
	rmSync(join(folder, '.git/info/attributes'));
	await readWorkingDiff(reader, folder, {hasPatches: false, isSinceBase: true});
	const committed = await commitShown(reader, folder);
	// The real gh looks at the repository, too.
	await push(reader, folder, 'git status --porcelain >&2; git remote -v >&2; git log -1 >&2;');
	if (added) {
		await removeWorktree(reader, added.worktree, false).catch(() => {});
		await removeWorktree(reader, added.worktree, true).catch(() => {});
	}
	await runGit(reader.groups, ['clone', '--', `file://${folder}`, join(reader.folder, 'clone')]);
	return {...committed, added};
}

const hooks = [
	'pre-commit',
	'prepare-commit-msg',
	'commit-msg',
	'post-commit',
	'post-checkout',
	'post-index-change',
	'reference-transaction',
	'pre-push',
	'pre-auto-gc',
];

/** Settings that name programs. Each is the name of its trap, too. */
const programs = [
	'core.fsmonitor',
	'core.sshCommand',
	'core.askPass',
	'core.editor',
	'core.pager',
	'core.gitProxy',
	'core.alternateRefsCommand',
	'sequence.editor',
	'pager.diff',
	'pager.status',
	'pager.log',
	'diff.external',
	'diff.evil.command',
	'diff.evil.textconv',
	'merge.evil.driver',
	'filter.evil.clean',
	'filter.evil.smudge',
	'filter.evil.process',
	'gpg.program',
	'gpg.ssh.program',
	'gpg.ssh.defaultKeyCommand',
	'credential.helper',
	'remote.origin.receivepack',
	'remote.origin.uploadpack',
	'uploadpack.packObjectsHook',
	'gc.recentObjectsHook',
	'trailer.sign.command',
	'interactive.diffFilter',
	'lfs.customtransfer.evil.path',
];
const aliases = ['status', 'diff', 'commit', 'push', 'ls-files', 'worktree'].map(name => `alias.${name}`);

function trappedSettings(trap: MakeTrap): Settings {
	return {
		...Object.fromEntries(programs.map(name => [name, trap(name)])),
		...Object.fromEntries(aliases.map(name => [name, `!${trap(name)}`])),
		'lfs.standalonetransferagent': 'evil',
		'gc.auto': '1',
		'push.recurseSubmodules': 'on-demand',
		'submodule.recurse': 'true',
		'diff.ignoreSubmodules': 'none',
		'log.showSignature': 'true',
		'remote.origin.url': 'ssh://127.0.0.1:1/x',
	};
}

test('runs no program that a repository names, none of its hooks, and none of a repository in it', async () => {
	const folder = createHostile();
	const {trap, whatRan} = createTraps();
	const inner = createRepository({'.gitattributes': '* filter=inner\n', 'i.txt': 'i\n'}).folder;
	for (const place of ['inner', 'module']) {
		cpSync(inner, join(folder, place), {recursive: true});
		const settings = {
			'filter.inner.clean': trap(`clean-${place}`),
			'core.fsmonitor': trap(`monitor-${place}`),
		};
		configure(join(folder, place), settings);
		writeFiles(folder, {[`${place}/i.txt`]: 'changed\n'});
	}
	const head = git(inner, 'rev-parse', 'HEAD').trim();
	git(folder, 'update-index', '--add', '--cacheinfo', `160000,${head},module`);
	const module = '[submodule "module"]\n\tpath = module\n\turl = ./module\n\tignore = none\n';
	writeFiles(folder, {'.gitmodules': module, 'a.txt': 'b\n'});
	git(folder, 'checkout', '--quiet', '-b', 'topic');
	for (const hook of hooks) cpSync(trap(hook), join(folder, '.git/hooks', hook));
	configure(folder, trappedSettings(trap));
	const {diff, problem} = await useEverything(folder);
	expect(whatRan()).toEqual([]);
	expect(diff.files?.map(({path}) => path)).toEqual(['.gitmodules', 'a.txt', 'inner/', 'module', 'new.txt']);
	// What the filter should have changed isn't stored as it is.
	expect(problem).toContain("clean filter 'evil' failed");
});

test('nor those of files that the settings include, those of a work tree, and hooks of another folder', async () => {
	const folder = createHostile();
	const {trap, whatRan} = createTraps();
	git(folder, 'checkout', '--quiet', '-b', 'topic');
	writeFiles(folder, {'.gitattributes': '', '.git/own-hooks/x': ''});
	for (const hook of hooks) cpSync(trap(hook), join(folder, '.git/own-hooks', hook));
	configure(
		folder,
		trappedSettings(name => trap(`included-${name}`)),
		'.git/more',
	);
	configure(
		folder,
		trappedSettings(name => trap(`own-${name}`)),
		'.git/config.worktree',
	);
	configure(folder, {
		'core.hooksPath': '.git/own-hooks',
		'include.path': 'more',
		'includeIf.gitdir:/**.path': 'more',
		'extensions.worktreeConfig': 'true',
	});
	const {problem, added} = await useEverything(folder);
	expect(whatRan()).toEqual([]);
	expect(problem).toBeUndefined();
	expect(added?.worktree.repository).toBe(folder);
});

/** Settings that would make a push run something, or sign a commit with it. */
const reaches: Readonly<Record<string, (trap: string, folder: string) => Settings>> = {
	'a proxy': trap => ({'core.gitProxy': trap, 'remote.origin.url': 'git://127.0.0.1:1/x'}),
	'another receiver': (trap, folder) => ({'remote.origin.receivepack': trap, 'remote.origin.url': folder}),
	'a remote helper': trap => ({
		'remote.origin.vcs': 'ext',
		'remote.origin.url': `${trap} x`,
		'protocol.allow': 'always',
		'protocol.ext.allow': 'always',
	}),
	'a command as address': trap => ({'remote.origin.url': `ext::${trap} x`, 'protocol.ext.allow': 'always'}),
	'a replaced address': trap => ({
		'remote.origin.url': 'https://127.0.0.1:1/x',
		[`url.ext::${trap} .insteadOf`]: 'https://',
		'protocol.ext.allow': 'always',
	}),
	'a remote named like an option': trap => ({[`remote.--receive-pack=${trap}.url`]: '.'}),
	'hooks of the remote': (trap, folder) => {
		git('/', 'init', '--quiet', '--bare', join(folder, '.git/remote'));
		for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update'])
			cpSync(trap, join(folder, '.git/remote/hooks', hook));
		return {'remote.origin.url': join(folder, '.git/remote')};
	},
};

test.each(Object.entries(reaches))(
	'a push runs nothing that the repository names: %s',
	async (_, settingsOf) => {
		const folder = createHostile();
		const {trap, whatRan} = createTraps();
		git(folder, 'checkout', '--quiet', '-b', 'topic');
		configure(folder, settingsOf(trap('ran'), folder));
		await push(createReader(), folder);
		expect(whatRan()).toEqual([]);
	},
);

test.each(['openpgp', 'ssh'])('a commit is signed by no program of the repository: %s', async format => {
	const folder = createHostile();
	const {trap, whatRan} = createTraps();
	writeFiles(folder, {'.gitattributes': ''});
	configure(folder, {...trappedSettings(trap), 'gpg.format': format, 'commit.gpgSign': 'true'});
	await commitShown(createReader(), folder);
	expect(whatRan()).toEqual([]);
});

type Place = {readonly folder: string; readonly other: string};

/** Parts of a repository that lead to those of another, or block. */
const detours: Readonly<Record<string, (place: Place) => void>> = {
	'core.worktree': ({folder, other}) => configure(folder, {'core.worktree': other}),
	'core.worktree by a relative path': ({folder, other}) =>
		configure(folder, {'core.worktree': relative(join(folder, '.git'), other)}),
	'core.worktree of config.worktree': ({folder, other}) => {
		configure(folder, {'extensions.worktreeConfig': 'true'});
		configure(folder, {'core.worktree': other}, '.git/config.worktree');
	},
	'a .git file': ({folder, other}) =>
		replaceBy(path => writeFileSync(path, `gitdir: ${other}/.git\n`), join(folder, '.git')),
	'a .git link': ({folder, other}) =>
		replaceBy(path => symlinkSync(`${other}/.git`, path), join(folder, '.git')),
	'a .git file to a worktree of another': ({folder, other}) => {
		git(other, 'worktree', 'add', '--quiet', join(temporaryFolder(), 'tree'));
		replaceBy(path => writeFileSync(path, `gitdir: ${other}/.git/worktrees/tree\n`), join(folder, '.git'));
	},
	commondir: ({folder, other}) => writeFileSync(join(folder, '.git/commondir'), `${other}/.git\n`),
	'a pipe for .git': ({folder}) => replaceBy(makePipe, join(folder, '.git')),
	'a pipe for config': ({folder}) => replaceBy(makePipe, join(folder, '.git/config')),
	'a pipe for config.worktree': ({folder}) => makePipe(join(folder, '.git/config.worktree')),
	'a pipe that config includes': ({folder}) => {
		configure(folder, {'include.path': 'pipe'});
		makePipe(join(folder, '.git/pipe'));
	},
	'a pipe for info/attributes': ({folder}) => {
		mkdirSync(join(folder, '.git/info'), {recursive: true});
		makePipe(join(folder, '.git/info/attributes'));
	},
	'a resolution of conflicts': ({folder, other}) => {
		const id = createHash('sha1').update('A\0B\0').digest('hex');
		writeFiles(other, {'conflict.txt': '<<<<<<< x\nA\n=======\nB\n>>>>>>> y\n'});
		writeFiles(folder, {
			[`.git/rr-cache/${id}/preimage`]: '<<<<<<<\nA\n=======\nB\n>>>>>>>\n',
			[`.git/rr-cache/${id}/postimage`]: 'evil\n',
			'.git/MERGE_RR': `${id}\t${relative(folder, join(other, 'conflict.txt'))}\0`,
			'.gitattributes': '',
		});
	},
	'a link for worktrees': ({folder, other}) => symlinkSync(other, join(folder, '.git/worktrees')),
	'a bare repository': ({folder}) => {
		configure(folder, {'core.worktree': '/', 'core.bare': 'true'});
		renameSync(join(folder, '.git'), join(folder, 'bare'));
	},
	...Object.fromEntries(
		['COMMIT_EDITMSG', 'logs/refs/heads/main'].flatMap(name => [
			[`a pipe for ${name}`, ({folder}: Place) => replaceBy(makePipe, join(folder, '.git', name))],
			[
				`a link for ${name}`,
				({folder, other}: Place) =>
					replaceBy(path => symlinkSync(join(other, 'a.txt'), path), join(folder, '.git', name)),
			],
		]),
	),
	...Object.fromEntries(
		['index', 'objects', 'refs/heads'].map(name => [
			`a link for ${name}`,
			({folder, other}: Place) =>
				replaceBy(path => symlinkSync(join(other, '.git', name), path), join(folder, '.git', name)),
		]),
	),
};

function makePipe(path: string): void {
	execFileSync('mkfifo', [path], {timeout: 20_000});
}

function replaceBy(make: (path: string) => void, path: string): void {
	rmSync(path, {recursive: true, force: true});
	make(path);
}

/** The content of all files below a folder. */
function contentOf(folder: string): Record<string, string> {
	const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort();
	const isFile = (name: string) => statSync(join(folder, name)).isFile();
	return Object.fromEntries(
		names.map(name => [name, isFile(name) ? readFileSync(join(folder, name), 'latin1') : '']),
	);
}

test.each(Object.entries(detours))(
	'writes to no other folder, and waits for nobody: %s',
	async (_, detour) => {
		const folder = createHostile();
		const other = join(temporaryFolder(), basename(folder));
		cpSync(folder, other, {recursive: true});
		mkdirSync(join(other, '.git/info'), {recursive: true});
		detour({folder, other});
		const before = contentOf(other);
		const reader = createReader();
		await commitShown(reader, folder);
		const sessionId = randomUUID();
		await addWorktree(reader, {sessionId, cwd: folder, isRequired: false}).catch(() => undefined);
		expect(contentOf(other)).toEqual(before);
	},
);

/** Attributes that hide text, by the folder that they are for. */
const attributes: Settings = {
	off: '* -diff',
	binary: '* binary',
	driver: '* diff=none',
	macro: '* hidden',
	encoded: '* working-tree-encoding=UTF-8',
};

test('commits exactly the text that it shows', async () => {
	const {folder} = createRepository({
		...Object.fromEntries(Object.keys(attributes).map(name => [`${name}/x.txt`, 'before\n'])),
		...Object.fromEntries(Object.entries(attributes).map(([name, line]) => [`${name}/.gitattributes`, line])),
		'.gitattributes': '[attr]hidden -diff -text\n',
		'marked.txt': 'm\n',
		'sparse.txt': 's\n',
		'back.txt': 'b\n',
		'mode.sh': 'm\n',
	});
	writeFiles(folder, {
		...Object.fromEntries(Object.keys(attributes).map(name => [`${name}/x.txt`, `seen ${name}\n`])),
		...Object.fromEntries(Object.keys(attributes).map(name => [`${name}/new.txt`, `seen ${name}\n`])),
		'.git/info/attributes': 'new* -diff',
		'.git/hide': '*.txt -diff\n',
		'marked.txt': 'unseen\n',
		'sparse.txt': 'unseen\n',
		'back.txt': 'unseen\n',
		'gone.txt': 'unseen\n',
		'replaced.txt': 'seen replaced\n',
	});
	chmodSync(join(folder, 'mode.sh'), 0o755);
	git(folder, 'update-index', '--assume-unchanged', 'marked.txt');
	git(folder, 'update-index', '--skip-worktree', 'sparse.txt');
	configure(folder, {
		'diff.none.binary': 'true',
		'core.attributesFile': '.git/hide',
		'core.bigFileThreshold': '1',
		'core.fileMode': 'false',
		'core.quotePath': 'false',
		'diff.noprefix': 'true',
		'diff.mnemonicPrefix': 'true',
		'diff.relative': 'true',
		'diff.context': '0',
		'diff.suppressBlankEmpty': 'true',
		'diff.orderFile': 'back.txt',
		'color.ui': 'always',
		'status.showUntrackedFiles': 'no',
		'status.relativePaths': 'true',
		'status.branch': 'false',
	});
	// Staged: a file that is as it was again, one that is gone, and one that is in what replaces the last commit.
	git(folder, 'add', 'back.txt', 'gone.txt', 'replaced.txt');
	const fake = git(folder, 'commit-tree', '-m', 'x', git(folder, 'write-tree').trim()).trim();
	git(folder, 'replace', 'HEAD', fake);
	writeFiles(folder, {'back.txt': 'b\n'});
	rmSync(join(folder, 'gone.txt'));

	const {diff, problem} = await commitShown(createReader(), folder);
	expect(problem).toBeUndefined();
	const shown = diff.files?.map(({path, patch}) => [path, patch?.match(/^\+seen .*$/m)?.[0]]);
	expect(shown).toEqual(
		[
			...Object.keys(attributes).map(name => [`${name}/x.txt`, `+seen ${name}`]),
			...Object.keys(attributes).map(name => [`${name}/new.txt`, `+seen ${name}`]),
			['replaced.txt', '+seen replaced'],
		].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
	);
	const show = ['--no-replace-objects', 'show', '--format=', '--text'];
	expect(
		git(folder, ...show, '--name-only')
			.trim()
			.split('\n'),
	).toEqual(shown?.map(([path]) => path));
	expect(git(folder, ...show)).not.toContain('unseen');
});

test.runIf(process.platform === 'linux')(
	'commits no file whose name it can only show like that of another',
	async () => {
		const {folder} = createRepository({'a.txt': 'a\n'});
		const strange = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]);
		writeFileSync(strange, 'unseen\n');
		git(folder, 'add', '.');
		writeFileSync(strange, 'seen\n');
		writeFiles(folder, {'\ufffd': 'seen\n'});
		expect((await commitShown(createReader(), folder)).problem).toContain("isn't UTF-8");
	},
);

test.each(['.git/worktrees/tree/gitdir', '.git/objects/ab/pipe'])(
	'waits for no pipe to be written: %s',
	async path => {
		const {folder} = createRepository({'a.txt': 'a\n'});
		git(folder, 'worktree', 'add', '--quiet', join(temporaryFolder(), 'tree'));
		mkdirSync(dirname(join(folder, path)), {recursive: true});
		replaceBy(makePipe, join(folder, path));
		const options = {sessionId: randomUUID(), cwd: folder, isRequired: true};
		await expect(addWorktree(createReader(), options)).rejects.toThrow(/is a link or a pipe/);
	},
);

test('a work tree around the folder is used, and named', async () => {
	const {folder} = createRepository({'deep/a.txt': 'a\n'});
	const other = temporaryFolder();
	renameSync(join(folder, '.git'), join(folder, 'deep/.git'));
	const read = () => readWorkingDiff(createReader(), join(folder, 'deep'), {hasPatches: false});
	configure(join(folder, 'deep'), {'core.worktree': '../..'});
	expect(await read()).toMatchObject({folder, files: []});
	configure(join(folder, 'deep'), {'core.worktree': other});
	const detail = `${folder}/deep/.git is the repository of another folder, ${other}: open a session there`;
	expect(await read()).toEqual({problem: 'failed', detail});
});

test('a call of git ends at its time limit', async () => {
	const {folder} = createRepository({'a.txt': 'a\n'});
	replaceBy(makePipe, join(folder, '.git/HEAD'));
	const answer = await runGit(createReader().groups, ['status'], {cwd: folder, timeLimit: 20});
	expect(answer.code).toBeUndefined();
});

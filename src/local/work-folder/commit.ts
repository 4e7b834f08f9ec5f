import {randomUUID} from 'node:crypto';
import {existsSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import type {CommitResult, CommitValues, PullRequestResult} from '../../domain/sessions/work-folder.ts';
import {inRepository} from '../../git/in-repository.ts';
import {openRepository, type Repository} from '../../git/repository.ts';
import {findProgram} from '../agents/installed.ts';
import {type Git, gitIn} from '../processes/git.ts';
import {type ProgramResult, runProgram} from '../processes/run-program.ts';
import {copyIndex, stageAgain, withIndexCopy} from './index-copy.ts';
import type {FolderStatus} from './parse-diff.ts';
import {type DiffReader, emptyTree, readChanges} from './read-diff.ts';

/** Time limit for a commit with its hooks, ms. */
const commitTime = 90_000;
/** The same for a push, and for each call of `gh`. */
const pushTime = 60_000;
const requestTime = 25_000;

/**
 * Commits the changes of the repository around `cwd`, including untracked files, but not those of `except`: they stay as
 * they are, staged or not. Runs none of the repository's own hooks. Refuses if the changes are no longer those the user
 * saw (`diffId`). If git or a hook of the user refuses, the result's `problem` says why, and staged changes stay staged.
 */
export async function commitAll(
	reader: DiffReader,
	cwd: string,
	{diffId, message, except = []}: CommitValues,
): Promise<CommitResult> {
	const {groups, closing} = reader;
	const repository = await openRepository(cwd, 'write').catch((error: Error) => error);
	if (repository instanceof Error) return {problem: repository.message};
	const {diff, paths} = await readChanges(reader, {...repository, use: 'read'}, {hasPatches: true});
	const {id, branch, files = [], problem, detail} = diff;
	if (!paths) return {problem: detail ?? problem ?? 'failed'};
	if (id !== diffId)
		return {problem: 'The folder has changed since it was shown: close this and look again.'};
	if (files.length === 0) return {problem: 'Nothing has changed since the last commit.'};
	const conflicts = files.filter(({kind}) => kind === 'conflict').map(({path}) => path);
	if (conflicts.length > 0) return {problem: `resolve these conflicts first: ${conflicts.join(', ')}`};
	// Of a renamed file, its old name is a change of its own.
	const leftOut = new Set(
		files.flatMap(({path, from = path}) => (except.includes(path) ? [path.replace(/\/$/, ''), from] : [])),
	);
	const unfinished = ['MERGE_HEAD', 'CHERRY_PICK_HEAD'].some(name =>
		existsSync(join(repository.gitDir, name)),
	);
	if (unfinished && except.length > 0)
		return {problem: 'A merge or cherry-pick can only be committed as a whole.'};
	const isChosen = (path: string) => !leftOut.has(path);
	const chosen = {
		present: paths.present.filter(isChosen),
		deleted: paths.deleted.filter(isChosen),
		reset: [...paths.committed].flatMap(([path, entry]) => (isChosen(path) ? [] : entry)),
	};
	if (chosen.present.length + chosen.deleted.length === 0) return {problem: 'No file is left to commit.'};
	const unreadable = [...chosen.present, ...chosen.deleted].find(path => path.includes('\ufffd'));
	if (unreadable !== undefined)
		return {problem: `the name ${unreadable} isn't UTF-8: commit it with git itself`};
	const signal = AbortSignal.any([closing, AbortSignal.timeout(commitTime)]);
	const run = gitIn(groups, repository, signal);
	const git: Git = (args, options) => run(args, {timeLimit: commitTime, ...options});
	const indexBackup = backUpIndex(repository);
	const committed = await commitPaths(git, repository, {...paths, ...chosen}, message);
	if (committed.code !== 0) {
		indexBackup.restore();
		return {problem: problemOf(committed)};
	}
	indexBackup.remove();
	const commit = (await git(['rev-parse', '--short', 'HEAD'])).stdout.trim();
	return {commit, branch};
}

type Paths = FolderStatus & {
	/** Staged entries to be left out, as they are in the last commit. */
	readonly reset: readonly string[];
};

/** `git add` would look into submodules, with their settings. */
async function commitPaths(
	git: Git,
	repository: Repository,
	{deleted, present, staged, reset}: Paths,
	message: string,
): Promise<ProgramResult> {
	const again = staged.length > 0 ? await stageAgain(git, staged) : undefined;
	if (again && again.code !== 0) return again;
	for (const [option, paths] of [
		// A folder that became a link is in the way of the files below it.
		['--force-remove', deleted],
		['--add', present],
	] as const) {
		if (paths.length === 0) continue;
		const args = ['update-index', option, '--replace', '-z', '--stdin'];
		const changed = await git(args, {stdin: paths.join('\0')});
		if (changed.code !== 0) return changed;
	}
	const shown = new Set([...deleted, ...present]);
	if (reset.length === 0) return commitIndex(git, shown, message);
	return withIndexCopy(git, repository, async inCopy => {
		const restored = await stageAgain(inCopy, reset);
		return restored.code === 0 ? commitIndex(inCopy, shown, message) : restored;
	});
}

/** Commits what is staged if that is what was shown. */
async function commitIndex(git: Git, shown: ReadonlySet<string>, message: string): Promise<ProgramResult> {
	const problem = await problemWithTree(git, shown);
	if (problem !== undefined) return {code: 1, note: undefined, stdout: '', stderr: problem, isCut: false};
	return git(['commit', '--file=-', '--cleanup=whitespace', '--no-edit'], {stdin: `${message}\n`});
}

/**
 * Why a commit would change more than is shown: an index made elsewhere may have other trees than its files say, and
 * git compares with objects of the last commit without checking that their content has their name.
 */
async function problemWithTree(git: Git, shown: ReadonlySet<string>): Promise<string | undefined> {
	const tree = (await git(['write-tree'])).stdout.trim();
	const head = (await git(['rev-parse', '--quiet', '--verify', 'HEAD'])).stdout.trim();
	const from = head === '' ? await emptyTree(git) : head;
	const {code, stdout, stderr} = await git(['diff-tree', '--no-renames', '-r', '-t', '-z', from, tree]);
	if (code !== 0) return stderr;
	const changes = [...stdout.matchAll(/:(\d+) (\d+) (\S+) \S+ \w\0([^\0]*)\0/g)];
	const [folder, module] = ['040000', '160000'];
	const paths = changes.flatMap(([, old, mode, , path = '']) =>
		old === folder || mode === folder ? [] : path,
	);
	const unseen = paths.filter(path => !shown.has(path));
	if (unseen.length > 0)
		return `the index has more than is shown: remove .git/index, run git reset, then look again\n${unseen.join('\n')}`;
	const replaced = changes.flatMap(([, old, , id]) => (old === module || /^0+$/.test(id ?? '') ? [] : id));
	// Only to look at what is in an object makes git check it.
	const names = [`${from}^{tree}`, ...replaced.map(id => `${id}^{object}`)];
	const checked = await git(['cat-file', '--batch-check'], {stdin: `${names.join('\n')}\n`});
	const isSound = checked.code === 0 && !/ missing$/m.test(checked.stdout);
	return isSound ? undefined : `objects of the last commit are damaged: run git fsck\n${checked.stderr}`;
}

/** Copies the index, so that a refused commit keeps the user's staged changes. */
function backUpIndex({gitDir}: Repository) {
	const file = join(gitDir, 'index');
	const copy = `${file}.${randomUUID()}`;
	const hasIndex = existsSync(file);
	if (hasIndex) copyIndex(file, copy);
	return {
		restore() {
			if (hasIndex) renameSync(copy, file);
			else rmSync(file, {force: true});
		},
		remove: () => rmSync(copy, {force: true}),
	};
}

/**
 * Pushes the branch and opens a pull request for it with GitHub's command line, `gh`. If git or `gh` refuses, the
 * result's `problem` says why.
 */
export async function openPullRequest(
	reader: DiffReader,
	cwd: string,
	{title, body}: {readonly title: string; readonly body: string},
): Promise<PullRequestResult> {
	const {groups, closing} = reader;
	const gh = findProgram('gh', process.env);
	if (gh === undefined) return {problem: "gh isn't installed"};
	const repository = await openRepository(cwd, 'write').catch((error: Error) => error);
	if (repository instanceof Error) return {problem: repository.message};
	const git = gitIn(groups, repository, closing);
	const quiet = {GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1'};
	const runGh = (args: readonly string[]) =>
		inRepository(repository, env =>
			runProgram(
				groups,
				{file: gh, args, cwd, env: {...quiet, ...env}},
				{signal: AbortSignal.any([closing, AbortSignal.timeout(requestTime)])},
			),
		);
	const head = await git(['symbolic-ref', '--quiet', '--short', 'HEAD']);
	if (head.code !== 0) return {problem: 'no branch is checked out here'};
	const branch = head.stdout.trim();
	const remotes = (await git(['remote'])).stdout.split('\n').filter(name => name !== '');
	const remote = remotes.find(name => name === 'origin') ?? remotes[0];
	if (remote === undefined) return {problem: 'this repository has no remote'};
	// Check before the push, which must never push the default branch itself.
	const base = await runGh(['repo', 'view', '--json=defaultBranchRef', '--jq=.defaultBranchRef.name']);
	if (base.code !== 0) return {problem: problemOf(base)};
	if (base.stdout.trim() === branch)
		return {problem: `${branch} is the branch that pull requests go to: work on another one`};
	const pushed = await git(['push', '--', remote, `refs/heads/${branch}:refs/heads/${branch}`], {
		timeLimit: pushTime,
	});
	if (pushed.code !== 0) return {problem: problemOf(pushed)};
	// Git would write the upstream into the settings that we gave it.
	for (const [name, value] of [
		['remote', remote],
		['merge', `refs/heads/${branch}`],
	] as const)
		await git([
			'config',
			`--file=${join(repository.commonDir, 'config')}`,
			'--replace-all',
			`branch.${branch}.${name}`,
			value,
		]);
	const opened = await runGh(['pr', 'create', `--head=${branch}`, `--title=${title}`, `--body=${body}`]);
	if (opened.code !== 0) return {problem: problemOf(opened), isPushed: true};
	const url = /https:\/\/\S+/.exec(opened.stdout)?.[0];
	return {branch, isPushed: true, url};
}

/** Whether pull requests can be opened on this machine. */
export function hasPullRequests(): boolean {
	return findProgram('gh', process.env) !== undefined;
}

/** The first lines that a program, or a hook that it ran, printed; a fatal one before them. */
function problemOf({stdout, stderr, code}: ProgramResult): string {
	const lines = `${stderr}\n${stdout}`.split(/[\r\n]+/).filter(line => line.trim() !== '');
	if (lines.length === 0) return code === undefined ? 'it took too long' : `it failed with ${code}`;
	// What git says last is why.
	const fatal = lines.filter(line => line.startsWith('fatal: '));
	return [...fatal, ...lines.slice(0, 12).filter(line => !fatal.includes(line))].join('\n');
}

import {randomUUID} from 'node:crypto';
import {copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {CommitResult, CommitValues, PullRequestResult} from '../../domain/sessions/work-folder.ts';
import {inRepository} from '../../git/in-repository.ts';
import {openRepository, type Repository} from '../../git/repository.ts';
import {findProgram} from '../agents/installed.ts';
import {type Git, gitIn} from '../processes/git.ts';
import {type ProgramResult, runProgram} from '../processes/run-program.ts';
import type {FolderStatus} from './parse-diff.ts';
import {type DiffReader, readChanges} from './read-diff.ts';

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
	const committed = await commitPaths(git, repository, chosen, message);
	if (committed.code !== 0) {
		indexBackup.restore();
		return {problem: problemOf(committed)};
	}
	indexBackup.remove();
	const commit = (await git(['rev-parse', '--short', 'HEAD'])).stdout.trim();
	return {commit, branch};
}

type Paths = Pick<FolderStatus, 'present' | 'deleted'> & {
	/** Staged entries to be left out, as they are in the last commit. */
	readonly reset: readonly string[];
};

/** `git add` would look into submodules, with their settings. */
async function commitPaths(
	git: Git,
	repository: Repository,
	{deleted, present, reset}: Paths,
	message: string,
): Promise<ProgramResult> {
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
	const commit = (from: Git) =>
		from(['commit', '--file=-', '--cleanup=whitespace', '--no-edit'], {stdin: `${message}\n`});
	if (reset.length === 0) return commit(git);
	return withIndexCopy(git, repository, async inCopy => {
		const entries = reset.map(entry => `${entry}\0`).join('');
		const restored = await inCopy(['update-index', '-z', '--index-info'], {stdin: entries});
		return restored.code === 0 ? commit(inCopy) : restored;
	});
}

/** Calls `run` with a git that works on a copy of the index. */
async function withIndexCopy<T>(
	git: Git,
	{gitDir}: Repository,
	run: (inCopy: Git) => Promise<T>,
): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-index-'));
	try {
		const env = {GIT_INDEX_FILE: join(folder, 'index')};
		copyIndex(join(gitDir, 'index'), env.GIT_INDEX_FILE);
		return await run((args, options) => git(args, {...options, env}));
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

function copyIndex(from: string, to: string): void {
	copyFileSync(from, to);
	// Keep the second of its time: git then reads files again that changed in that second without changing size.
	const seconds = Math.floor(statSync(from).mtimeMs / 1000);
	utimesSync(to, seconds, seconds);
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

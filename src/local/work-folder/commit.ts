import {randomUUID} from 'node:crypto';
import {copyFileSync, existsSync, renameSync, rmSync, statSync, utimesSync} from 'node:fs';
import {resolve} from 'node:path';
import type {CommitResult, PullRequestResult} from '../../domain/sessions/work-folder.ts';
import {findProgram} from '../agents/installed.ts';
import {childEnvironment} from '../processes/child-environment.ts';
import {type GitAnswer, runGit} from '../processes/git.ts';
import {type DiffReader, readWorkingDiff} from './read-diff.ts';
import {openReadOnly} from './read-only-git.ts';

/** Time limit for a commit with its hooks, ms. */
const commitTime = 90_000;
/** The same for a push, and for each call of `gh`. */
const pushTime = 60_000;
const requestTime = 25_000;
const maxOutput = 64 * 1024;

/**
 * Commits all changes of the repository around `cwd`, including untracked files, and runs the repository's hooks.
 * Refuses if the changes are no longer those the user saw (`diffId`). If git or a hook refuses, the result's
 * `problem` says why, and staged changes stay staged.
 */
export async function commitAll(
	reader: DiffReader,
	cwd: string,
	{diffId, message}: {readonly diffId: string; readonly message: string},
): Promise<CommitResult> {
	const {groups, closing} = reader;
	const {
		id,
		folder,
		branch,
		files = [],
		problem,
		detail,
	} = await readWorkingDiff(reader, cwd, {hasPatches: true});
	if (folder === undefined) return {problem: detail ?? problem ?? 'failed'};
	if (id !== diffId)
		return {problem: 'The folder has changed since it was shown: close this and look again.'};
	if (files.length === 0) return {problem: 'Nothing has changed since the last commit.'};
	const conflicts = files.filter(({kind}) => kind === 'conflict').map(({path}) => path);
	if (conflicts.length > 0) return {problem: `in conflict, to be resolved first: ${conflicts.join(', ')}`};
	const signal = AbortSignal.any([closing, AbortSignal.timeout(commitTime)]);
	const run = (args: readonly string[], stdin?: string) =>
		runGit(groups, folder, args, {signal, ...(stdin !== undefined && {stdin})});
	const indexBackup = await backUpIndex(run, folder);
	const added = await run(['add', '--all']);
	const committed =
		added.code === 0
			? await run(['commit', '--file=-', '--cleanup=whitespace', '--no-edit'], `${message}\n`)
			: added;
	if (committed.code !== 0) {
		indexBackup.restore();
		return {problem: problemOf(committed)};
	}
	indexBackup.remove();
	const commit = (await run(['rev-parse', '--short', 'HEAD'])).stdout.trim();
	return {commit, ...(branch !== undefined && {branch})};
}

type RunGit = (args: readonly string[]) => Promise<GitAnswer>;

/** Copies the index, so that a refused commit keeps the user's staged changes. */
async function backUpIndex(run: RunGit, folder: string) {
	const {stdout} = await run(['rev-parse', '--git-path', 'index']);
	const file = resolve(folder, stdout.replace(/\n$/, ''));
	const copy = `${file}.${randomUUID()}`;
	const hasIndex = existsSync(file);
	if (hasIndex) {
		copyFileSync(file, copy);
		// Keep the second of its time: git then reads files again that changed in that second without changing size.
		const seconds = Math.floor(statSync(file).mtimeMs / 1000);
		utimesSync(copy, seconds, seconds);
	}
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
	const signal = AbortSignal.any([closing, AbortSignal.timeout(pushTime)]);
	const git = await openReadOnly(groups, cwd, signal);
	const head = await git(['symbolic-ref', '--quiet', '--short', 'HEAD']);
	if (head.code !== 0) return {problem: 'no branch is checked out here'};
	const branch = head.stdout.trim();
	const remotes = (await git(['remote'])).stdout.split('\n').filter(name => name !== '');
	const remote = remotes.find(name => name === 'origin') ?? remotes[0];
	if (remote === undefined) return {problem: 'this repository has no remote'};
	// Check before the push, which must never push the default branch itself.
	const base = await runGh(reader, gh, cwd, [
		'repo',
		'view',
		'--json=defaultBranchRef',
		'--jq=.defaultBranchRef.name',
	]);
	if (base.code !== 0) return {problem: problemOf(base)};
	if (base.stdout.trim() === branch)
		return {problem: `${branch} is the branch that pull requests go to: work on another one`};
	const pushed = await runGit(
		groups,
		cwd,
		['push', '--set-upstream', remote, `refs/heads/${branch}:refs/heads/${branch}`],
		{signal},
	);
	if (pushed.code !== 0) return {problem: problemOf(pushed)};
	const opened = await runGh(reader, gh, cwd, [
		'pr',
		'create',
		`--head=${branch}`,
		`--title=${title}`,
		`--body=${body}`,
	]);
	if (opened.code !== 0) return {problem: problemOf(opened), isPushed: true};
	const url = /https:\/\/\S+/.exec(opened.stdout)?.[0];
	return {branch, isPushed: true, ...(url !== undefined && {url})};
}

/** Whether pull requests can be opened on this machine. */
export function hasPullRequests(): boolean {
	return findProgram('gh', process.env) !== undefined;
}

type Output = Pick<GitAnswer, 'code' | 'stdout' | 'stderr'>;

/** Runs `gh` without prompts. */
async function runGh(
	{groups, closing}: DiffReader,
	file: string,
	cwd: string,
	args: readonly string[],
): Promise<Output> {
	const output = {stdout: '', stderr: ''};
	const env = childEnvironment({GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1'});
	const {code} = await groups.run(
		{file, args, cwd, env},
		(chunk, source) => {
			if (output[source].length < maxOutput) output[source] += chunk.toString('utf8');
		},
		{signal: AbortSignal.any([closing, AbortSignal.timeout(requestTime)])},
	);
	return {code, ...output};
}

/** The first lines that a program, or a hook that it ran, printed. */
function problemOf({stdout, stderr, code}: Output): string {
	const lines = `${stderr}\n${stdout}`.split(/[\r\n]+/).filter(line => line.trim() !== '');
	if (lines.length === 0) return code === undefined ? 'it took too long' : `it failed with ${code}`;
	return lines.slice(0, 12).join('\n');
}

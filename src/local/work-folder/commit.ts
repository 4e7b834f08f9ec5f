import {randomUUID} from 'node:crypto';
import {copyFileSync, existsSync, renameSync, rmSync, statSync, utimesSync} from 'node:fs';
import {resolve} from 'node:path';
import type {CommitResult, PullRequestResult} from '../../domain/sessions/work-folder.ts';
import {findProgram} from '../agents/installed.ts';
import {childEnvironment} from '../child-environment.ts';
import {type GitAnswer, runGit} from '../git.ts';
import type {ProcessGroups} from '../process-group.ts';
import {type DiffReader, readWorkingDiff} from './read-diff.ts';
import {openReadOnly} from './read-only-git.ts';

/** Time limit for a commit with its hooks, ms. With reading the changes, a client waits so long. */
const commitTime = 90_000;
/** The same for a push, and for each call of `gh`. */
const pushTime = 60_000;
const requestTime = 25_000;
const maxOutput = 64 * 1024;

/**
 * Commits all changes of the repository around `cwd`, untracked files too, and runs the repository's hooks: the
 * user asked for it. Only what they saw, which `diffId` tells. What git or a hook refuses is the result's `problem`,
 * and leaves what was staged as it was.
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
	const index = await keepIndex(run, folder);
	const added = await run(['add', '--all']);
	const committed =
		added.code === 0
			? await run(['commit', '--file=-', '--cleanup=whitespace', '--no-edit'], `${message}\n`)
			: added;
	if (committed.code !== 0) {
		index.restore();
		return {problem: problemOf(committed)};
	}
	index.forget();
	const commit = (await run(['rev-parse', '--short', 'HEAD'])).stdout.trim();
	return {commit, ...(branch !== undefined && {branch})};
}

type RunGit = (args: readonly string[]) => Promise<GitAnswer>;

/** Keeps what is staged. */
async function keepIndex(run: RunGit, folder: string) {
	const {stdout} = await run(['rev-parse', '--git-path', 'index']);
	const file = resolve(folder, stdout.replace(/\n$/, ''));
	const copy = `${file}.${randomUUID()}`;
	const hasIndex = existsSync(file);
	if (hasIndex) {
		copyFileSync(file, copy);
		// Git takes a file for unchanged that has its old size and second, unless the index is as old.
		const seconds = Math.floor(statSync(file).mtimeMs / 1000);
		utimesSync(copy, seconds, seconds);
	}
	return {
		restore() {
			if (hasIndex) renameSync(copy, file);
			else rmSync(file, {force: true});
		},
		forget: () => rmSync(copy, {force: true}),
	};
}

/**
 * Pushes the branch and opens a pull request for it by GitHub's own program, `gh`. What git or `gh` refuse is the
 * result's `problem`.
 */
export async function openPullRequest(
	{groups, closing}: DiffReader,
	cwd: string,
	{title, body}: {readonly title: string; readonly body: string},
): Promise<PullRequestResult> {
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
	const runGh = (args: readonly string[]) => runProgram(groups, {file: gh, args, cwd, closing});
	// Asked before the push: the default branch itself must not be pushed by this.
	const base = await runGh(['repo', 'view', '--json=defaultBranchRef', '--jq=.defaultBranchRef.name']);
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
	const opened = await runGh(['pr', 'create', `--head=${branch}`, `--title=${title}`, `--body=${body}`]);
	if (opened.code !== 0) return {problem: problemOf(opened), isPushed: true};
	const url = /https:\/\/\S+/.exec(opened.stdout)?.[0];
	return {branch, isPushed: true, ...(url !== undefined && {url})};
}

/** Whether pull requests can be opened on this machine. */
export function hasPullRequests(): boolean {
	return findProgram('gh', process.env) !== undefined;
}

type Output = Pick<GitAnswer, 'code' | 'stdout' | 'stderr'>;

async function runProgram(
	groups: ProcessGroups,
	{
		file,
		args,
		cwd,
		closing,
	}: {
		readonly file: string;
		readonly args: readonly string[];
		readonly cwd: string;
		readonly closing: AbortSignal;
	},
): Promise<Output> {
	const output = {stdout: '', stderr: ''};
	const {code} = await groups.run(
		{
			file,
			args,
			cwd,
			env: childEnvironment({GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1'}),
		},
		(chunk, source) => {
			if (output[source].length < maxOutput) output[source] += chunk.toString('utf8');
		},
		{signal: AbortSignal.any([closing, AbortSignal.timeout(requestTime)])},
	);
	return {code, ...output};
}

/** What a program, or a hook that it ran, said last. */
function problemOf({stdout, stderr, code}: Output): string {
	const lines = `${stderr}\n${stdout}`.split(/[\r\n]+/).filter(line => line.trim() !== '');
	if (lines.length === 0) return code === undefined ? 'it took too long' : `it failed with ${code}`;
	return lines.slice(0, 12).join('\n');
}

import {existsSync, realpathSync, rmdirSync} from 'node:fs';
import {basename, dirname, join, relative} from 'node:path';
import type {WorktreeRemoval} from '../../domain/sessions/work-folder.ts';
import type {BackgroundContext} from '../context.ts';
import {badField, Refusal} from '../http/refusal.ts';
import {makePrivateFolder} from '../private-files.ts';
import {type GitSetting, runGit} from '../processes/git.ts';
import type {StoredSession, StoredWorktree} from '../storage/sessions.ts';
import {openReadOnly} from './read-only-git.ts';

/** Time limits for reading, and for checking out or deleting a whole work tree, ms. */
const readTime = 20_000;
const changeTime = 90_000;

/** A checkout runs the filters of the repository, without which files would be wrong, and no hook. */
const withoutHooks: readonly GitSetting[] = [['core.hooksPath', '/dev/null']];

type WorktreeContext = Pick<BackgroundContext, 'folder' | 'groups' | 'closing'>;

/** A session's new work tree, and the folder in it that corresponds to the one asked for. */
type NewWorktree = {readonly worktree: StoredWorktree; readonly cwd: string};

/**
 * Creates a work tree and a branch for a session, from the last commit of the repository around `cwd`. Throws
 * `Refusal` 400 with git's reason. If it's only wanted where possible, returns undefined outside a repository.
 */
export async function addWorktree(
	{folder, groups, closing}: WorktreeContext,
	{
		sessionId,
		cwd,
		isRequired,
	}: {readonly sessionId: string; readonly cwd: string; readonly isRequired: boolean},
): Promise<NewWorktree | undefined> {
	const refuse = (why: string) => {
		if (isRequired) throw badField('worktree', why);
		return undefined;
	};
	const git = await openReadOnly(groups, cwd, AbortSignal.any([closing, AbortSignal.timeout(readTime)]));
	const top = await git(['rev-parse', '--show-toplevel']);
	if (top.isMissing) return refuse("git isn't installed");
	if (top.code !== 0) {
		const words = errorText(top.stderr);
		return refuse(words.includes('not a git repository') ? `${cwd} is not in a git repository` : words);
	}
	const repository = top.stdout.replace(/\n$/, '');
	const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
	if (head.code !== 0) return refuse(`the repository ${repository} has no commit yet`);
	const branch = `quarterdeck/${sessionId.slice(0, 8)}`;
	const path = join(folder, 'worktrees', sessionId, basename(repository) || 'worktree');
	makePrivateFolder(dirname(path));
	const added = await runGit(groups, repository, ['worktree', 'add', '-b', branch, path, 'HEAD'], {
		signal: AbortSignal.any([closing, AbortSignal.timeout(changeTime)]),
		settings: withoutHooks,
	});
	if (added.code !== 0) {
		removeEmpty(dirname(path));
		throw badField('worktree', errorText(added.stderr) || 'git failed to create it');
	}
	const inside = join(path, relative(repository, realpathSync(cwd)));
	return {worktree: {path, repository, branch}, cwd: existsSync(inside) ? inside : path};
}

/**
 * Removes a session's work tree. Unless it is forced, only if nothing in it would be lost: all is committed, and
 * merged into another branch. The branch stays if it holds commits that no other branch has. Throws `Refusal` 409
 * with git's reason.
 */
export async function removeWorktree(
	{groups, closing}: WorktreeContext,
	{worktree}: Pick<StoredSession, 'worktree'>,
	isForced: boolean,
): Promise<WorktreeRemoval> {
	if (!worktree || worktree.isRemoved) throw new Refusal(409, 'this session has no work tree of its own');
	const {path, repository, branch} = worktree;
	const signal = AbortSignal.any([closing, AbortSignal.timeout(changeTime)]);
	const isMissing = !existsSync(path);
	const changes = isMissing ? 0 : await changedFiles(groups, path, signal);
	const commits = await unmergedCommits(groups, worktree, signal, isMissing);
	const state = {branch, changes, commits};
	if (!isForced && (changes > 0 || commits > 0)) return {...state, isRemoved: false};
	// Without --force, git itself checks again that all is committed.
	const args = isMissing
		? ['worktree', 'prune']
		: ['worktree', 'remove', ...(isForced ? ['--force'] : []), path];
	const removed = await runGit(groups, repository, args, {signal, settings: withoutHooks});
	if (removed.code !== 0)
		throw new Refusal(409, errorText(removed.stderr) || `git can't remove the work tree ${path}`);
	removeEmpty(dirname(path));
	const keepsBranch = commits > 0;
	if (!keepsBranch)
		await runGit(groups, repository, ['branch', '-D', branch], {signal, settings: withoutHooks});
	return {...state, isRemoved: true, isBranchKept: keepsBranch};
}

async function changedFiles(
	groups: WorktreeContext['groups'],
	path: string,
	signal: AbortSignal,
): Promise<number> {
	const git = await openReadOnly(groups, path, signal);
	const status = await git(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all']);
	if (status.code !== 0) throw new Refusal(409, errorText(status.stderr) || `git can't read ${path}`);
	return status.stdout.split('\0').filter(entry => entry !== '').length;
}

/** Number of commits in the session's branch or work tree that are in no other branch, except its own at a remote. */
async function unmergedCommits(
	groups: WorktreeContext['groups'],
	{path, repository, branch}: StoredWorktree,
	signal: AbortSignal,
	isMissing: boolean,
): Promise<number> {
	const git = await openReadOnly(groups, isMissing ? repository : path, signal);
	const ref = `refs/heads/${branch}`;
	const hasBranch = (await git(['rev-parse', '--verify', '--quiet', ref])).code === 0;
	const tips = [...(isMissing ? [] : ['HEAD']), ...(hasBranch ? [ref] : [])];
	if (tips.length === 0) return 0;
	const counted = await git([
		'rev-list',
		'--count',
		...tips,
		'--not',
		`--exclude=${branch}`,
		'--branches',
		`--exclude=*/${branch}`,
		'--remotes',
		'--',
	]);
	if (counted.code !== 0) throw new Refusal(409, errorText(counted.stderr) || "git can't read the commits");
	return Number(counted.stdout.trim());
}

/** The last lines of git's errors, without progress output. */
function errorText(stderr: string): string {
	const lines = stderr.split(/[\r\n]+/).filter(line => line.trim() !== '');
	const problems = lines.filter(line => /^(?:fatal|error|remote|hint):/.test(line));
	return (problems.length > 0 ? problems : lines).slice(-10).join('\n');
}

function removeEmpty(folder: string): void {
	try {
		rmdirSync(folder);
	} catch {
		// Something else is in it.
	}
}

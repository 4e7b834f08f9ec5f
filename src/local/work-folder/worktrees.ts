import {existsSync, readFileSync, realpathSync, rmdirSync, writeFileSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, relative} from 'node:path';
import type {WorktreeRemoval} from '../../domain/sessions/work-folder.ts';
import {openRepository, type Repository, type RepositoryUse} from '../../git/repository.ts';
import type {BackgroundContext} from '../context.ts';
import {badField, Refusal} from '../http/router.ts';
import {makePrivateFolder} from '../private-folder.ts';
import {type Git, gitIn, lacksFilter} from '../processes/git.ts';
import type {StoredWorktree} from '../storage/sessions.ts';
import {copyIncludedFiles} from './included-files.ts';

/** Time limit for checking out or deleting a whole work tree, ms. */
const changeTime = 90_000;

/** Hooks of the user's own settings are made for their own work. */
const withoutHooks = ['-c', 'core.hooksPath=/dev/null'];

type WorktreeContext = Pick<BackgroundContext, 'folder' | 'groups' | 'closing' | 'worktreeSetup'>;

/**
 * A session's new work tree, the folder in it that corresponds to the one asked for, and what is missing in it, as a
 * sentence.
 */
type NewWorktree = {
	readonly worktree: StoredWorktree;
	readonly cwd: string;
	readonly missing?: string | undefined;
};

/**
 * Creates a work tree and a branch for a session, from the last commit of the repository around `cwd`, with the ignored
 * files that `.worktreeinclude` names and the command that is configured to make it ready. Throws `Refusal` 400 with
 * git's reason. If it's only wanted where possible, returns undefined outside a repository.
 */
export async function addWorktree(
	{folder, groups, closing, worktreeSetup}: WorktreeContext,
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
	const source = await openRepository(cwd, 'write').catch((error: Error) => error);
	if (source instanceof Error) return refuse(source.message);
	const {root: repository, commonDir} = source;
	const git = gitIn(groups, source, closing);
	const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
	if (head.code !== 0) return refuse(`the repository ${repository} has no commit yet`);
	const branch = `quarterdeck/${sessionId.slice(0, 8)}`;
	const path = join(folder, 'worktrees', sessionId, basename(repository) || 'worktree');
	makePrivateFolder(dirname(path));
	const added = await git([...withoutHooks, 'worktree', 'add', '-b', branch, path, 'HEAD'], {
		timeLimit: changeTime,
	});
	if (added.code !== 0) {
		removeEmpty(dirname(path));
		// Git keeps a branch whose checkout failed.
		await git(['branch', '-D', branch]);
		const words = errorText(added.stderr) || 'git failed to create it';
		if (lacksFilter(added.stderr)) return refuse(words);
		throw badField('worktree', words);
	}
	// Git has written the place where we showed it the repository.
	const pointer = join(path, '.git');
	const name = basename(readFileSync(pointer, 'utf8').trim());
	writeFileSync(pointer, `gitdir: ${join(commonDir, 'worktrees', name)}\n`);
	const inside = join(path, relative(repository, realpathSync(cwd)));
	const missing = await copyIncludedFiles({groups, closing}, source, path).catch(
		(error: Error) => error.message,
	);
	const place = {path, repository, branch};
	const newWorktree = {worktree: place, cwd: existsSync(inside) ? inside : path, missing};
	try {
		const setup = setupOf(source, (await worktreeSetup?.()) ?? {});
		return setup === undefined ? newWorktree : {...newWorktree, worktree: {...place, setup}};
	} catch (error) {
		const unread = `No setup has run: ${(error as Error).message}`;
		return {...newWorktree, missing: [missing, unread].filter(Boolean).join('. ')};
	}
}

/** The command that is configured for a repository, by its own folder or that of the work tree that it is seen from. */
function setupOf(
	{root, commonDir}: Repository,
	setups: Readonly<Record<string, string>>,
): string | undefined {
	const found = Object.entries(setups).find(([folder]) => {
		const path = isAbsolute(folder) && existsSync(folder) ? realpathSync(folder) : undefined;
		return path === root || path === dirname(commonDir);
	});
	return found?.[1];
}

/**
 * Removes a session's work tree. Unless it is forced, only if nothing in it would be lost: all is committed, and
 * merged into another branch. The branch stays if it holds commits that no other branch has. Throws `Refusal` 409
 * with git's reason.
 */
export async function removeWorktree(
	{groups, closing}: WorktreeContext,
	worktree: StoredWorktree | undefined,
	isForced: boolean,
): Promise<WorktreeRemoval> {
	if (!worktree || worktree.isRemoved) throw new Refusal(409, 'this session has no work tree of its own');
	const {path, repository, branch} = worktree;
	const isMissing = !existsSync(path);
	const open = async (place: string, use: RepositoryUse) => {
		const opened = await openRepository(place, use).catch((error: Error) => {
			throw new Refusal(409, error.message);
		});
		return gitIn(groups, opened, closing);
	};
	const git = await open(isMissing ? repository : path, 'read');
	const changes = isMissing ? 0 : await changedFiles(git, path);
	const commits = await unmergedCommits(git, worktree, isMissing);
	const state = {branch, changes, commits};
	if (!isForced && (changes > 0 || commits > 0)) return {...state, isRemoved: false};
	// Without --force, git itself checks again that all is committed, and refuses if there are submodules.
	const args = isMissing
		? ['worktree', 'prune']
		: ['worktree', 'remove', ...(isForced ? ['--force'] : []), path];
	const repositoryGit = await open(repository, 'write');
	const removed = await repositoryGit([...withoutHooks, ...args], {timeLimit: changeTime});
	if (removed.code !== 0)
		throw new Refusal(409, errorText(removed.stderr) || `git can't remove the work tree ${path}`);
	removeEmpty(dirname(path));
	const keepsBranch = commits > 0;
	if (!keepsBranch) await repositoryGit([...withoutHooks, 'branch', '-D', branch]);
	return {...state, isRemoved: true, isBranchKept: keepsBranch};
}

async function changedFiles(git: Git, path: string): Promise<number> {
	// To look into submodules, git would run itself there, with their settings.
	const options = ['--no-renames', '--untracked-files=all', '--ignore-submodules=dirty'];
	const status = await git(['status', '--porcelain', '-z', ...options]);
	if (status.code !== 0) throw new Refusal(409, errorText(status.stderr) || `git can't read ${path}`);
	return status.stdout.split('\0').filter(entry => entry !== '').length;
}

/** Number of commits in the session's branch or work tree that are in no other branch, except its own at a remote. */
async function unmergedCommits(git: Git, {branch}: StoredWorktree, isMissing: boolean): Promise<number> {
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

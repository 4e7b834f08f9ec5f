import {type Dirent, lstatSync, readdirSync, realpathSync} from 'node:fs';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {ifPossible} from '../domain/if-possible.ts';
import {RepositoryError} from './repository-error.ts';
import {parseSettings, type RepositorySettings} from './settings.ts';
import {readSmallFile} from './small-file.ts';

/** Reading changes nothing and reaches no network. */
export type RepositoryUse = 'read' | 'write';

/** The repository around a folder. Paths are absolute, without links. */
export type Repository = {
	readonly use: RepositoryUse;
	readonly root: string;
	/** Git's folder of the work tree: its HEAD and its index. */
	readonly gitDir: string;
	/** Git's folder of all work trees: objects, refs and settings. */
	readonly commonDir: string;
	readonly settings: RepositorySettings;
};

/** Maximum sizes of a settings file and of one with a path, bytes. */
const maxSettings = 1024 * 1024;
const maxPath = 16 * 1024;

/**
 * Opens the repository around a folder. Its files decide neither what we run (see `inRepository`) nor where we write:
 * its work tree must contain the folder, whatever leads to it. Throws `RepositoryError`.
 */
export async function openRepository(folder: string, use: RepositoryUse): Promise<Repository> {
	const found = gitDirAbove(folder);
	if (!found) throw new RepositoryError('no-repository', `${folder} is not in a git repository`);
	const {top, gitDir} = found;
	const path = (name: string) => readSmallFile(join(gitDir, name), {maxSize: maxPath})?.trim();
	const common = path('commondir');
	const isLinked = common !== undefined;
	const commonDir = isLinked ? dirname(dirname(gitDir)) : gitDir;
	if (isLinked && realPath(resolve(gitDir, common)) !== commonDir)
		throw new RepositoryError('failed', `${gitDir} belongs to another repository: ${common}`);
	const settings = await readSettings(commonDir, gitDir);
	const ownRoot = basename(gitDir) === '.git' ? dirname(gitDir) : top;
	const workTree = isLinked
		? dirname(resolve(gitDir, path('gitdir') ?? ''))
		: resolve(gitDir, settings.workTree ?? ownRoot);
	const root = realPath(workTree);
	if (settings.isBare && !isLinked) throw new RepositoryError('failed', `${gitDir} has no work tree`);
	if (root === undefined || /^\.\.(?:\/|$)/.test(relative(root, realPath(folder) ?? '')))
		throw new RepositoryError(
			'failed',
			`${join(top, '.git')} is the repository of another folder, ${workTree}: open a session there`,
		);
	const repository = {use, root, gitDir, commonDir, settings};
	if (use === 'write') checkWritable(repository);
	return repository;
}

/** The nearest folder with a repository, and git's folder of it. */
function gitDirAbove(folder: string): {readonly top: string; readonly gitDir: string} | undefined {
	const start = realPath(folder);
	for (let top = start; top !== undefined; top = dirname(top) === top ? undefined : dirname(top)) {
		const path = join(top, '.git');
		const pointer = readSmallFile(path, {maxSize: maxPath});
		const named = pointer === undefined ? path : /^gitdir: (.*?)\s*$/s.exec(pointer)?.[1];
		const gitDir = named === undefined ? undefined : realPath(resolve(top, named));
		if (gitDir !== undefined && realPath(join(gitDir, 'HEAD')) !== undefined) return {top, gitDir};
	}
	return undefined;
}

async function readSettings(commonDir: string, gitDir: string): Promise<RepositorySettings> {
	const [shared, own] = [join(commonDir, 'config'), join(gitDir, 'config.worktree')].map(path => {
		const text = readSmallFile(path, {maxSize: maxSettings, followsLinks: true});
		if (text === undefined && lstatSync(path, {throwIfNoEntry: false}))
			throw new RepositoryError('failed', `${path} is no regular file, or can't be read`);
		return text ?? '';
	});
	return parseSettings(`${shared}\n${own}`);
}

function realPath(path: string): string | undefined {
	return ifPossible(() => realpathSync(path));
}

/** Git writes through a link to wherever it leads, and into a pipe. */
function checkWritable({gitDir, commonDir}: Repository): void {
	if (lstatSync(gitDir).uid !== process.getuid?.())
		throw new RepositoryError('failed', `${gitDir} belongs to another user: it isn't changed`);
	const entries = [gitDir, commonDir].flatMap(folder => [
		...['', 'info'].flatMap(name => entriesOf(join(folder, name))),
		...['objects', 'refs', 'logs', 'worktrees'].flatMap(name => entriesOf(join(folder, name), true)),
	]);
	const strange = entries.find(entry => (entry.isSymbolicLink() && entry.name !== 'hooks') || entry.isFIFO());
	if (strange)
		throw new RepositoryError(
			'failed',
			`${join(strange.parentPath, strange.name)} is a link or a pipe: the repository isn't changed`,
		);
}

function entriesOf(folder: string, recursive = false): Dirent[] {
	return ifPossible(() => readdirSync(folder, {withFileTypes: true, recursive})) ?? [];
}

import {execFile} from 'node:child_process';
import {
	closeSync,
	constants,
	type Dirent,
	fstatSync,
	lstatSync,
	openSync,
	readdirSync,
	readFileSync,
	realpathSync,
} from 'node:fs';
import {basename, dirname, join, relative, resolve} from 'node:path';

/** A folder isn't in a repository that we use. The message says why. */
export class RepositoryError extends Error {
	override readonly name = 'RepositoryError';
	readonly problem: 'no-repository' | 'no-git' | 'failed';

	constructor(problem: RepositoryError['problem'], message: string) {
		super(message);
		this.problem = problem;
	}
}

/**
 * A file's text; undefined if it is missing, unreadable, longer than `maxSize` bytes, or no regular file: a pipe
 * without a writer would block, and a device may be endless. A link counts only with `followsLinks`.
 */
export function readRegularFile(
	path: string,
	{maxSize, followsLinks = false}: {readonly maxSize: number; readonly followsLinks?: boolean},
): string | undefined {
	const {O_RDONLY, O_NONBLOCK, O_NOFOLLOW} = constants;
	try {
		const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW));
		try {
			const stats = fstatSync(descriptor);
			return stats.isFile() && stats.size <= maxSize ? readFileSync(descriptor, 'utf8') : undefined;
		} finally {
			closeSync(descriptor);
		}
	} catch {
		return undefined;
	}
}

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
	const path = (name: string) => readRegularFile(join(gitDir, name), {maxSize: maxPath})?.trim();
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
		const pointer = readRegularFile(path, {maxSize: maxPath});
		const named = pointer === undefined ? path : /^gitdir: (.*?)\s*$/s.exec(pointer)?.[1];
		const gitDir = named === undefined ? undefined : realPath(resolve(top, named));
		if (gitDir !== undefined && realPath(join(gitDir, 'HEAD')) !== undefined) return {top, gitDir};
	}
	return undefined;
}

async function readSettings(commonDir: string, gitDir: string): Promise<RepositorySettings> {
	const [shared, own] = [join(commonDir, 'config'), join(gitDir, 'config.worktree')].map(path => {
		const text = readRegularFile(path, {maxSize: maxSettings, followsLinks: true});
		if (text === undefined && lstatSync(path, {throwIfNoEntry: false}))
			throw new RepositoryError('failed', `${path} is no regular file, or can't be read`);
		return text ?? '';
	});
	return parseSettings(`${shared}\n${own}`);
}

function realPath(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}

/** Git writes through a link to wherever it leads, and into a pipe. */
function checkWritable({gitDir, commonDir}: Repository): void {
	const user = process.getuid?.();
	if (user !== undefined && lstatSync(gitDir).uid !== user)
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
	try {
		return readdirSync(folder, {withFileTypes: true, recursive});
	} catch {
		return [];
	}
}

/** Time limit for parsing settings, ms. */
const timeLimit = 10_000;
const maxLength = 4 * 1024 * 1024;

/** A setting: its name as git prints it, `section.Subsection.key`, and its value. */
export type Setting = readonly [name: string, value: string];

/** What we take from a repository's own settings. */
type RepositorySettings = {
	/** The settings that describe the repository, its remotes and its author. No value of them is run. */
	readonly harmless: readonly Setting[];
	/** The filters that only the repository's settings define, which are never run. */
	readonly filters: readonly string[];
	readonly workTree: string | undefined;
	readonly isBare: boolean;
};

/** All other settings of a repository are ignored: they could run a program, or change what is shown or written. */
const harmless = [
	/^core\.(?:repositoryformatversion|filemode|ignorecase|precomposeunicode|symlinks|sharedrepository)$/,
	/^core\.(?:autocrlf|eol|safecrlf|logallrefupdates|sparsecheckout|sparsecheckoutcone)$/,
	// Settings of a work tree are read together with the others.
	/^extensions\.(?!worktreeconfig$)/,
	/^(?:user|author|committer)\./,
	/^(?:commit\.gpgsign|gpg\.format)$/,
	/^remote\..*\.(?:url|pushurl|fetch|promisor|partialclonefilter|gh-resolved)$/s,
	/^branch\..*\.(?:remote|merge)$/s,
];

/** Parses the text of a settings file, without the files it includes. Throws `RepositoryError`. */
async function parseSettings(text: string): Promise<RepositorySettings> {
	const listed = await runConfig(['--file=-', '--no-includes', '--list'], text);
	const settings = listed.split('\0').map((entry): Setting => {
		const end = entry.indexOf('\n');
		return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
	});
	const last = (name: string) => settings.findLast(([each]) => each === name)?.[1];
	const filters = filtersIn(settings.map(([name]) => name));
	const ofUser =
		filters.length > 0 ? filtersIn((await runConfig(['--list', '--name-only'])).split('\0')) : [];
	return {
		harmless: settings.filter(([name]) => harmless.some(pattern => pattern.test(name))),
		filters: filters.filter(name => !ofUser.includes(name)),
		workTree: last('core.worktree'),
		isBare: /^(?:true|yes|on|1)$/i.test(last('core.bare') ?? ''),
	};
}

function filtersIn(names: readonly string[]): readonly string[] {
	return [...new Set(names.flatMap(name => /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1] ?? []))];
}

/** Runs `git config` outside any repository. */
function runConfig(args: readonly string[], text = ''): Promise<string> {
	const env = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !/^(?:QUARTERDECK_|GIT_DIR$)/i.test(name)),
	);
	return new Promise((resolve, reject) => {
		const child = execFile(
			'git',
			['config', '-z', ...args],
			{cwd: '/', env: {...env, LC_ALL: 'C'}, timeout: timeLimit, maxBuffer: maxLength},
			(error, stdout, stderr) => {
				if (!error) return resolve(stdout);
				const isMissing = error.code === 'ENOENT';
				const words = isMissing ? "git isn't installed" : stderr.trim() || "git can't read its settings";
				reject(new RepositoryError(isMissing ? 'no-git' : 'failed', words));
			},
		);
		child.stdin?.on('error', () => {});
		child.stdin?.end(text);
	});
}

export function settingsText(settings: readonly Setting[]): string {
	return settings
		.map(([name, value]) => {
			const [, section = '', subsection, key = ''] = /^([^.]*)\.(?:(.*)\.)?([^.]*)$/s.exec(name) ?? [];
			const head = subsection === undefined ? section : `${section} ${quoted(subsection)}`;
			return `[${head}]\n\t${key} = ${quoted(value)}\n`;
		})
		.join('');
}

function quoted(text: string): string {
	return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

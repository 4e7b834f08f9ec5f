import {createHash} from 'node:crypto';
import {lstatSync, statSync} from 'node:fs';
import {join} from 'node:path';
import type {ChangedFile, WorkingDiff} from '../../domain/sessions/work-folder.ts';
import {openRepository, type Repository} from '../../git/repository.ts';
import {RepositoryError} from '../../git/repository-error.ts';
import {type Git, gitIn} from '../processes/git.ts';
import type {ProcessGroups} from '../processes/process-group.ts';
import type {ProgramResult} from '../processes/run-program.ts';
import {readBase} from './base-branch.ts';
import {
	changesOfDiff,
	type FolderStatus,
	type PatchSection,
	parseStatus,
	sectionsOfPatch,
	type TrackedChange,
} from './parse-diff.ts';
import {untrackedFile} from './untracked-file.ts';

/** Time limit for all of git's answers together, ms. */
const timeLimit = 20_000;
const maxFiles = 1000;
/** Longest patch of all tracked files, bytes; beyond it, only their counts are sent. */
const maxPatchLength = 2 * 1024 * 1024;
/** Longest patch of one file, and of all untracked ones together, UTF-16 units. */
const maxFilePatch = 256 * 1024;
const maxUntrackedPatches = 1024 * 1024;

const diffOptions = [
	'--no-color',
	'--no-ext-diff',
	'--no-textconv',
	'--no-relative',
	'--submodule=short',
	// To look into submodules, git would run itself there, with their settings.
	'--ignore-submodules=dirty',
	'--find-renames',
	'--unified=3',
	'--inter-hunk-context=0',
	'--src-prefix=a/',
	'--dst-prefix=b/',
	'-O/dev/null',
];

export type DiffReader = {readonly groups: ProcessGroups; readonly closing: AbortSignal};

type DiffOptions = {readonly hasPatches: boolean; readonly isSinceBase?: boolean};

/**
 * Reads what changed in the repository around `cwd` since its last commit. `hasPatches: false` leaves out the lines,
 * which costs less; with `isSinceBase`, the commits since the base branch count as well.
 */
export async function readWorkingDiff(
	reader: DiffReader,
	cwd: string,
	options: DiffOptions,
): Promise<WorkingDiff> {
	if (!statSync(cwd, {throwIfNoEntry: false})?.isDirectory()) return {problem: 'no-folder'};
	const repository = await openRepository(cwd, 'read').catch((error: Error) => error);
	if (repository instanceof Error) return problemOfFolder(repository);
	return (await readChanges(reader, repository, options)).diff;
}

/** The changes of a work folder, and the paths to stage so that exactly these are committed. */
export type Changes = {
	readonly diff: WorkingDiff;
	readonly paths?: FolderStatus;
};

export async function readChanges(
	{groups, closing}: DiffReader,
	repository: Repository,
	{hasPatches, isSinceBase = false}: DiffOptions,
): Promise<Changes> {
	const timeout = AbortSignal.timeout(timeLimit);
	const {root} = repository;
	const git = gitIn(groups, repository, AbortSignal.any([closing, timeout]));
	const statusAnswer = await git([
		'status',
		'--porcelain=v2',
		'-z',
		'--branch',
		'--no-renames',
		'--untracked-files=all',
		'--ignore-submodules=dirty',
	]);
	const status = parseStatus(statusAnswer.stdout);
	const readingBase = isSinceBase || hasPatches ? readBase(git, status.branch) : undefined;
	const baseBranch = isSinceBase ? await readingBase : undefined;
	if (isSinceBase && !baseBranch) return {diff: {problem: 'no-base'}};
	const base = baseBranch?.commit ?? status.head ?? (await emptyTree(git));
	const listed = await git(['diff', ...diffOptions, '--raw', '--numstat', '-z', base, '--']);
	const patch = hasPatches
		? await git(['diff', ...diffOptions, base, '--'], {maxLength: maxPatchLength})
		: undefined;
	const failed = [statusAnswer, listed, patch].find(
		result => result !== undefined && result.code !== 0 && !result.isCut,
	);
	if (failed) return {diff: problemOf(failed, timeout)};
	const tracked = changesOfDiff(listed.stdout);
	const sections = patch && sectionsOfPatch(patch.stdout);
	const files = trackedFiles(tracked, status, sections, patch?.isCut ?? false);
	const listedUntracked = status.untracked.slice(0, Math.max(0, maxFiles - files.length));
	const untracked = untrackedFiles(root, listedUntracked);
	const all = [...files, ...untracked.map(({file}) => file)]
		.sort((a, b) => (a.path < b.path ? -1 : 1))
		.slice(0, maxFiles);
	const count = tracked.length + status.untracked.length;
	const hash = createHash('sha256');
	for (const part of [base, listed.stdout, patch?.stdout, ...status.untracked]) hash.update(`${part}\0`);
	for (const {file, state} of untracked) hash.update(`${state}\0${file.patch}\0`);
	// What isn't sent may have changed, too.
	for (const {path, isCut, isBinary} of files) if (isCut || isBinary) hash.update(stateOf(join(root, path)));
	const diff: WorkingDiff = {
		folder: root,
		repository: repository.commonDir,
		branch: status.branch,
		base: baseBranch?.name,
		commits: baseBranch?.commits,
		hasNoBase: (readingBase && (await readingBase) === undefined) || undefined,
		id: hasPatches ? hash.digest('hex').slice(0, 32) : undefined,
		added: sum(all, 'added'),
		removed: sum(all, 'removed'),
		files: hasPatches ? all : all.map(({patch: _, ...file}) => file),
		hasMoreLines: count > all.length || all.some(file => file.hasMoreLines) || undefined,
		leftOut: count - all.length || undefined,
	};
	return {diff, paths: status};
}

function problemOfFolder(error: Error): WorkingDiff {
	const problem = error instanceof RepositoryError ? error.problem : 'failed';
	return {problem, detail: problem === 'failed' ? error.message : undefined};
}

function problemOf({stderr}: ProgramResult, timeout: AbortSignal): WorkingDiff {
	const detail = timeout.aborted ? `git took longer than ${timeLimit / 1000} s` : stderr.trim();
	return {problem: 'failed', detail: detail || undefined};
}

/** The empty tree, which the first commit is compared with. */
async function emptyTree(git: Git): Promise<string> {
	return (await git(['hash-object', '-t', 'tree', '--stdin'], {stdin: ''})).stdout.trim();
}

/** The files with their patches, which come in the same order. */
function trackedFiles(
	changes: readonly TrackedChange[],
	{conflicts}: FolderStatus,
	sections: readonly PatchSection[] | undefined,
	isPatchCut: boolean,
): ChangedFile[] {
	let at = 0;
	return changes.slice(0, maxFiles).map(({letter, ...change}) => {
		const kind = conflicts.has(change.path) ? 'conflict' : change.kind;
		const isBinary = change.added === undefined && letter !== 'U';
		const file = {...change, kind, isBinary: isBinary || undefined};
		// Git shows nothing of a file that it can't merge.
		if (!sections || letter === 'U') return file;
		const section = sections[at++];
		if (!section) return {...file, isCut: isPatchCut || undefined};
		// Git shows a file that became a link, or the reverse, in two sections: removed and added.
		const secondSection = letter === 'T' && sections[at]?.name === section.name ? sections[at++] : undefined;
		const isLast = isPatchCut && at >= sections.length;
		const whole = [section.hunks, secondSection?.hunks ?? ''].filter(hunks => hunks !== '').join('\n');
		const note = [...section.head.matchAll(/^(?:old mode|new mode) .*/gm)].map(([line]) => line).join(', ');
		const isCut = isLast || whole.length > maxFilePatch;
		return {
			...file,
			patch: isBinary ? undefined : isCut ? wholeLines(whole.slice(0, maxFilePatch)) : whole,
			isCut: (isCut && !isBinary) || undefined,
			note: note || undefined,
		};
	});
}

function wholeLines(text: string): string {
	return text.slice(0, Math.max(0, text.lastIndexOf('\n')));
}

function untrackedFiles(root: string, paths: readonly string[]) {
	let remainingLength = maxUntrackedPatches;
	return paths.map((path): ReturnType<typeof untrackedFile> => {
		if (remainingLength <= 0)
			return {
				file: {path, kind: 'untracked', isCut: true, hasMoreLines: true},
				state: stateOf(join(root, path)),
			};
		const read = untrackedFile(root, path);
		remainingLength -= read.file.patch?.length ?? 0;
		return read;
	});
}

function stateOf(path: string): string {
	const stats = lstatSync(path, {throwIfNoEntry: false});
	return stats ? `${stats.size} ${stats.mtimeMs}` : 'gone';
}

function sum(files: readonly ChangedFile[], count: 'added' | 'removed'): number {
	return files.reduce((all, file) => all + (file[count] ?? 0), 0);
}

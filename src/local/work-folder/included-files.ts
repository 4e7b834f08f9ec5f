import {constants, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {copyFile, lstat, mkdir, readlink, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, isAbsolute, join} from 'node:path';
import {openRepository, type Repository} from '../../git/repository.ts';
import {readSmallFile} from '../../git/small-file.ts';
import {gitIn} from '../processes/git.ts';
import type {DiffReader} from './read-diff.ts';

/** In the top folder of a repository: patterns of ignored files that a new work tree gets, as in `.gitignore`. */
const listName = '.worktreeinclude';
const maxList = 64 * 1024;
const maxFiles = 20_000;
/** Longest files together, bytes. */
const maxSize = 1024 ** 3;
const maxNamed = 5;

/**
 * Copies the files that git ignores and that `.worktreeinclude` names from a repository into its new work tree: below
 * its top folder only, and over no file. Returns what wasn't copied, as a sentence.
 */
export async function copyIncludedFiles(
	{groups, closing}: DiffReader,
	source: Repository,
	path: string,
): Promise<string | undefined> {
	const patterns = readSmallFile(join(source.root, listName), {maxSize: maxList});
	if (patterns === undefined) return undefined;
	const target = await openRepository(path, 'read');
	const named = await namedFiles(groups, closing, source, patterns);
	if (typeof named === 'string') return `The files of ${listName} weren't copied: ${named}`;
	// What the last commit doesn't ignore would be a change of the session's. Git refuses a name below a link.
	const git = gitIn(groups, target, closing);
	const ignored = await git(['check-ignore', '-z', '--stdin'], {stdin: named.join('\0')});
	// It ends with 1 if git ignores none of them.
	if (ignored.code === undefined || ignored.code > 1)
		return `The files of ${listName} weren't copied: ${ignored.stderr.trim()}`;
	const paths = ignored.stdout.split('\0').filter(name => name !== '');
	const missing: string[] = [];
	let size = 0;
	for (const [index, name] of paths.entries()) {
		const copied =
			index < maxFiles && size < maxSize && !closing.aborted
				? await copyInto(source.root, target.root, name).catch(() => undefined)
				: undefined;
		if (copied === undefined) missing.push(name);
		else size += copied;
	}
	if (missing.length === 0) return undefined;
	const names = missing.slice(0, maxNamed).join(', ');
	const more = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : '';
	return `Files of ${listName} that weren't copied: ${names}${more}`;
}

/** The untracked files that match the patterns, or why they aren't known. */
async function namedFiles(
	groups: DiffReader['groups'],
	closing: AbortSignal,
	source: Repository,
	patterns: string,
): Promise<readonly string[] | string> {
	const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-include-'));
	try {
		const file = join(folder, 'patterns');
		writeFileSync(file, patterns);
		const git = gitIn(groups, {...source, use: 'read'}, closing);
		const listing = ['ls-files', '--others', '--ignored', `--exclude-from=${file}`, '-z'];
		const {code, stdout, stderr, isCut} = await git(listing);
		if (isCut) return 'there are too many';
		if (code !== 0) return stderr.trim() || "git can't list them";
		// Another repository ends with a slash.
		return stdout.split('\0').filter(name => name !== '' && !name.endsWith('/'));
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

/** Copies a file or a link that stays inside. Returns its size, bytes; undefined if it may not be copied. */
async function copyInto(from: string, to: string, name: string): Promise<number | undefined> {
	const [source, target] = [join(from, name), join(to, name)];
	const stats = await lstat(source);
	const leadsTo = stats.isSymbolicLink() ? await readlink(source) : undefined;
	const isInside =
		leadsTo !== undefined && !isAbsolute(leadsTo) && !join(dirname(name), leadsTo).startsWith('..');
	if (!stats.isFile() && !isInside) return undefined;
	await mkdir(dirname(target), {recursive: true});
	if (leadsTo === undefined)
		await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
	else await symlink(leadsTo, target);
	return stats.size;
}

import {cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Repository, RepositoryUse} from './repository.ts';
import {type Setting, settingsText} from './settings.ts';
import {readSmallFile} from './small-file.ts';

/** Entries of a repository that git gets from us instead. */
const replaced = new Set(['config', 'hooks', 'info']);
const maxAttributes = 1024 * 1024;

/** Settings that the repository can't change. Those of the user stay, such as Git LFS. */
const ownSettings = [
	['core.bare', 'false'],
	['core.fsmonitor', 'false'],
	['core.untrackedCache', 'false'],
	['core.quotePath', 'true'],
	['diff.autoRefreshIndex', 'false'],
	['diff.suppressBlankEmpty', 'false'],
	['gc.auto', '0'],
	['log.showSignature', 'false'],
	['maintenance.auto', 'false'],
	['protocol.ext.allow', 'never'],
	// A push into a folder runs the hooks there.
	['protocol.file.allow', 'never'],
	['push.recurseSubmodules', 'no'],
	// It would write resolutions to wherever the repository's MERGE_RR says.
	['rerere.enabled', 'false'],
	['submodule.recurse', 'false'],
	// Relative to the temporary folder, they would lead nowhere.
	['worktree.useRelativePaths', 'false'],
] as const;

const environments: Readonly<Record<RepositoryUse, Readonly<Record<string, string>>>> = {
	read: {
		GIT_OPTIONAL_LOCKS: '0',
		// In a partial clone, git would fetch missing objects.
		GIT_ALLOW_PROTOCOL: 'none',
		GIT_NO_LAZY_FETCH: '1',
	},
	write: {},
};

/**
 * Calls `run` with an environment in which git, and any program that starts it, works in the repository but runs
 * nothing that its settings name. Instead of its own folder, git sees a temporary one: with links to all that the
 * repository holds, but without hooks, and with settings of which we know that they are harmless.
 */
export async function inRepository<T>(
	repository: Repository,
	run: (environment: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
	const {root, gitDir, commonDir, use} = repository;
	const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-git-'));
	try {
		// Made at once, so that several worktrees may be made at a time.
		if (use === 'write')
			for (const name of ['logs', 'worktrees']) mkdirSync(join(commonDir, name), {recursive: true});
		for (const name of new Set([...readdirSync(commonDir), 'packed-refs']))
			if (!replaced.has(name)) symlinkSync(join(commonDir, name), join(folder, name));
		writeFileSync(join(folder, 'config'), settingsOf(repository));
		mkdirSync(join(folder, 'info'));
		symlinkSync(join(commonDir, 'info/exclude'), join(folder, 'info/exclude'));
		writeFileSync(join(folder, 'info/attributes'), attributesOf(repository));
		return await run({
			...environments[use],
			GIT_DIR: gitDir,
			GIT_COMMON_DIR: folder,
			GIT_WORK_TREE: root,
			// Replacements would be shown, but not committed.
			GIT_NO_REPLACE_OBJECTS: '1',
		});
	} finally {
		if (use === 'write') keepNew(folder, commonDir);
		rmSync(folder, {recursive: true, force: true});
	}
}

function settingsOf({settings, use}: Repository): string {
	return settingsText([
		...settings.harmless,
		...ownSettings,
		...(use === 'read' ? [['core.hooksPath', '/dev/null'] as const] : []),
		...(use === 'write' ? settings.filters.flatMap(failing) : []),
	]);
}

/** Git refuses to write a file that should have been filtered. */
function failing(filter: string): Setting[] {
	return ['clean', 'smudge']
		.map((name): Setting => [`filter.${filter}.${name}`, 'false'])
		.concat([[`filter.${filter}.required`, 'true']]);
}

/** The repository's own attributes, but none that hides text: whether a file is text depends on its content. */
function attributesOf({commonDir}: Repository): string {
	const own = readSmallFile(join(commonDir, 'info/attributes'), {maxSize: maxAttributes}) ?? '';
	return `${own}\n* !diff\n`;
}

/** Copies what is new in the repository, such as the objects of Git LFS. */
function keepNew(folder: string, commonDir: string): void {
	for (const entry of readdirSync(folder, {withFileTypes: true}))
		if (!entry.isSymbolicLink() && !replaced.has(entry.name))
			cpSync(join(folder, entry.name), join(commonDir, entry.name), {recursive: true});
}

import {type GitAnswer, type GitSetting, runGit} from '../processes/git.ts';
import type {ProcessGroups} from '../processes/process-group.ts';

/** Reads a repository. Runs nothing that its settings name, changes nothing and reaches no network. */
export type ReadOnlyGit = (
	args: readonly string[],
	options?: {readonly maxLength?: number; readonly stdin?: string},
) => Promise<GitAnswer>;

const environment = {
	GIT_OPTIONAL_LOCKS: '0',
	// In a partial clone, git would fetch missing objects with a command that its settings name.
	GIT_ALLOW_PROTOCOL: 'none',
	GIT_NO_LAZY_FETCH: '1',
};

const safeSettings: readonly GitSetting[] = [
	['core.hooksPath', '/dev/null'],
	['core.quotePath', 'true'],
	['diff.autoRefreshIndex', 'false'],
	['diff.suppressBlankEmpty', 'false'],
];

/** `cwd` may be any folder of the repository. */
export async function openReadOnly(
	groups: ProcessGroups,
	cwd: string,
	signal: AbortSignal,
): Promise<ReadOnlyGit> {
	const options = {signal, env: environment};
	const configList = await runGit(groups, cwd, ['config', '--show-scope', '--name-only', '-z', '--list'], {
		...options,
		settings: safeSettings,
	});
	if (isTooOld(configList))
		return async () => ({...configList, code: 1, stderr: 'fatal: git 2.31 or later is needed here'});
	const settings = [...safeSettings, ...withoutFilters(configList.stdout)];
	return (args, more) => runGit(groups, cwd, args, {...options, ...more, settings});
}

/** Whether git ignores settings from the environment, and so would run commands that the repository names. */
function isTooOld({code, stdout, stderr}: GitAnswer): boolean {
	if (code !== 0) return stderr.includes('show-scope');
	// Each setting is its scope and its name; the repository may have one of the same name.
	return !`\0${stdout}`.includes('\0command\0core.hookspath\0');
}

/**
 * Turns off the filters that the repository itself configures: git runs them on each changed file that it reads.
 * Those of the user's own settings, such as Git LFS, stay.
 */
function withoutFilters(configList: string): GitSetting[] {
	const fields = configList.split('\0');
	const filters = new Set<string>();
	for (let index = 0; index + 1 < fields.length; index += 2) {
		const [scope, name = ''] = [fields[index], fields[index + 1]];
		const isOwn = scope === 'system' || scope === 'global' || scope === 'command';
		const filter = /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1];
		if (!isOwn && filter !== undefined) filters.add(filter);
	}
	return [...filters].flatMap((filter): GitSetting[] => [
		[`filter.${filter}.clean`, ''],
		[`filter.${filter}.smudge`, ''],
		[`filter.${filter}.process`, ''],
		[`filter.${filter}.required`, 'false'],
	]);
}

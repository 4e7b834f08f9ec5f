import {execFile} from 'node:child_process';
import {RepositoryError} from './repository-error.ts';

/** Time limit for parsing settings, ms. */
const timeLimit = 10_000;
const maxLength = 4 * 1024 * 1024;

/** A setting: its name as git prints it, `section.Subsection.key`, and its value. */
export type Setting = readonly [name: string, value: string];

/** What we take from a repository's own settings. */
export type RepositorySettings = {
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
export async function parseSettings(text: string): Promise<RepositorySettings> {
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

import {inRepository} from '../../git/in-repository.ts';
import type {Repository} from '../../git/repository.ts';
import {errorCode} from '../local-error.ts';
import {endNote, type ProcessGroups} from './process-group.ts';

/** Maximum git output to read, bytes. */
const maxAnswerLength = 8 * 1024 * 1024;
const maxErrorLength = 64 * 1024;
/** Default time limit of a call, ms. */
const usualLimit = 20_000;

type GitOptions = {
	readonly signal?: AbortSignal | undefined;
	readonly cwd?: string;
	/** Time after which git is ended, ms. */
	readonly timeLimit?: number;
	/** Bytes of output after which git is ended. */
	readonly maxLength?: number;
	readonly stdin?: string;
	readonly env?: Readonly<Record<string, string>>;
};

/** Git's output. `code` is absent if git was ended or couldn't start; `note` says how it failed. */
export type GitResult = {
	readonly code?: number | undefined;
	readonly note: string | undefined;
	readonly stdout: string;
	readonly stderr: string;
	/** The output was too long; `stdout` holds its beginning. */
	readonly isCut: boolean;
	readonly isMissing: boolean;
};

/** Runs git in one repository. Never rejects. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<GitResult>;

export function gitIn(groups: ProcessGroups, repository: Repository, signal: AbortSignal): Git {
	return (args, options) =>
		inRepository(repository, env =>
			runGit(groups, args, {signal, cwd: repository.root, ...options, env: {...options?.env, ...env}}),
		)
			.then(result => ({...result, stderr: withFilterHint(result.stderr)}))
			.catch(({message}: Error) => ({
				note: message,
				stdout: '',
				stderr: message,
				isCut: false,
				isMissing: false,
			}));
}

/** Whether git refused because a filter is missing that only the repository itself defines. */
export function lacksFilter({stderr}: Pick<GitResult, 'stderr'>): boolean {
	return /(?:clean|smudge) filter .* failed/.test(stderr);
}

function withFilterHint(stderr: string): string {
	if (!lacksFilter({stderr})) return stderr;
	return `${stderr.trimEnd()}\nhint: this filter is in the repository's own settings, which run nothing here: use git itself`;
}

/** Runs git without prompts, by default outside any repository. Never rejects. */
export async function runGit(
	groups: ProcessGroups,
	args: readonly string[],
	{signal, cwd = '/', timeLimit = usualLimit, maxLength = maxAnswerLength, stdin, env}: GitOptions = {},
): Promise<GitResult> {
	const output = {stdout: [] as Buffer[], stderr: [] as Buffer[]};
	const size = {stdout: 0, stderr: 0};
	const tooLong = new AbortController();
	const ended = await groups.run(
		{
			file: 'git',
			args: ['-c', 'protocol.ext.allow=never', ...args],
			cwd,
			env: {LC_ALL: 'C', ...env},
			stdin,
		},
		(chunk, source) => {
			const max = source === 'stdout' ? maxLength : maxErrorLength;
			if (size[source] < max) output[source].push(chunk.subarray(0, max - size[source]));
			size[source] += chunk.length;
			if (size.stdout > maxLength) tooLong.abort();
		},
		{signal: AbortSignal.any([tooLong.signal, AbortSignal.timeout(timeLimit), ...(signal ? [signal] : [])])},
	);
	const textOf = (source: 'stdout' | 'stderr') => Buffer.concat(output[source]).toString('utf8');
	return {
		code: ended.code,
		note: endNote('git', ended),
		stdout: textOf('stdout'),
		stderr: textOf('stderr'),
		isCut: size.stdout > maxLength,
		isMissing: ended.error !== undefined && errorCode(ended.error) === 'ENOENT',
	};
}

/** Git's whole output; undefined if it failed. */
export function outputOf({code, stdout, isCut}: GitResult): string | undefined {
	return code === 0 && !isCut ? stdout : undefined;
}

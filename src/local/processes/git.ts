import {inRepository} from '../../git/in-repository.ts';
import type {Repository} from '../../git/repository.ts';
import type {ProcessGroups} from './process-group.ts';
import {type ProgramResult, runProgram} from './run-program.ts';

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

/** Runs git in one repository. Never rejects. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<ProgramResult>;

export function gitIn(groups: ProcessGroups, repository: Repository, signal: AbortSignal): Git {
	return (args, options) =>
		inRepository(repository, env =>
			runGit(groups, args, {signal, cwd: repository.root, ...options, env: {...options?.env, ...env}}),
		)
			.then(result => ({...result, stderr: withFilterHint(result.stderr)}))
			.catch(({message}: Error) => ({note: message, stdout: '', stderr: message, isCut: false}));
}

/** Whether git refused because a filter is missing that only the repository itself defines. */
export function lacksFilter(stderr: string): boolean {
	return /(?:clean|smudge) filter .* failed/.test(stderr);
}

function withFilterHint(stderr: string): string {
	if (!lacksFilter(stderr)) return stderr;
	return `${stderr.trimEnd()}\nhint: this filter is in the repository's own settings, which run nothing here: use git itself`;
}

/** Runs git without prompts, by default outside any repository. Never rejects. */
export function runGit(
	groups: ProcessGroups,
	args: readonly string[],
	{signal, cwd = '/', timeLimit = usualLimit, maxLength, stdin, env}: GitOptions = {},
): Promise<ProgramResult> {
	const timeout = AbortSignal.timeout(timeLimit);
	return runProgram(
		groups,
		{file: 'git', args: ['-c', 'protocol.ext.allow=never', ...args], cwd, env: {LC_ALL: 'C', ...env}, stdin},
		{signal: signal ? AbortSignal.any([signal, timeout]) : timeout, maxLength},
	);
}

/** Git's whole output; undefined if it failed. */
export function outputOf({code, stdout, isCut}: ProgramResult): string | undefined {
	return code === 0 && !isCut ? stdout : undefined;
}

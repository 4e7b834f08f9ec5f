import {childEnvironment} from './child-environment.ts';
import type {ProcessGroups} from './process-group.ts';

/** Maximum git output to read, bytes. */
const maxAnswerLength = 8 * 1024 * 1024;
const maxErrorLength = 64 * 1024;

/** Overrides repository settings that would make git run arbitrary commands. */
const safetyArgs = [
	'-c',
	'safe.bareRepository=explicit',
	'-c',
	'core.fsmonitor=false',
	'-c',
	'log.showSignature=false',
];

/** A setting that overrides the repository's. Its name may hold any character. */
export type GitSetting = readonly [name: string, value: string];

export type GitOptions = {
	readonly signal?: AbortSignal | undefined;
	/** Bytes of output after which git is ended. */
	readonly maxLength?: number;
	readonly stdin?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly settings?: readonly GitSetting[];
};

/** Git's output. `code` is absent if git was ended or couldn't start. */
export type GitAnswer = {
	readonly code?: number | undefined;
	readonly stdout: string;
	readonly stderr: string;
	/** The output was too long; `stdout` holds its beginning. */
	readonly isCut: boolean;
	/** Git isn't installed. */
	readonly isMissing: boolean;
};

/** Runs git without prompts. Never rejects. */
export async function runGit(
	groups: ProcessGroups,
	cwd: string,
	args: readonly string[],
	{signal, maxLength = maxAnswerLength, stdin, env, settings = []}: GitOptions = {},
): Promise<GitAnswer> {
	const output = {stdout: [] as Buffer[], stderr: [] as Buffer[]};
	const size = {stdout: 0, stderr: 0};
	const tooLong = new AbortController();
	const ended = await groups.run(
		{
			file: 'git',
			args: [...safetyArgs, ...args],
			cwd,
			env: childEnvironment({LC_ALL: 'C', ...withSettings(settings), ...env}),
			...(stdin !== undefined && {stdin}),
		},
		(chunk, source) => {
			const max = source === 'stdout' ? maxLength : maxErrorLength;
			if (size[source] < max) output[source].push(chunk.subarray(0, max - size[source]));
			size[source] += chunk.length;
			if (size.stdout > maxLength) tooLong.abort();
		},
		{signal: signal ? AbortSignal.any([signal, tooLong.signal]) : tooLong.signal},
	);
	const textOf = (source: 'stdout' | 'stderr') => Buffer.concat(output[source]).toString('utf8');
	return {
		code: ended.code,
		stdout: textOf('stdout'),
		stderr: textOf('stderr'),
		isCut: size.stdout > maxLength,
		isMissing: ended.error !== undefined && 'code' in ended.error && ended.error.code === 'ENOENT',
	};
}

/** Git's whole output; undefined if it failed. */
export function outputOf({code, stdout, isCut}: GitAnswer): string | undefined {
	return code === 0 && !isCut ? stdout : undefined;
}

/** Environment variables that add settings to those already in the environment. */
function withSettings(settings: readonly GitSetting[]): Record<string, string> {
	if (settings.length === 0) return {};
	const first = Number(process.env.GIT_CONFIG_COUNT ?? 0) || 0;
	const entries = settings.flatMap(([name, value], index) => [
		[`GIT_CONFIG_KEY_${first + index}`, name],
		[`GIT_CONFIG_VALUE_${first + index}`, value],
	]);
	return {...Object.fromEntries(entries), GIT_CONFIG_COUNT: `${first + settings.length}`};
}

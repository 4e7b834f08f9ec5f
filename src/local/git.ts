import {childEnvironment} from './child-environment.ts';
import type {ProcessGroups} from './process-group.ts';

/** Maximum git output to read, bytes. */
const maxAnswerLength = 8 * 1024 * 1024;

/** Overrides repository settings that would make git run arbitrary commands. */
const runsNothing = [
	'-c',
	'safe.bareRepository=explicit',
	'-c',
	'core.fsmonitor=false',
	'-c',
	'log.showSignature=false',
];

/** Returns git's output, or undefined if git fails or is missing. Takes no locks and never prompts. */
export async function askGit(
	groups: ProcessGroups,
	cwd: string,
	args: readonly string[],
	signal?: AbortSignal,
): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	const ended = await groups.run(
		{
			file: 'git',
			args: [...runsNothing, ...args],
			cwd,
			env: childEnvironment({GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C'}),
		},
		(chunk, source) => {
			if (source === 'stdout' && size < maxAnswerLength) chunks.push(chunk);
			size += chunk.length;
		},
		{signal},
	);
	return ended.code === 0 && size < maxAnswerLength ? Buffer.concat(chunks).toString('utf8') : undefined;
}

import {childEnvironment} from './child-environment.ts';
import type {ProcessGroups} from './process-group.ts';

/** Most of git's answer that is read, bytes. */
const maxAnswerLength = 8 * 1024 * 1024;

/** Settings of a repository that would have git run a command of its choice. */
const runsNothing = [
	'-c',
	'safe.bareRepository=explicit',
	'-c',
	'core.fsmonitor=false',
	'-c',
	'log.showSignature=false',
];

/** What git prints, or undefined when it fails or there is no git. Takes no locks and asks nothing. */
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

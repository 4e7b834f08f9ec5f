import {clientVariables} from '../../domain/sessions/session.ts';

/** Set by git for its hooks; they would point the git processes we start at another repository. */
const repositoryVariables = new Set([
	'GIT_DIR',
	'GIT_WORK_TREE',
	'GIT_INDEX_FILE',
	'GIT_OBJECT_DIRECTORY',
	'GIT_COMMON_DIR',
	'GIT_PREFIX',
]);

/**
 * The environment for programs the service runs: the user's own, plus settings that disable interactive prompts, minus
 * our keys and the variables that npm sets for its scripts (they would affect an npm that we start) and clients for
 * their agents: one may have started this service.
 */
export function childEnvironment(more: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => !isExcluded(name));
	return {
		...Object.fromEntries(inherited),
		TERM: 'dumb',
		PAGER: 'cat',
		GIT_PAGER: 'cat',
		GIT_TERMINAL_PROMPT: '0',
		GIT_ASKPASS: '',
		SSH_ASKPASS: '',
		GCM_INTERACTIVE: 'never',
		GIT_SSH_COMMAND: `${process.env.GIT_SSH_COMMAND ?? 'ssh'} -oBatchMode=yes`,
		...more,
	};
}

function isExcluded(name: string): boolean {
	if (/^(QUARTERDECK_|npm_)/i.test(name) || name === 'INIT_CWD') return true;
	return repositoryVariables.has(name) || clientVariables.includes(name);
}

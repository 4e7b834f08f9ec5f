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
 * The environment for programs the service runs: the user's own, minus our keys and the variables npm sets
 * for its scripts (they would affect an npm that we start), plus settings that disable interactive prompts.
 */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
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
	return /^(QUARTERDECK_|npm_)/i.test(name) || name === 'INIT_CWD' || repositoryVariables.has(name);
}

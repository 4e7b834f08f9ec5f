/** Set by git for its hooks: they would point a git that we start at another repository. */
const repositoryVariables = new Set([
	'GIT_DIR',
	'GIT_WORK_TREE',
	'GIT_INDEX_FILE',
	'GIT_OBJECT_DIRECTORY',
	'GIT_COMMON_DIR',
	'GIT_PREFIX',
]);

/**
 * The environment of programs the service runs: the user's own, without our keys, without what npm adds for its
 * scripts (it would steer an npm that we start), and with everything that could stop to ask a question told not to.
 */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
	const kept = Object.entries(process.env).filter(([name]) => !isWithheld(name));
	return {
		...Object.fromEntries(kept),
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

function isWithheld(name: string): boolean {
	return /^(QUARTERDECK_|npm_)/i.test(name) || name === 'INIT_CWD' || repositoryVariables.has(name);
}

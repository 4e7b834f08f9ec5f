/** Whether npm started the program from its project, where nothing is installed. */
function isFromProject({npm_package_name: project, npm_lifecycle_event: script}: NodeJS.ProcessEnv): boolean {
	return project === 'quarterdeck' && (script === 'start' || script === 'quarterdeck');
}

/** How to run this program in a shell. */
export function programOf(env: NodeJS.ProcessEnv): string {
	return isFromProject(env) ? 'npm run -s quarterdeck --' : 'quarterdeck';
}

/** The folder in which the user started the program, if npm has left it: npm runs scripts in the project's folder. */
export function folderBeforeNpm(env: NodeJS.ProcessEnv): string | undefined {
	return isFromProject(env) ? env.INIT_CWD : undefined;
}

/** The beginning of every command that a hint names. */
export const ownProgram = programOf(process.env);

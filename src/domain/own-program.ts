/** How to run this program in a shell: by npm if that started it from its project, where nothing is installed. */
export function programOf(env: NodeJS.ProcessEnv): string {
	const {npm_package_name: project, npm_lifecycle_event: script} = env;
	const isFromProject = project === 'quarterdeck' && (script === 'start' || script === 'quarterdeck');
	return isFromProject ? 'npm run -s quarterdeck --' : 'quarterdeck';
}

/** The beginning of every command that a hint names. */
export const ownProgram = programOf(process.env);

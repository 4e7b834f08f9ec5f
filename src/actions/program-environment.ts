/** The environment for the user's programs, without our own variables: above all, the key. */
export function programEnvironment(): NodeJS.ProcessEnv {
	const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('QUARTERDECK_'));
	return Object.fromEntries(kept);
}

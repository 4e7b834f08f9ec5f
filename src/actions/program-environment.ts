/** The environment of programs that are started for the user: everything but what is ours, the key above all. */
export function programEnvironment(): NodeJS.ProcessEnv {
	const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('QUARTERDECK_'));
	return Object.fromEntries(kept);
}

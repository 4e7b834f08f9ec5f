/** A setting holds what can't be used, or is missing: nothing was sent. The message says which and what to do. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

/** A file or command that settings come from can't be used. The message names it and never holds a secret. */
export class ConfigSourceError extends Error {
	override readonly name = 'ConfigSourceError';
}

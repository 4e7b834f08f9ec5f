/** A setting is invalid or missing; nothing was sent. The message names it and says what to do. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

export class UnknownProfileError extends ConfigError {}

/** A file or command that provides settings can't be used. The message names it and never contains a secret. */
export class ConfigSourceError extends Error {
	override readonly name = 'ConfigSourceError';
}

/** A settings file can't be read or changed; nothing was written. The message says why and what to do. */
export class SettingsFileError extends Error {
	override readonly name = 'SettingsFileError';
}

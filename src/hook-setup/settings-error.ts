/**
 * A settings file can't be read or changed; nothing was written. The message gives the reason and the remedy.
 */
export class SettingsFileError extends Error {
	override readonly name = 'SettingsFileError';
}

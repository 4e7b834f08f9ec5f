export type KeyFrom = 'environment' | 'file' | 'command';

/** Set if the environment gives the address. `own`: the address in the profile, which it replaces. */
export type EnvironmentAddress = {readonly own?: string};

/** Name of the embedded service's profile, which needs no configuration. */
export const localProfile = 'local';

export const defaultProfile = 'default';

/** Pattern for profile names, which are part of file names: at most 64 characters, no leading dot. */
export const profileName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;

/** Whether a text can be a key, which is sent in a header: printable ASCII without spaces. */
export function isKeyText(text: string): boolean {
	return /^[\x21-\x7e]+$/.test(text);
}

/** Whether a text given as a key is meant as the path of a file. A key in Base64 may start with a slash, too. */
export function isFilePath(text: string): boolean {
	const isBase64 = /^\s*(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z\d+/]{20,}=*\s*$/.test(text);
	return /^\s*~?\//.test(text) && !isBase64;
}

/** A service the user can switch to. Text is raw. */
export type ProfileEntry = {
	readonly name: string;
	readonly isLocal: boolean;
	readonly address?: string;
	readonly keyFrom?: KeyFrom;
	/** The file that the user keeps the key in. */
	readonly keyFile?: string;
	/** Every start that names no profile opens this one, also after another was left. */
	readonly isDefault?: boolean;
	/** It isn't in the configuration file: the environment or the flags of this start have its settings. */
	readonly isUnsaved?: boolean;
};

/** A profile as entered in the form, not validated. */
export type ProfileDraft = {
	readonly name: string;
	/** The saved profile that it changes; absent for a new one. */
	readonly replaces?: string;
	readonly baseUrl: string;
	/** Empty: the same as the base address. */
	readonly appUrl: string;
	/**
	 * For `typed`, `value` is the key itself, saved in its own file, or empty to keep the one saved there; for `file`, its
	 * path. A command stays as it is.
	 */
	readonly keyFrom: KeyFrom | 'typed';
	readonly value: string;
};

import {existsSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {localProfile, type ProfileDraft, profileName} from '../domain/accounts/profile.ts';
import {ownEntry} from '../domain/own-entry.ts';
import {changeConfig, withoutProfile, withProfile} from './change-config.ts';
import {ConfigError} from './config-error.ts';
import {type Profile, readConfigFile} from './config-file.ts';

type Profiles = Readonly<Record<string, Profile>>;

/** The profiles in the configuration file. Throws `ConfigSourceError`. */
export function savedProfiles(configFile: string): Profiles {
	return existsSync(configFile) ? (readConfigFile(configFile).profiles ?? {}) : {};
}

/** A saved profile, to be changed in the form. Throws `ConfigError` and `ConfigSourceError`. */
export function draftOf(name: string, configFile: string): ProfileDraft {
	const {local, baseUrl = '', appUrl = '', keyFile, keyCommand} = requireSaved(name, configFile);
	if (local) throw new ConfigError(`profile ${name} uses the embedded service, which has no address`);
	const [keyFrom, value] =
		keyFile !== undefined
			? (['file', keyFile] as const)
			: keyCommand !== undefined
				? (['command', commandLine(keyCommand)] as const)
				: (['environment', ''] as const);
	return {name, replaces: name, baseUrl, appUrl, keyFrom, value};
}

/** Renames a profile. Throws `ConfigError` and `ConfigSourceError`. */
export function renameProfile(from: string, to: string, configFile: string): void {
	requireSaved(from, configFile);
	const name = checkName(to, savedProfiles(configFile), from);
	changeConfig(configFile, before => withProfile(before, name, undefined, from));
}

/**
 * Removes a profile, and the file that its key was typed into. If it was the default, `nextDefault` takes its place, or
 * none. Throws `ConfigError` and `ConfigSourceError`.
 */
export function removeProfile(name: string, configFile: string, nextDefault?: string): void {
	const {keyFile} = requireSaved(name, configFile);
	changeConfig(configFile, before => withoutProfile(before, name, nextDefault));
	const isShared = Object.values(savedProfiles(configFile)).some(other => other.keyFile === keyFile);
	if (keyFile !== undefined && dirname(keyFile) === keyFolder(configFile) && !isShared)
		rmSync(keyFile, {force: true});
}

/** Returns the name of a new or changed profile without blanks around it. Throws `ConfigError`. */
export function checkName(text: string, saved: Profiles, replaces: string | undefined): string {
	const name = text.trim();
	if (!profileName().test(name)) {
		throw new ConfigError(`"${name}" is not a valid profile name: use letters, digits, dots and dashes`);
	}
	if (name === replaces) return name;
	if (name === localProfile) {
		throw new ConfigError(`${name} is the name of the embedded service: choose another name`);
	}
	if (Object.hasOwn(saved, name)) {
		throw new ConfigError(`profile ${name} already exists: choose another name`);
	}
	return name;
}

/** The folder of the keys that were typed. */
export function keyFolder(configFile: string): string {
	return join(dirname(configFile), 'keys');
}

/** A key command as a line for the shell. */
export function commandLine(command: string | readonly string[]): string {
	if (typeof command === 'string') return command;
	const quoted = (word: string) =>
		/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
	return command.map(quoted).join(' ');
}

function requireSaved(name: string, configFile: string): Profile {
	const profile = ownEntry(savedProfiles(configFile), name);
	if (!profile) throw new ConfigError(`there is no profile ${name} in ${configFile}`);
	return profile;
}

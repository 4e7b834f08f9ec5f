import {existsSync, rmSync} from 'node:fs';
import {basename, isAbsolute} from 'node:path';
import {withScheme} from '../domain/accounts/account.ts';
import {localProfile, type ProfileDraft, profileName} from '../domain/accounts/profile.ts';
import {ownEntry} from '../domain/objects.ts';
import {parseAddress} from './address.ts';
import {changeConfig, withLocal, withoutProfile, withProfile} from './change-config.ts';
import {ConfigError, UnknownProfileError} from './config.ts';
import {type ConfigFile, type Profile, readConfigFile} from './config-file.ts';
import {inHome, isTypedKey} from './folders.ts';
import {defaultOf} from './settings.ts';

type Profiles = Readonly<Record<string, Profile>>;

export type SavedProfile = {
	readonly name: string;
	/** Set by the user: every start that names no profile opens it. */
	readonly isDefault: boolean;
	/** What uses it if no profile is named. */
	readonly usedBy: readonly ('screen' | 'commands')[];
	readonly isLocal: boolean;
	readonly baseUrl?: string;
	readonly appUrl?: string;
	readonly keyFile?: string;
	/** A line for the shell. */
	readonly keyCommand?: string;
};

/**
 * The profiles in the configuration file, in its order, and the embedded service. `left`: the one that the next screen
 * opens, if it isn't the one of commands. Throws `ConfigSourceError`.
 */
export function savedProfiles(configFile: string, left: string | undefined): SavedProfile[] {
	const file: ConfigFile = existsSync(configFile) ? readConfigFile(configFile) : {};
	const entries = Object.entries<Profile>({
		...file.profiles,
		[localProfile]: file.profiles?.[localProfile] ?? {local: true},
	});
	const used = {screen: left ?? defaultOf(file), commands: defaultOf(file)};
	return entries.map(([name, {local, baseUrl, appUrl, keyFile, keyCommand}]) => ({
		name,
		isDefault: name === file.profile,
		usedBy: (['screen', 'commands'] as const).filter(what => name === used[what]),
		isLocal: local === true,
		baseUrl,
		appUrl,
		keyFile,
		keyCommand: keyCommand && commandLine(keyCommand),
	}));
}

/** The profiles in the configuration file, by name. Throws `ConfigSourceError`. */
export function profilesIn(configFile: string): Profiles {
	return existsSync(configFile) ? (readConfigFile(configFile).profiles ?? {}) : {};
}

/**
 * Creates a profile of a hosted service or changes the given values; sends nothing. Returns its address, and the one
 * before. Throws `ConfigError` and `ConfigSourceError`.
 */
export function changeService(
	name: string,
	change: Readonly<Partial<Record<'baseUrl' | 'appUrl' | 'keyFile' | 'keyCommand', string>>>,
	configFile: string,
	home: string,
): {readonly baseUrl: string; readonly before?: string} {
	const saved = profilesIn(configFile);
	const own = ownEntry(saved, name);
	if (own?.local) throw new ConfigError(`profile ${name} uses the embedded service, which has no address`);
	checkName(name, saved, own && name);
	const {baseUrl: address = own?.baseUrl, appUrl = own?.appUrl} = change;
	if (address === undefined) throw new ConfigError(`profile ${name} needs an address: add --base-url`);
	const baseUrl = parseAddress(withScheme(address), '--base-url');
	const ownApp = appUrl === undefined ? baseUrl : parseAddress(withScheme(appUrl), '--app-url');
	const {keyFile, keyCommand} = (change.keyFile ?? change.keyCommand) ? change : (own ?? {});
	if (keyFile !== undefined && !isAbsolute(inHome(keyFile, home)))
		throw new ConfigError('--key-file needs a full path, such as ~/keys/acme');
	const service = {
		baseUrl,
		appUrl: ownApp === baseUrl ? undefined : ownApp,
		keyFile,
		keyCommand,
	};
	changeConfig(configFile, before => withProfile(before, name, service, own && name));
	removeUnusedKey(own?.keyFile, configFile);
	return {baseUrl, before: own?.baseUrl};
}

/** Makes a profile the default, or none. Throws `ConfigError` and `ConfigSourceError`. */
export function makeDefault(name: string | undefined, configFile: string): void {
	if (name !== undefined && name !== localProfile) requireSaved(name, configFile);
	changeConfig(configFile, before => {
		const {profile: _, ...others} = before;
		return name === undefined
			? others
			: {...(name === localProfile ? withLocal(before) : before), profile: name};
	});
}

/** A saved profile, to be changed in the form. Throws `ConfigError` and `ConfigSourceError`. */
export function draftOf(name: string, configFile: string): ProfileDraft {
	const {local, baseUrl = '', appUrl = '', keyFile, keyCommand} = requireSaved(name, configFile);
	if (local) throw new ConfigError(`profile ${name} uses the embedded service, which has no address`);
	const [keyFrom, value] =
		keyFile !== undefined
			? isTypedKey(keyFile, configFile)
				? (['typed', ''] as const)
				: (['file', keyFile] as const)
			: keyCommand !== undefined
				? (['command', ''] as const)
				: (['environment', ''] as const);
	return {name, replaces: name, baseUrl, appUrl, keyFrom, value};
}

/** Renames a profile. Throws `ConfigError` and `ConfigSourceError`. */
export function renameProfile(from: string, to: string, configFile: string): void {
	requireSaved(from, configFile);
	const name = checkName(to, profilesIn(configFile), from);
	changeConfig(configFile, before => withProfile(before, name, undefined, from));
}

/** Removes a profile, and the file that its key was typed into. Throws `ConfigError` and `ConfigSourceError`. */
export function removeProfile(name: string, configFile: string): void {
	const {keyFile} = requireSaved(name, configFile);
	changeConfig(configFile, before => withoutProfile(before, name));
	removeUnusedKey(keyFile, configFile);
}

/** Removes the file of a typed key that no profile names any more. */
export function removeUnusedKey(keyFile: string | undefined, configFile: string): void {
	if (keyFile === undefined || !isTypedKey(keyFile, configFile)) return;
	// A profile may name the file in another way: from the home folder, or through `..`.
	const isUsed = Object.values(profilesIn(configFile)).some(
		profile => profile.keyFile !== undefined && basename(profile.keyFile) === basename(keyFile),
	);
	if (!isUsed) rmSync(keyFile, {force: true});
}

/** Returns the name of a new or changed profile without blanks around it. Throws `ConfigError`. */
export function checkName(text: string, saved: Profiles, replaces: string | undefined): string {
	const name = text.trim();
	if (!profileName.test(name)) {
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

function commandLine(command: string | readonly string[]): string {
	if (typeof command === 'string') return command;
	const quoted = (word: string) =>
		/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
	return command.map(quoted).join(' ');
}

/** Throws `UnknownProfileError` if there is no such profile. */
export function requireSaved(name: string, configFile: string): Profile {
	const profile = ownEntry(profilesIn(configFile), name);
	if (!profile) throw new UnknownProfileError(`there is no profile ${name} in ${configFile}`);
	return profile;
}

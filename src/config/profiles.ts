import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {readRegularFile} from '../../hooks/regular-file.ts';
import {localProfile as localName, type ProfileEntry} from '../domain/accounts/profile.ts';
import {ifPossible} from '../domain/if-possible.ts';
import type {Profile} from './config-file.ts';
import {configFile, inHome, isTypedKey, stateFolder} from './folders.ts';
import {keyVariable} from './key-source.ts';
import {readConfiguration, type SettingsInput} from './settings.ts';

/** Variables that configure one service: the one the program was started with. */
const serviceVariables: readonly string[] = [
	keyVariable,
	'QUARTERDECK_BASE_URL',
	'QUARTERDECK_APP_URL',
	'QUARTERDECK_PROFILE',
];

/**
 * Lists the profiles to switch to: those in the configuration file, in its order, the `open` one, and the
 * embedded service. Throws `ConfigSourceError`.
 */
export async function listProfiles(input: SettingsInput, open: ProfileEntry): Promise<ProfileEntry[]> {
	const {profile: byDefault, profiles = {}} = await readConfiguration(input);
	const entries = Object.entries(profiles).map(([name, profile]) =>
		name === open.name ? open : entryOf(name, profile, input),
	);
	const isListed = (name: string) => entries.some(entry => entry.name === name);
	if (!isListed(open.name) && open.name !== localName) entries.unshift({...open, isUnsaved: true});
	if (!isListed(localName)) entries.push(open.name === localName ? open : {name: localName, isLocal: true});
	return entries.map(entry => (entry.name === byDefault ? {...entry, isDefault: true} : entry));
}

/**
 * The input for reading another profile's settings. The environment's service variables, above all the key,
 * belong to the profile `owner` and are removed for every other.
 */
export async function inputFor(
	input: SettingsInput,
	name: string,
	owner: string | undefined,
): Promise<SettingsInput> {
	const {local: _, profile: __, ...flags} = input.flags;
	const isInFile = Object.hasOwn((await readConfiguration(input)).profiles ?? {}, name);
	const choice = isInFile || name !== localName ? {profile: name} : {local: true};
	const env =
		name === owner
			? input.env
			: Object.fromEntries(
					Object.entries(input.env).filter(([variable]) => !serviceVariables.includes(variable)),
				);
	return {...input, flags: {...flags, ...choice}, env};
}

/** The file in the state folder with the name of the profile that the screen was last switched to. */
const lastProfile = 'last-profile';

/** Saves the profile that the next screen opens. It isn't worth an error. */
export function saveLastProfile(folder: string, name: string): void {
	try {
		writeFileSync(join(folder, lastProfile), name, {mode: 0o600});
	} catch {
		// That nothing can be saved is told elsewhere.
	}
}

/** The input with the profile that was left, unless flags, the environment or the configuration name one. */
export async function withLastProfile(input: SettingsInput): Promise<SettingsInput> {
	const name = await leftProfile(input);
	return name === undefined ? input : inputFor(input, name, name);
}

/** The profile that the screen was left in, unless flags, the environment or the configuration name one. */
export async function leftProfile(input: SettingsInput): Promise<string | undefined> {
	const {flags, env, home} = input;
	const isGiven = flags.local || flags.profile !== undefined || serviceVariables.some(name => env[name]);
	const name = isGiven
		? undefined
		: ifPossible(() => readRegularFile(join(stateFolder(env, home), lastProfile)));
	if (name === undefined) return undefined;
	const {profile, profiles = {}} = await readConfiguration(input);
	const isThere = name === localName || Object.hasOwn(profiles, name);
	return profile === undefined && isThere ? name : undefined;
}

function entryOf(
	name: string,
	{local, baseUrl, keyFile, keyCommand}: Profile,
	{env, home}: SettingsInput,
): ProfileEntry {
	const keyFrom = keyFile ? 'file' : keyCommand ? 'command' : undefined;
	const isOwn = keyFile && !isTypedKey(inHome(keyFile, home), configFile(env, home));
	return {
		name,
		isLocal: local === true,
		address: baseUrl,
		keyFrom,
		keyFile: isOwn ? keyFile : undefined,
	};
}

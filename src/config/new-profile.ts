import {existsSync} from 'node:fs';
import {dirname, isAbsolute, join} from 'node:path';
import {withScheme} from '../domain/accounts/address.ts';
import {localProfile, type ProfileDraft, profileName} from '../domain/accounts/profile.ts';
import {parseAddress} from './address.ts';
import {changeConfig, writeKeyFile} from './change-config.ts';
import type {ServiceAddress} from './config.ts';
import {ConfigError} from './config-error.ts';
import {readConfigFile} from './config-file.ts';
import {checkKey, type KeySource, readKey} from './key-source.ts';
import {readSettings, type Settings, type SettingsInput} from './settings.ts';

/** A profile to try before it is saved. */
export type PreparedProfile = {
	readonly name: string;
	readonly address: ServiceAddress;
	/** Its fields in the configuration file. */
	readonly fields: Readonly<Record<string, string>>;
};

/**
 * Validates a new profile and loads its key, so that the service can be checked before anything is written.
 * Throws `ConfigError` and `ConfigSourceError` with what to correct.
 */
export async function prepareProfile(
	draft: ProfileDraft,
	{env, home}: SettingsInput,
	{configFile}: Pick<Settings, 'configFile'>,
): Promise<PreparedProfile> {
	const name = draft.name.trim();
	if (!profileName().test(name)) {
		throw new ConfigError(`"${name}" is not a valid profile name: use letters, digits, dots and dashes`);
	}
	if (existsSync(configFile) && Object.hasOwn(readConfigFile(configFile).profiles ?? {}, name)) {
		throw new ConfigError(`profile ${name} already exists: choose another name`);
	}
	const baseUrl = parseAddress(withScheme(draft.baseUrl), 'the address');
	const ownApp = withScheme(draft.appUrl);
	const appUrl = ownApp ? parseAddress(ownApp, 'the app address') : baseUrl;
	const value = draft.value.trim();
	const key =
		draft.keyFrom === 'typed' ? checkKey(value, 'the field') : await readKey(sourceOf(draft, env, home), env);
	const keyFields: Readonly<Record<ProfileDraft['keyFrom'], Readonly<Record<string, string>>>> = {
		typed: {keyFile: keyFileOf(configFile, name)},
		file: {keyFile: value},
		command: {keyCommand: value},
		environment: {},
	};
	return {
		name,
		address: {baseUrl, appUrl, key, keyAdvice: ''},
		fields: {baseUrl, ...(appUrl !== baseUrl && {appUrl}), ...keyFields[draft.keyFrom]},
	};
}

/**
 * Saves a prepared profile. Writes a typed key to a separate file: the configuration never contains the key
 * itself.
 */
export function saveProfile(
	{name, address, fields}: PreparedProfile,
	{keyFrom}: Pick<ProfileDraft, 'keyFrom'>,
	configFile: string,
): void {
	if (keyFrom === 'typed') writeKeyFile(keyFileOf(configFile, name), address.key);
	changeConfig(configFile, before => ({
		...before,
		// The first service that is connected becomes the default profile.
		profile: before.profile === localProfile ? name : (before.profile ?? name),
		profiles: {...(before.profiles as object | undefined), [name]: fields},
	}));
}

/**
 * Validates a new key of a saved profile, to try it before `save` writes it to the profile's key file. Throws
 * `ConfigError` and `ConfigSourceError`.
 */
export async function prepareNewKey(
	name: string,
	text: string,
	input: SettingsInput,
): Promise<Pick<PreparedProfile, 'name' | 'address'> & {readonly save: () => void}> {
	const {remote} = await readSettings(input);
	const source = remote?.keySource;
	if (source?.kind !== 'file') throw new ConfigError(`the key of profile ${name} is not in a file`);
	const key = checkKey(text, 'the field');
	const {baseUrl, appUrl} = remote ?? {baseUrl: '', appUrl: ''};
	return {name, address: {baseUrl, appUrl, key, keyAdvice: ''}, save: () => writeKeyFile(source.file, key)};
}

function keyFileOf(configFile: string, name: string): string {
	return join(dirname(configFile), 'keys', name);
}

function sourceOf({keyFrom, value}: ProfileDraft, env: SettingsInput['env'], home: string): KeySource {
	const text = value.trim();
	if (keyFrom === 'command') {
		if (text === '') throw new ConfigError('no command given: enter one that prints the key');
		return {kind: 'command', command: text};
	}
	if (keyFrom === 'file') {
		const file = text.replace(/^~(?=\/)/, home);
		if (!isAbsolute(file)) throw new ConfigError('the key file needs a full path, such as ~/keys/acme');
		return {kind: 'file', file};
	}
	return {kind: 'environment', key: checkKey(env.QUARTERDECK_API_KEY ?? '', 'QUARTERDECK_API_KEY')};
}

import {isAbsolute, join} from 'node:path';
import {withScheme} from '../domain/accounts/account.ts';
import {isFilePath, type ProfileDraft} from '../domain/accounts/profile.ts';
import {ownEntry} from '../domain/objects.ts';
import {parseAddress} from './address.ts';
import {changeConfig, type ServiceFields, withProfile, writeKeyFile} from './change-config.ts';
import {ConfigError, type ServiceAddress} from './config.ts';
import type {Profile} from './config-file.ts';
import {inHome, isTypedKey, keyFolder} from './folders.ts';
import {checkKey, type KeySource, readKey} from './key-source.ts';
import {checkName, draftOf, profilesIn, removeUnusedKey} from './saved-profiles.ts';
import type {Settings, SettingsInput} from './settings.ts';

export type PreparedProfile = {
	readonly name: string;
	readonly address: ServiceAddress;
	/** The file that a given key will be saved in. */
	readonly keyFile?: string;
};

/** A profile to save, and the one that it changes, if any. */
type NewProfile = PreparedProfile & {
	readonly replaces?: string;
	readonly fields: ServiceFields;
};

/**
 * Validates a new or changed profile and loads its key, so that the service can be checked before anything is written.
 * Throws `ConfigError` and `ConfigSourceError` with what to correct.
 */
export async function prepareProfile(
	draft: ProfileDraft,
	{env, home}: SettingsInput,
	{configFile}: Pick<Settings, 'configFile'>,
): Promise<NewProfile> {
	const saved = profilesIn(configFile);
	const before = draft.replaces === undefined ? undefined : ownEntry(saved, draft.replaces);
	if (before?.local) {
		throw new ConfigError(`profile ${draft.replaces} is for the embedded service: choose another name`);
	}
	const name = checkName(draft.name, saved, draft.replaces);
	const others = Object.entries(saved).flatMap(([one, other]) => (one === draft.replaces ? [] : [other]));
	const baseUrl = parseAddress(withScheme(draft.baseUrl), 'the address');
	const ownApp = withScheme(draft.appUrl);
	const appUrl = ownApp ? parseAddress(ownApp, 'the app address') : baseUrl;
	const value = draft.value.trim();
	// The form only keeps a command.
	const keyCommand = before?.keyCommand ?? '';
	const typedBefore = before?.keyFile && isTypedKey(before.keyFile, configFile) ? before.keyFile : undefined;
	const key =
		draft.keyFrom !== 'typed'
			? await readKey(sourceOf(draft, keyCommand, env, home), env)
			: value === '' && typedBefore !== undefined
				? await readKey({kind: 'file', file: typedBefore}, env)
				: checkKey(value, 'the field');
	const keyFields = {
		typed: {keyFile: freeKeyFile(join(keyFolder(configFile), name), home, others)},
		file: {keyFile: value},
		command: {keyCommand},
		environment: {},
	} satisfies Readonly<Record<ProfileDraft['keyFrom'], ServiceFields>>;
	return {
		name,
		replaces: before && draft.replaces,
		...(draft.keyFrom === 'typed' && value !== '' && keyFields.typed),
		address: {baseUrl, appUrl, key, keyAdvice: ''},
		fields: {baseUrl, appUrl: appUrl === baseUrl ? undefined : appUrl, ...keyFields[draft.keyFrom]},
	};
}

/**
 * Saves a prepared profile. Writes a typed key to a separate file: the configuration never contains the key
 * itself. The file of a typed key that is replaced is removed.
 */
export function saveProfile(
	{name, replaces, address, fields}: NewProfile,
	{keyFrom}: Pick<ProfileDraft, 'keyFrom'>,
	configFile: string,
): void {
	if (keyFrom === 'typed' && fields.keyFile !== undefined) writeKeyFile(fields.keyFile, address.key);
	const before = replaces === undefined ? undefined : ownEntry(profilesIn(configFile), replaces);
	changeConfig(configFile, config => withProfile(config, name, fields, replaces));
	removeUnusedKey(before?.keyFile, configFile);
}

/**
 * A saved profile with a new key, or the path of a file with one, to try it before `save`. Throws `ConfigError` and
 * `ConfigSourceError`.
 */
export async function prepareNewKey(
	name: string,
	text: string,
	input: SettingsInput,
	{configFile}: Pick<Settings, 'configFile'>,
): Promise<PreparedProfile & {readonly save: () => void}> {
	const keyFrom = isFilePath(text) ? 'file' : 'typed';
	const draft = {...draftOf(name, configFile), keyFrom, value: text} as const;
	const prepared = await prepareProfile(draft, input, {configFile});
	return {...prepared, save: () => saveProfile(prepared, draft, configFile)};
}

/** The file for a typed key; another one if it holds the key of another profile. */
function freeKeyFile(file: string, home: string, others: readonly Profile[]): string {
	const taken = others.map(({keyFile}) => keyFile && inHome(keyFile, home));
	const numbered = taken.map((_, index) => `${file}-${index + 2}`);
	return [file, ...numbered].find(one => !taken.includes(one)) ?? file;
}

function sourceOf(
	{keyFrom, value}: ProfileDraft,
	keyCommand: string | readonly string[],
	env: SettingsInput['env'],
	home: string,
): KeySource {
	const text = value.trim();
	if (keyFrom === 'command') return {kind: 'command', command: keyCommand};
	if (keyFrom === 'file') {
		const file = inHome(text, home);
		if (!isAbsolute(file)) throw new ConfigError('the key file needs a full path, such as ~/keys/acme');
		return {kind: 'file', file};
	}
	return {kind: 'environment', key: checkKey(env.QUARTERDECK_API_KEY ?? '', 'QUARTERDECK_API_KEY')};
}

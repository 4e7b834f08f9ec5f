import {randomBytes} from 'node:crypto';
import {existsSync, realpathSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {makeFolder} from '../../hooks/runtime-folder.ts';
import {localProfile} from '../domain/accounts/profile.ts';
import type {ThemeName} from '../domain/display.ts';
import {ifPossible} from '../domain/if-possible.ts';
import {ownEntry} from '../domain/objects.ts';
import {ConfigSourceError} from './config.ts';
import {readConfigFile, readConfigText} from './config-file.ts';
import {refuseForeignParent} from './ownership.ts';
import type {Secret} from './secret.ts';

/** The raw configuration, including keys only other releases know. */
type ConfigText = {readonly [name: string]: unknown};

/**
 * Changes or creates the configuration file, atomically and with mode 0600. Follows a symbolic link.
 * Preserves key order and indentation. Throws `ConfigSourceError`, also if the current file can't be read,
 * which then stays unchanged.
 */
export function changeConfig(file: string, change: (before: ConfigText) => ConfigText): void {
	refuseForeignParent(file);
	const before = existsSync(file) ? readValidText(file) : undefined;
	const indent = /^[\t ]+(?=")/m.exec(before ?? '')?.[0] ?? '\t';
	const after = change(before === undefined ? {} : JSON.parse(before));
	writePrivate(file, `${JSON.stringify(after, undefined, indent)}\n`);
}

/** Sets the theme: in the profile if it has its own, otherwise for all profiles. */
export function withTheme(before: ConfigText, profile: string, theme: ThemeName): ConfigText {
	const profiles = profilesOf(before);
	const own = ownEntry(profiles, profile);
	if (own?.theme === undefined) return {...before, theme};
	return {...before, profiles: {...profiles, [profile]: {...own, theme}}};
}

export type ServiceFields = {
	readonly baseUrl?: string;
	readonly appUrl?: string;
	readonly keyFile?: string;
	readonly keyCommand?: string | readonly string[];
};

/**
 * Adds a profile, or changes `replaces`, which keeps its other settings and its place; without `service`, it only gets
 * the name.
 */
export function withProfile(
	before: ConfigText,
	name: string,
	service: ServiceFields | undefined,
	replaces?: string,
): ConfigText {
	const profiles = Object.entries(profilesOf(before));
	const isChange = profiles.some(([one]) => one === replaces);
	if (!isChange) profiles.push([name, {}]);
	const changedName = isChange ? replaces : name;
	const changed = (own: ConfigText): ConfigText => {
		const {baseUrl: _, appUrl: __, keyFile: ___, keyCommand: ____, ...others} = own;
		return service ? {...service, ...others} : own;
	};
	const after = profiles.map(([one, own]) => (one === changedName ? [name, changed(own)] : [one, own]));
	const isDefault = isChange && before.profile === replaces;
	return {...before, profile: isDefault ? name : before.profile, profiles: Object.fromEntries(after)};
}

/** Removes a profile. If it was the default, none is. */
export function withoutProfile(before: ConfigText, name: string): ConfigText {
	const {[name]: _, ...profiles} = profilesOf(before);
	if (before.profile !== name) return {...before, profiles};
	const {profile: __, ...others} = before;
	return {...others, profiles};
}

function profilesOf(before: ConfigText): Readonly<Record<string, ConfigText>> {
	return (before.profiles ?? {}) as Readonly<Record<string, ConfigText>>;
}

export function withLocal(before: ConfigText): ConfigText {
	const profiles = profilesOf(before);
	return {
		...before,
		profiles: {...profiles, [localProfile]: profiles[localProfile] ?? {local: true}},
	};
}

export function writeKeyFile(file: string, key: Secret): void {
	writePrivate(file, `${key.reveal()}\n`);
}

function readValidText(file: string): string {
	// Throws for an invalid file, with the position of the error.
	readConfigFile(file);
	return readConfigText(file);
}

function writePrivate(file: string, text: string): void {
	const target = existsSync(file) ? realpathSync(file) : file;
	const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
	try {
		makeFolder(dirname(target), 0o700);
		writeFileSync(temporary, text, {mode: 0o600, flag: 'wx', flush: true});
		renameSync(temporary, target);
	} catch (cause) {
		ifPossible(() => rmSync(temporary, {force: true}));
		const {code} = cause as NodeJS.ErrnoException;
		const problem = `${file} can't be written (${code}): check its folder's permissions and the disk`;
		throw new ConfigSourceError(problem, {cause});
	}
}

import {randomBytes} from 'node:crypto';
import {existsSync, realpathSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {makeFolder} from '../../hooks/make-folder.ts';
import {readRegularFile} from '../../hooks/regular-file.ts';
import type {ThemeName} from '../domain/display.ts';
import {localProfile} from '../domain/profile.ts';
import {ConfigSourceError} from './config-error.ts';
import {readConfigFile} from './config-file.ts';
import type {Secret} from './secret.ts';

/** The configuration as it is written, keys that another release knows included. */
export type ConfigText = {readonly [name: string]: unknown};

/**
 * Changes the configuration file, or makes it: whole or not at all, readable by its owner alone. A link stays one. Keys
 * keep their order and the text its indentation. Throws `ConfigSourceError`, also when the file as it is can't be read:
 * then nothing is lost in it.
 */
export function changeConfig(file: string, change: (before: ConfigText) => ConfigText): void {
	const before = existsSync(file) ? readText(file) : undefined;
	const indent = /^[\t ]+(?=")/m.exec(before ?? '')?.[0] ?? '\t';
	const after = change(before === undefined ? {} : JSON.parse(before));
	writePrivate(file, `${JSON.stringify(after, undefined, indent)}\n`);
}

/** The configuration with another theme: in the profile that names one for itself, else for all. */
export function withTheme(before: ConfigText, profile: string, theme: ThemeName): ConfigText {
	const profiles = (before.profiles ?? {}) as Readonly<Record<string, ConfigText>>;
	const own = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
	if (own?.theme === undefined) return {...before, theme};
	return {...before, profiles: {...profiles, [profile]: {...own, theme}}};
}

/** The configuration in which the embedded service is opened when nothing else is asked for. */
export function withLocal(before: ConfigText): ConfigText {
	const profiles = (before.profiles ?? {}) as Readonly<Record<string, ConfigText>>;
	return {
		...before,
		profile: before.profile ?? localProfile,
		profiles: {...profiles, [localProfile]: profiles[localProfile] ?? {local: true}},
	};
}

/** Puts a key in a file of its own. */
export function writeKeyFile(file: string, key: Secret): void {
	writePrivate(file, `${key.reveal()}\n`);
}

function readText(file: string): string {
	// What is wrong in it is said with its position.
	readConfigFile(file);
	return readRegularFile(file).replace(/^\uFEFF/, '');
}

function writePrivate(file: string, text: string): void {
	const target = existsSync(file) ? realpathSync(file) : file;
	const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
	try {
		makeFolder(dirname(target), 0o700);
		writeFileSync(temporary, text, {mode: 0o600, flag: 'wx', flush: true});
		renameSync(temporary, target);
	} catch (cause) {
		removeQuietly(temporary);
		const {code} = cause as NodeJS.ErrnoException;
		throw new ConfigSourceError(`${file} can't be written (${code}): check its folder's mode and the disk`, {
			cause,
		});
	}
}

/** Where nothing can be written there may be nothing to remove, and no folder to look for it in. */
function removeQuietly(file: string): void {
	try {
		rmSync(file, {force: true});
	} catch {
		// The write has told why.
	}
}

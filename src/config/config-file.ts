import {z} from 'zod';
import {NotAFileError, readRegularFile} from '../../hooks/regular-file.ts';
import {parseByteCount} from '../domain/byte-count.ts';
import {themeNames} from '../domain/display.ts';
import {profileName} from '../domain/profile.ts';
import {parseQuietHours} from '../domain/quiet-hours.ts';
import {ConfigSourceError} from './config-error.ts';
import {jsonErrorOffset, jsonPathOffset, positionAt} from './json-position.ts';
import {readKeyChoices} from './key-choices.ts';

const text = z.string().min(1);
/** Drafts, the outbox and what is open must have room. */
const minStorage = 50e6;

/** How things are shown (`DisplayPreferences`): for all profiles, or for one. */
const display = {
	theme: z.enum(themeNames).optional(),
	screenReader: z.boolean().optional(),
	reducedMotion: z.boolean().optional(),
	ascii: z.boolean().optional(),
};

/** What the user is called for, and when, for all profiles or for one. */
const calls = {
	/** When nobody is called: `22:00-07:30`. */
	quietHours: text
		.refine(hours => parseQuietHours(hours) !== undefined, {
			message: 'not a time range such as 22:00-07:30',
		})
		.optional(),
	/** Also when an agent has done what it was asked. */
	callWhenDone: z.boolean().optional(),
};

/** One profile. Unknown keys are kept: another release may know them. */
const profile = z
	.looseObject({
		baseUrl: text.optional(),
		appUrl: text.optional(),
		/** File that holds the key, readable by its owner alone. `~/` is the home folder. */
		keyFile: text.optional(),
		/** Command that prints the key: words run as they are, or a line for `sh -c`. */
		keyCommand: z.union([text, z.tuple([text], z.string())]).optional(),
		local: z.boolean().optional(),
		agent: text.optional(),
		statusProbe: z.enum(['off', 'manual', 'auto']).optional(),
		...calls,
		...display,
	})
	.refine(({keyFile, keyCommand}) => !keyFile || !keyCommand, {
		message: 'keyFile and keyCommand are both set: remove one',
	});

const fileSchema = z.looseObject({
	/** Name of the profile to use when none is asked for. */
	profile: text.optional(),
	profiles: z.record(z.string().regex(profileName(), 'is not a valid profile name'), profile).optional(),
	...calls,
	...display,
	/** Keys by action. */
	keys: z.unknown().transform(readKeyChoices).optional(),
	/** Does the program take the mouse? */
	mouse: z.boolean().optional(),
	/** What the database of each account may take before cached messages are let go: `2 GB`. */
	storageLimit: text
		.refine(size => (parseByteCount(size) ?? 0) >= minStorage, {
			message: 'not a size such as 2 GB (at least 50 MB)',
		})
		.optional(),
});

export type Profile = z.infer<typeof profile>;
export type ConfigFile = z.infer<typeof fileSchema>;
export type DisplayFields = Pick<Profile, keyof typeof display>;

/** Reads the configuration file. Throws `ConfigSourceError` with the file and the position of what is wrong in it. */
export function readConfigFile(file: string): ConfigFile {
	const source = readText(file);
	const result = fileSchema.safeParse(parseJson(file, source));
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	const path = issue?.path ?? [];
	const position = positionAt(source, jsonPathOffset(source, path));
	throw new ConfigSourceError(`${file}:${position}: ${path.join('.') || 'the file'}: ${issue?.message}`);
}

/** Settings in the file that no one reads, each as `4:3 profiles.acme.keyfile`: another release's, or misspelt. */
export function unknownSettings(file: string): string[] {
	const source = readText(file);
	const whole = fileSchema.parse(parseJson(file, source));
	const known = {file: new Set(Object.keys(fileSchema.shape)), profile: new Set(Object.keys(profile.shape))};
	const paths = [
		...Object.keys(whole)
			.filter(name => !known.file.has(name))
			.map(name => [name]),
		...Object.entries(whole.profiles ?? {}).flatMap(([profileOf, fields]) =>
			Object.keys(fields)
				.filter(name => !known.profile.has(name))
				.map(name => ['profiles', profileOf, name]),
		),
	];
	return paths.map(path => `${positionAt(source, jsonPathOffset(source, path))} ${path.join('.')}`);
}

function readText(file: string): string {
	try {
		return readRegularFile(file).replace(/^\uFEFF/, '');
	} catch (cause) {
		const {code} = cause as NodeJS.ErrnoException;
		if (cause instanceof NotAFileError)
			throw new ConfigSourceError(`${cause.message}: replace it with a file`, {cause});
		throw new ConfigSourceError(`${file} can't be read (${code}): check its mode and its folder's`, {cause});
	}
}

function parseJson(file: string, source: string): unknown {
	try {
		return JSON.parse(source);
	} catch (_cause) {
		const position = positionAt(source, jsonErrorOffset(source));
		throw new ConfigSourceError(`${file}:${position}: not valid JSON`);
	}
}

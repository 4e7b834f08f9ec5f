import {z} from 'zod';
import {NotAFileError, readRegularFile} from '../../hooks/regular-file.ts';
import type {KeyChoices} from '../domain/accounts/key-choices.ts';
import {profileName} from '../domain/accounts/profile.ts';
import {parseByteCount} from '../domain/byte-count.ts';
import {themeNames} from '../domain/display.ts';
import {parseQuietHours} from '../domain/sessions/attention.ts';
import {parseCreditPrice} from '../domain/usage/credit-price.ts';
import {ConfigError, ConfigSourceError} from './config-error.ts';
import {jsonErrorOffset, jsonPathOffset, positionAt} from './json-position.ts';
import {refuseForeign, refuseForeignParent} from './ownership.ts';

const anyObject = z.record(z.string(), z.unknown());
const choice = z.union([z.string(), z.array(z.string()), z.null()]);

/**
 * Parses `keys` of the configuration file: `{"archive": "ctrl+x", "palette": [":", "f2"], "quit": null}`.
 * Reports and skips invalid entries: a mistake there must not keep the screen from opening.
 */
function readKeyChoices(value: unknown): KeyChoices {
	const entries = anyObject.safeParse(value);
	if (!entries.success)
		return {
			byAction: new Map(),
			problems: ['keys must be an object of actions, such as {"archive": "ctrl+x"}'],
		};
	const byAction = new Map<string, readonly string[]>();
	const problems: string[] = [];
	for (const [action, keys] of Object.entries(entries.data)) {
		const read = choice.safeParse(keys);
		if (!read.success)
			problems.push(`${action}: use a string for one key, a list for several, or null for none`);
		else byAction.set(action, read.data === null ? [] : [read.data].flat());
	}
	return {byAction, problems};
}

const text = z.string().min(1);
/** Minimum storage limit, bytes: drafts, the outbox and open sessions must fit. */
const minStorage = 50e6;

/** Display settings (`DisplayPreferences`), for all profiles or one. */
const display = {
	theme: z.enum(themeNames).optional(),
	screenReader: z.boolean().optional(),
	reducedMotion: z.boolean().optional(),
	ascii: z.boolean().optional(),
};

/** Settings of notifications, reading and usage, for all profiles or one. */
const preferences = {
	/** Hours without notifications: `22:00-07:30`. */
	quietHours: text
		.refine(hours => parseQuietHours(hours) !== undefined, {
			message: 'not a time range such as 22:00-07:30',
		})
		.optional(),
	/** Notify also when an agent has finished. */
	callWhenDone: z.boolean().optional(),
	/** Whether a session needs the user once its agent is done, until they have read its answer. */
	unreadNeedsYou: z.boolean().optional(),
	/** Whether new sessions of the embedded service get a git work tree of their own, where possible. */
	worktree: z.boolean().optional(),
	/** What one credit costs, for the Usage view: `0.002 USD`. */
	creditPrice: text
		.refine(price => parseCreditPrice(price) !== undefined, {message: 'not a price such as 0.002 USD'})
		.optional(),
	/** Minutes without a key press after which a summary of what happened meanwhile opens; 0: never. */
	awaySummary: z.number().int().min(0).max(100_000).optional(),
	/** Requests a second in all, beyond which reading sessions in the background waits. */
	pollBudget: z.number().min(0.1).max(50).optional(),
};

/** One profile. Unknown keys are kept: another release may know them. */
const profile = z
	.looseObject({
		baseUrl: text.optional(),
		appUrl: text.optional(),
		/** File with the key, readable only by its owner. `~/` is the home folder. */
		keyFile: text.optional(),
		/** Command that prints the key: an argument list, run without a shell, or a line for `sh -c`. */
		keyCommand: z.union([text, z.tuple([text], z.string())]).optional(),
		local: z.boolean().optional(),
		agent: text.optional(),
		statusProbe: z.enum(['off', 'manual', 'auto']).optional(),
		...preferences,
		...display,
	})
	.refine(({keyFile, keyCommand}) => !keyFile || !keyCommand, {
		message: 'keyFile and keyCommand are both set: remove one',
	});

const fileSchema = z.looseObject({
	/** Name of the profile to use when none is named. */
	profile: text.optional(),
	profiles: z.record(z.string().regex(profileName(), 'is not a valid profile name'), profile).optional(),
	...preferences,
	...display,
	/** Keys by action. */
	keys: z.unknown().transform(readKeyChoices).optional(),
	/** Whether the program captures the mouse. */
	mouse: z.boolean().optional(),
	/** Seconds without a client and without work after which the embedded service ends; 0: never. */
	serviceIdle: z.number().int().min(0).max(1_000_000).optional(),
	/** Size limit of each account's database, beyond which cached messages are deleted: `2 GB`. */
	storageLimit: text
		.refine(size => (parseByteCount(size) ?? 0) >= minStorage, {
			message: 'not a size such as 2 GB (at least 50 MB)',
		})
		.optional(),
});

export type Profile = z.infer<typeof profile>;
export type ConfigFile = z.infer<typeof fileSchema>;
export type DisplayFields = Pick<Profile, keyof typeof display>;

/** Reads the configuration file. Throws `ConfigError` with the position of a wrong value, and `ConfigSourceError`. */
export function readConfigFile(file: string): ConfigFile {
	const source = readConfigText(file);
	const result = fileSchema.safeParse(parseJson(file, source));
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	const path = issue?.path ?? [];
	const position = positionAt(source, jsonPathOffset(source, path));
	throw new ConfigError(`${file}:${position}: ${path.join('.') || 'the file'}: ${issue?.message}`);
}

/** Unknown settings in the file, each as `4:3 profiles.acme.keyfile`: another release's, or misspelled. */
export function unknownSettings(file: string): string[] {
	const source = readConfigText(file);
	const config = fileSchema.parse(parseJson(file, source));
	const known = {file: new Set(Object.keys(fileSchema.shape)), profile: new Set(Object.keys(profile.shape))};
	const paths = [
		...Object.keys(config)
			.filter(name => !known.file.has(name))
			.map(name => [name]),
		...Object.entries(config.profiles ?? {}).flatMap(([profileOf, fields]) =>
			Object.keys(fields)
				.filter(name => !known.profile.has(name))
				.map(name => ['profiles', profileOf, name]),
		),
	];
	return paths.map(path => `${positionAt(source, jsonPathOffset(source, path))} ${path.join('.')}`);
}

/** Reads the file without its byte order mark; refuses one that others can change. Throws `ConfigSourceError`. */
export function readConfigText(file: string): string {
	refuseForeignParent(file);
	try {
		return readRegularFile(file, stat => refuseForeign(file, stat)).replace(/^\uFEFF/, '');
	} catch (cause) {
		if (cause instanceof ConfigSourceError) throw cause;
		const {code} = cause as NodeJS.ErrnoException;
		if (cause instanceof NotAFileError)
			throw new ConfigSourceError(`${cause.message}: replace it with a file`, {cause});
		throw new ConfigSourceError(`${file} can't be read (${code}): check its permissions and its folder's`, {
			cause,
		});
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

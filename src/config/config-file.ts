import {findNodeAtLocation, type ParseError, parseTree} from 'jsonc-parser';
import {z} from 'zod';
import {NotAFileError, readRegularFile} from '../../hooks/regular-file.ts';
import type {KeyChoices} from '../domain/accounts/key-choices.ts';
import {profileName} from '../domain/accounts/profile.ts';
import {colorNames, parseColor, themeNames} from '../domain/display.ts';
import {nearest} from '../domain/nearest.ts';
import {parseByteCount, parseCreditPrice} from '../domain/numbers.ts';
import {parseQuietHours} from '../domain/sessions/attention.ts';
import {ConfigError, ConfigSourceError} from './config.ts';
import {refuseForeign, refuseForeignParent} from './ownership.ts';
import {schemaWords} from './schema-words.ts';

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

const ownColors = z.record(z.string(), z.string()).superRefine((colors, context) => {
	for (const [name, text] of Object.entries(colors)) {
		const isKnown = colorNames.some(known => known === name);
		if (isKnown && parseColor(text) !== undefined) continue;
		const message = isKnown
			? 'not #rrggbb or a name such as bright-blue'
			: `not one of ${colorNames.join(', ')}`;
		context.addIssue({code: 'custom', path: [name], message});
	}
});

/** Display settings (`DisplayPreferences`), for all profiles or one. `help configuration` has the descriptions. */
const display = {
	theme: z.enum(themeNames).optional().describe('see Themes and accessibility (default: `"auto"`)'),
	colors: ownColors
		.optional()
		.describe(
			'colors in place of the theme\'s, such as `{"accent": "#ff8700"}`; see Themes and accessibility',
		),
	screenReader: z.boolean().optional().describe('one column of text in reading order (default: `false`)'),
	reducedMotion: z.boolean().optional().describe('no animations (default: `false`)'),
	ascii: z.boolean().optional().describe('draws with ASCII only (default: if the terminal lacks Unicode)'),
};

/** Settings of notifications, reading and usage, for all profiles or one. */
const preferences = {
	quietHours: text
		.refine(hours => parseQuietHours(hours) !== undefined, {
			message: 'not a time range such as 22:00-07:30',
		})
		.optional()
		.describe('no notifications at these hours, such as `"22:00-07:30"`'),
	callWhenDone: z.boolean().optional().describe('also notifies you when an agent is done (default: `false`)'),
	notifyCommand: z
		.tuple([text], z.string())
		.optional()
		.describe(
			'program to run for each notification, without a shell, such as `["~/bin/my-notify", "-v"]`; see Notifications',
		),
	unreadNeedsYou: z
		.boolean()
		.optional()
		.describe('a session with an unread answer needs you (default: `true`)'),
	continueWords: text.optional().describe('text that tells a failed agent to go on (default: `"continue"`)'),
	worktree: z
		.boolean()
		.optional()
		.describe('a new session in a git repository gets its own worktree (default: `false`)'),
	creditPrice: text
		.refine(price => parseCreditPrice(price) !== undefined, {message: 'not a price such as 0.002 USD'})
		.optional()
		.describe('shows in Usage what credits cost, such as `"0.002 USD"`'),
	awaySummary: z
		.number()
		.int()
		.min(0)
		.max(100_000)
		.optional()
		.describe('minutes without a key until "While you were away" opens; 0: never (default: `30`)'),
	pollBudget: z
		.number()
		.min(0.1)
		.max(50)
		.optional()
		.describe(
			'the most requests a second for background reading; unset, the embedded service gets `20` (default: `2`)',
		),
};

/** One profile. Unknown keys are kept: another release may know them. */
const profile = z
	.looseObject({
		baseUrl: text.optional().describe('address of the service'),
		appUrl: text.optional().describe('address of readiness reports, if it differs'),
		keyFile: text.optional().describe('file with the key, readable only by you; `~/` is the home folder'),
		keyCommand: z
			.union([text, z.tuple([text], z.string())])
			.optional()
			.describe('command that prints the key: a list of arguments, or a line for `sh -c`'),
		local: z.boolean().optional().describe('uses the embedded service (default: `false`)'),
		agent: text
			.optional()
			.describe(
				'agent of new sessions in the embedded service; see `quarterdeck help agents` (default: `"shell"`)',
			),
		statusProbe: z
			.enum(['off', 'manual', 'auto'])
			.optional()
			.describe(
				'asks a hosted service for the status of silent turns: `off`, `manual` or `auto` (default: `"auto"`)',
			),
		...preferences,
		...display,
	})
	.refine(({keyFile, keyCommand}) => !keyFile || !keyCommand, {
		message: 'keyFile and keyCommand are both set: remove one',
	});

const commands = z.record(text, text);

const fileSchema = z.looseObject({
	profile: text.optional().describe('the default profile; see `quarterdeck help accounts`'),
	profiles: z
		.record(z.string().regex(profileName, 'is not a valid profile name'), profile)
		.optional()
		.describe('the profiles by name'),
	...preferences,
	...display,
	keys: z
		.unknown()
		.transform(readKeyChoices)
		.optional()
		.describe('your keys by action; see `quarterdeck help keys`'),
	mouse: z.boolean().optional().describe('clicks, wheel and dragging work (default: `true`)'),
	serviceIdle: z
		.number()
		.int()
		.min(0)
		.max(1_000_000)
		.optional()
		.describe('seconds without clients and work until the embedded service ends; 0: never (default: `60`)'),
	worktreeSetup: z
		.custom<Readonly<Record<string, string>>>(value => commands.safeParse(value).success, {
			message: 'not an object of folders and commands, such as {"~/shop": "npm ci"}',
		})
		.optional()
		.describe(
			'what `sh` runs in a new worktree of a repository on this machine, by its folder, such as `{"~/shop": "npm ci"}`',
		),
	storageLimit: text
		.refine(size => (parseByteCount(size) ?? 0) >= minStorage, {
			message: 'not a size such as 2 GB (at least 50 MB)',
		})
		.optional()
		.describe('size of an account\'s database beyond which cached messages are deleted (default: `"2 GB"`)'),
});

export const settingShapes = {file: fileSchema.shape, profile: profile.shape};

export type Profile = z.infer<typeof profile>;
export type ConfigFile = z.infer<typeof fileSchema> & {
	/** Unknown settings, and those left out because their value is wrong, each as `FILE:4:3: mouse: what is wrong`. */
	readonly mistakes?: readonly string[];
};
export type DisplayFields = Pick<Profile, keyof typeof display>;

/** Settings without which the rest works. A wrong address, key or profile could reach the wrong service. */
const canBeLeftOut = new Set([
	...Object.keys({...preferences, ...display}),
	'mouse',
	'serviceIdle',
	'storageLimit',
	'worktreeSetup',
]);

/** Reads the configuration file. Throws `ConfigError` with the position of a wrong value, and `ConfigSourceError`. */
export function readConfigFile(file: string): ConfigFile {
	const source = readConfigText(file);
	const config = parseJson(file, source);
	const mistake = (path: readonly PropertyKey[], what: string) =>
		`${file}:${positionAt(source, jsonPathOffset(source, path))}: ${path.join('.') || 'the file'}: ${what}`;
	const result = fileSchema.safeParse(config, {error: schemaWords});
	const wrong = (result.error?.issues ?? []).map(({path, message}) => {
		const name = path.at(-1);
		const isColor = path.at(-2) === 'colors';
		if (typeof name !== 'string' || !(isColor || canBeLeftOut.has(name)))
			throw new ConfigError(mistake(path, message));
		const holder = path.slice(0, -1).reduce((value, key) => anyObject.parse(value)[String(key)], config);
		Reflect.deleteProperty(holder as object, name);
		return mistake(path, message);
	});
	const read = result.data ?? fileSchema.parse(config);
	const unknown = unknownSettings(read).map(({path, known}) => mistake(path, unknownText(path, known)));
	const mistakes = [...wrong, ...unknown];
	return mistakes.length === 0 ? read : {...read, mistakes};
}

type Unknown = {readonly path: readonly string[]; readonly known: readonly string[]};

/** Settings that are another release's, or misspelled, and the names that are known in their place. */
function unknownSettings({profiles = {}, ...file}: z.infer<typeof fileSchema>): Unknown[] {
	const unknownIn = (fields: object, shape: object, above: readonly string[]): Unknown[] => {
		const known = Object.keys(shape);
		return Object.keys(fields).flatMap(name =>
			known.includes(name) ? [] : [{path: [...above, name], known}],
		);
	};
	return [
		...unknownIn(file, settingShapes.file, []),
		...Object.entries(profiles).flatMap(([name, fields]) =>
			unknownIn(fields, settingShapes.profile, ['profiles', name]),
		),
	];
}

function unknownText(path: readonly string[], known: readonly string[]): string {
	const meant = nearest(path.at(-1) ?? '', known);
	return `there is no such setting${meant === undefined ? '' : `; did you mean ${meant}?`}`;
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

/** The offset of the first error in JSON: `JSON.parse` gives none for short texts. */
export function jsonErrorOffset(text: string): number | undefined {
	const errors: ParseError[] = [];
	parseTree(text, errors, {disallowComments: true});
	return errors[0]?.offset;
}

/**
 * The offset of the value at a path in valid JSON, or of its key if it is an object's property. If part of
 * the path is missing, the offset of its nearest existing ancestor.
 */
export function jsonPathOffset(text: string, path: readonly PropertyKey[]): number {
	const root = parseTree(text);
	if (!root) return 0;
	for (let depth = path.length; depth > 0; depth--) {
		const node = findNodeAtLocation(root, path.slice(0, depth) as (string | number)[]);
		if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
	}
	return root.offset;
}

/** Line and column of an offset, both from 1: `4:12`. */
export function positionAt(text: string, offset: number | undefined): string {
	const before = text.slice(0, offset).split('\n');
	return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

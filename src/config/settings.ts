import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {noKeyChoices} from '../domain/accounts/key-choices.ts';
import {
	defaultProfile,
	type EnvironmentAddress,
	localProfile,
	profileName,
} from '../domain/accounts/profile.ts';
import {
	type DisplayPreferences,
	type OwnColors,
	parseColor,
	type ThemeName,
	themeNames,
} from '../domain/display.ts';
import {parseByteCount, parseCreditPrice} from '../domain/numbers.ts';
import {ownEntry} from '../domain/objects.ts';
import {parseQuietHours} from '../domain/sessions/attention.ts';
import {parseAddress} from './address.ts';
import {type Config, ConfigError} from './config.ts';
import type {ConfigFile, DisplayFields, Profile} from './config-file.ts';
import {configFile, type Environment, inHome, isTypedKey, stateFolder} from './folders.ts';
import {type KeySource, keyVariable, readKey} from './key-source.ts';
import {refuseForeignFolder} from './ownership.ts';
import {Secret} from './secret.ts';

/** Sources of the settings: flags override the environment, which overrides the configuration file. */
export type SettingsInput = {
	readonly flags: {readonly local?: boolean; readonly profile?: string} & DisplayFlags;
	readonly env: Environment;
	/** Home folder of the user, absolute. */
	readonly home: string;
	readonly signal?: AbortSignal;
	/** The configuration file, if it was read already. */
	readonly file?: ConfigFile;
};

/** The configuration before the key is loaded from its source, which may prompt the user. */
export type Settings = Omit<Config, 'service'> & {
	readonly configFile: string;
	/** Commands for new worktrees, by the folder of their repository. */
	readonly worktreeSetup: Readonly<Record<string, string>>;
	/** Set in `remote` mode. */
	readonly remote?: {
		readonly baseUrl: string;
		readonly appUrl: string;
		readonly environmentAddress?: EnvironmentAddress;
		/** Absent if no key is set: no request can be made then. */
		readonly keySource?: KeySource;
	};
};

const defaultStorageLimit = 2e9;
/** Minutes. */
const defaultAwaySummary = 30;
/** Seconds. */
const defaultServiceIdle = 60;
/** Requests a second. The embedded service limits none. */
const defaultPollBudget = {local: 20, remote: 2};

/** Combines flags, environment and file. Throws `ConfigError` and `ConfigSourceError`. */
export async function readSettings(input: SettingsInput): Promise<Settings> {
	const {flags, env, home} = input;
	const path = configFile(env, home);
	const file = await readConfiguration(input);
	const name = chooseProfile({flags, env, file, path});
	if (!profileName.test(name)) throw new ConfigError(`${name} is not a valid profile name`);
	const profile: Profile = file.profiles?.[name] ?? {};
	const state = stateFolder(env, home);
	refuseForeignFolder(state);
	const creditPrice = parseCreditPrice(profile.creditPrice ?? file.creditPrice ?? '');
	const quietHours = parseQuietHours(profile.quietHours ?? file.quietHours ?? '');
	const isLocal = flags.local === true || profile.local === true;
	const remote = isLocal ? undefined : readRemote(profile, env, home);
	return {
		profile: name,
		mode: isLocal ? 'local' : remote ? 'remote' : 'none',
		remote,
		stateFolder: state,
		promptFolder: join(dirname(path), 'prompts'),
		storageLimit: parseByteCount(file.storageLimit ?? '') ?? defaultStorageLimit,
		agent: profile.agent ?? (isLocal ? localAgent(file, env) : undefined) ?? 'shell',
		worktree: profile.worktree ?? file.worktree ?? false,
		statusProbe: profile.statusProbe ?? 'auto',
		display: readDisplay(flags, env, profile, file),
		keys: file.keys ?? noKeyChoices,
		mouse: file.mouse ?? true,
		quietHours,
		creditPrice,
		callWhenDone: profile.callWhenDone ?? file.callWhenDone ?? false,
		notifyCommand: (profile.notifyCommand ?? file.notifyCommand)?.map((word, index) =>
			index === 0 ? inHome(word, home) : word,
		),
		continueWords: profile.continueWords ?? file.continueWords ?? 'continue',
		unreadNeedsYou: profile.unreadNeedsYou ?? file.unreadNeedsYou ?? true,
		awaySummary: profile.awaySummary ?? file.awaySummary ?? defaultAwaySummary,
		pollBudget: profile.pollBudget ?? file.pollBudget ?? defaultPollBudget[isLocal ? 'local' : 'remote'],
		serviceIdle: file.serviceIdle ?? defaultServiceIdle,
		worktreeSetup: Object.fromEntries(
			Object.entries(file.worktreeSetup ?? {}).map(([folder, command]) => [inHome(folder, home), command]),
		),
		configFile: path,
		mistakes: file.mistakes ?? [],
	};
}

/** The configuration file, empty if there is none. Throws `ConfigError` and `ConfigSourceError`. */
export async function readConfiguration({file, env, home}: SettingsInput): Promise<ConfigFile> {
	const path = configFile(env, home);
	if (file || !existsSync(path)) return file ?? {};
	return (await import('./config-file.ts')).readConfigFile(path);
}

/**
 * The agent of the profile that `--local` stands for: the configured one, if it uses the embedded service, or the only
 * one that does.
 */
function localAgent(file: ConfigFile, env: Environment): string | undefined {
	const locals = Object.entries(file.profiles ?? {}).filter(([, {local}]) => local);
	const configured = env.QUARTERDECK_PROFILE || file.profile;
	const [, profile] =
		locals.find(([name]) => name === configured) ?? (locals.length === 1 ? locals : [])[0] ?? [];
	return profile?.agent;
}

/** The profile of a start that names none: the default, or one of that name, or the first service. */
export function defaultOf({profile, profiles = {}}: ConfigFile): string {
	if (profile !== undefined || Object.hasOwn(profiles, defaultProfile)) return profile ?? defaultProfile;
	const names = Object.keys(profiles);
	return names.find(name => !profiles[name]?.local) ?? names[0] ?? defaultProfile;
}

type ProfileChoice = Pick<SettingsInput, 'flags' | 'env'> & {
	readonly file: ConfigFile;
	readonly path: string;
};

/** Chooses the profile. `--local` alone means the profile `local`, which separates its data from other services'. */
function chooseProfile({flags, env, file, path}: ProfileChoice): string {
	// An address in the environment overrides a default profile that uses the embedded service.
	const byDefault = defaultOf(file);
	const configured =
		env.QUARTERDECK_BASE_URL && file.profiles?.[byDefault]?.local ? defaultProfile : byDefault;
	const named = flags.local ? localProfile : env.QUARTERDECK_PROFILE || configured;
	const name = flags.profile ?? named;
	const profile = ownEntry(file.profiles ?? {}, name);
	if (flags.local && flags.profile !== undefined && !profile?.local) {
		throw new ConfigError(`--local and --profile ${name} can't be used together`);
	}
	const isBuiltIn = name === defaultProfile || (flags.local && name === localProfile);
	if (!profile && !isBuiltIn) {
		const known = Object.keys(file.profiles ?? {}).join(', ') || 'none';
		if (name === localProfile)
			throw new ConfigError(`${path} has no profile ${name}: use --local for the embedded service`);
		throw new ConfigError(`there is no profile ${name} in ${path}, which has: ${known}`);
	}
	return name;
}

function readRemote(profile: Profile, env: Environment, home: string): Settings['remote'] {
	const keySource = findKeySource(profile, env, home);
	const base = env.QUARTERDECK_BASE_URL || undefined;
	const app = env.QUARTERDECK_APP_URL || undefined;
	if (!base && !profile.baseUrl) {
		// Only a key in the environment: the first screen asks for the address.
		const isPartlySet = keySource?.kind === 'file' || keySource?.kind === 'command' || app || profile.appUrl;
		if (!isPartlySet) return undefined;
		throw new ConfigError('no service address: set QUARTERDECK_BASE_URL, or baseUrl in the profile');
	}
	const baseUrl = parseAddress(base ?? profile.baseUrl ?? '', base ? 'QUARTERDECK_BASE_URL' : 'baseUrl');
	const ownApp = base && !app ? undefined : (app ?? profile.appUrl);
	const appUrl = ownApp ? parseAddress(ownApp, app ? 'QUARTERDECK_APP_URL' : 'appUrl') : baseUrl;
	if (keySource && keySource.kind !== 'environment') guardOrigins(profile, [baseUrl, appUrl]);
	return {
		baseUrl,
		appUrl,
		keySource,
		environmentAddress: base ? replacing(profile.baseUrl, baseUrl) : undefined,
	};
}

/** The environment's address; `own` is the profile's, without a password that it may have. */
function replacing(own: string | undefined, baseUrl: string): EnvironmentAddress {
	const url = own === undefined ? null : URL.parse(own);
	const address = url && url.origin + url.pathname.replace(/\/$/, '');
	return address === null || address === baseUrl ? {} : {own: address};
}

function findKeySource(profile: Profile, env: Environment, home: string): KeySource | undefined {
	const key = env[keyVariable];
	if (key) return {kind: 'environment', key: new Secret(key)};
	if (profile.keyFile) return {kind: 'file', file: inHome(profile.keyFile, home)};
	if (profile.keyCommand) return {kind: 'command', command: profile.keyCommand};
	return undefined;
}

/** Ensures that a profile's key is sent only to the profile's own hosts: the environment can't redirect it. */
function guardOrigins(profile: Profile, addresses: readonly string[]): void {
	const own = [profile.baseUrl, profile.appUrl].flatMap(url => (url ? [new URL(url).origin] : []));
	if (addresses.every(address => own.includes(new URL(address).origin))) return;
	throw new ConfigError(
		`the address in the environment differs from the profile's, and the profile's key is sent only to its own address: set ${keyVariable} too`,
	);
}

/**
 * Loads the settings and the key. Throws `ConfigError` (also in `remote` mode without a key) and
 * `ConfigSourceError`.
 */
export async function loadConfig(input: SettingsInput): Promise<Config> {
	return withKey(await readSettings(input), input.env, input.signal);
}

export async function withKey(
	settings: Settings,
	env: SettingsInput['env'],
	signal?: AbortSignal,
): Promise<Config> {
	const {remote, configFile, ...config} = settings;
	if (!remote) return config;
	const {keySource, ...addresses} = remote;
	const {baseUrl} = addresses;
	if (!keySource) {
		throw new ConfigError(
			`no key for ${baseUrl}: set ${keyVariable}, or keyFile or keyCommand in ${configFile}`,
		);
	}
	if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
		throw new ConfigError(
			'NODE_TLS_REJECT_UNAUTHORIZED=0 would let anyone on the network read the key: unset it (NODE_EXTRA_CA_CERTS adds a certificate authority)',
		);
	}
	const key = await readKey(keySource, env, signal);
	const service = {
		...addresses,
		key,
		keyFrom: keySource.kind,
		keyAdvice: keyAdvice(keySource),
		keyFile:
			keySource.kind === 'file' && !isTypedKey(keySource.file, configFile) ? keySource.file : undefined,
	};
	return {...config, service};
}

/** The settings as a configuration without a key, for commands that may not need the service. */
export function withoutKey({remote: _, configFile: __, ...config}: Settings): Config {
	return config;
}

/** What to do when the service rejects the key, depending on where the key comes from. */
function keyAdvice(source: KeySource): string {
	switch (source.kind) {
		case 'environment':
			return `Set ${keyVariable} to a valid key and start again.`;
		case 'file':
			return `Put a valid key in ${source.file} and try again.`;
		case 'command':
			return `Make the key command print a valid key and try again: ${commandText(source.command)}`;
	}
}

function commandText(command: string | readonly string[]): string {
	return typeof command === 'string' ? command : command.join(' ');
}

export type DisplayFlags = {
	readonly theme?: string;
	readonly screenReader?: boolean;
	readonly reducedMotion?: boolean;
	readonly ascii?: boolean;
};

/**
 * Reads the display settings: flags override the environment, then the profile, then the file's top level.
 * Throws `ConfigError`.
 */
export function readDisplay(
	flags: DisplayFlags,
	env: Environment,
	profile: DisplayFields,
	file: DisplayFields,
): DisplayPreferences {
	const theme = named('--theme', flags.theme) ?? named('QUARTERDECK_THEME', env.QUARTERDECK_THEME);
	const ascii = flags.ascii ?? profile.ascii ?? file.ascii;
	return {
		theme: theme ?? profile.theme ?? file.theme ?? (refusesColors(env) ? 'none' : 'auto'),
		ownColors: ownColors(profile.colors ?? file.colors),
		screenReader:
			flags.screenReader ??
			readBoolean(env.INK_SCREEN_READER) ??
			profile.screenReader ??
			file.screenReader ??
			false,
		reducedMotion: flags.reducedMotion ?? profile.reducedMotion ?? file.reducedMotion ?? false,
		ascii,
	};
}

function ownColors(colors: DisplayFields['colors']): OwnColors | undefined {
	return colors && Object.fromEntries(Object.entries(colors).map(([name, text]) => [name, parseColor(text)]));
}

function named(from: string, name: string | undefined): ThemeName | undefined {
	if (!name) return undefined;
	const found = themeNames.find(theme => theme === name);
	if (found) return found;
	throw new ConfigError(`${from} is ${name}: the themes are ${themeNames.join(', ')}`);
}

/** Whether NO_COLOR applies (no-color.org): this program's own settings and `FORCE_COLOR` override it. */
function refusesColors({NO_COLOR, FORCE_COLOR}: Environment): boolean {
	return Boolean(NO_COLOR) && FORCE_COLOR === undefined;
}

/** Parses Ink's INK_SCREEN_READER variable: `true` or `1`. */
function readBoolean(value: string | undefined): boolean | undefined {
	return value ? value === 'true' || value === '1' : undefined;
}

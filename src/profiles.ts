import {done, type Result} from './actions/result.ts';
import {ForbiddenError, isServiceError} from './api/errors.ts';
import type {Config} from './config/config.ts';
import {ConfigError, ConfigSourceError} from './config/config-error.ts';
import {configFile} from './config/folders.ts';
import {keyVariable} from './config/key-source.ts';
import {withKey} from './config/load-config.ts';
import {inputFor, listProfiles} from './config/profiles.ts';
import {readSettings, type SettingsInput} from './config/settings.ts';
import {isStorageError} from './db/storage-error.ts';
import {localProfile, type ProfileEntry} from './domain/accounts/profile.ts';
import {JoinError, joinAccounts as mergeAccounts} from './join-accounts.ts';
import type {Profiles} from './ui/profiles.ts';
import {Wiring} from './wiring.ts';

export type ProfilesOptions = {
	/** The flags and environment the program was started with. */
	readonly input: SettingsInput;
	readonly config: Config;
	/** Replaces the open configuration; `between` runs after the open one has saved its drafts. */
	readonly open: (config: Config, between?: () => Promise<void>) => Promise<void>;
	/** Gives the terminal to `run`, which may prompt the user. */
	readonly handOver: (run: () => Promise<void>) => Promise<void>;
	readonly notify: (tone: 'info' | 'good' | 'bad', text: string) => void;
	/** Reports an unexpected error, which is a bug. */
	readonly crash: (error: unknown) => void;
};

/**
 * The profiles of one run of the program. Only one can be opened at a time; concurrent requests are refused.
 */
export function createProfiles(options: ProfilesOptions): Profiles {
	const {input, open, handOver, notify, crash} = options;
	const file = configFile(input.env, input.home);
	let config = options.config;
	/** The profile that the environment's key and address belong to. */
	let owner = config.profile;
	let isSwitching = false;

	const openEntry = (): ProfileEntry => ({
		name: config.profile,
		isLocal: config.mode === 'local',
		...(config.service && {address: config.service.baseUrl}),
		...(config.service?.keyFrom && {keyFrom: config.service.keyFrom}),
	});

	async function load(name: string): Promise<Config> {
		const own = await inputFor(input, name, owner);
		const settings = await readSettings(own);
		if (settings.remote?.keySource?.kind !== 'command') return withKey(settings, own.env);
		const loaded = Promise.withResolvers<Config>();
		// A password manager may ask for its own password.
		await handOver(() => withKey(settings, own.env).then(loaded.resolve, loaded.reject));
		return loaded.promise;
	}

	async function switchTo(name: string, between?: () => Promise<void>): Promise<Result<undefined>> {
		if (isSwitching) return {isDone: false, what: 'Another profile is being opened'};
		isSwitching = true;
		try {
			const next = await load(name);
			await open(next, between);
			config = next;
			return done(undefined);
		} catch (error) {
			return expected(error);
		} finally {
			isSwitching = false;
		}
	}

	async function joinAccounts(into: string, from: string): Promise<void> {
		const {openDatabase} = await import('./db/open-database.ts');
		const {openMachine} = await import('./accounts.ts');
		const machine = openMachine(config.stateFolder);
		try {
			mergeAccounts(machine, config.stateFolder, {into, from}, openDatabase);
		} finally {
			machine.close();
		}
	}

	/** Opens the local profile even if the configuration file can't be written. */
	async function workLocally(note: string): Promise<Result<undefined>> {
		const {changeConfig, withLocal} = await import('./config/change-config.ts');
		let failure: Result<never> | undefined;
		try {
			changeConfig(file, withLocal);
		} catch (error) {
			failure = expected(error);
		}
		const opened = await switchTo(localProfile);
		if (opened.isDone && !failure) notify('info', note);
		return opened.isDone ? (failure ?? opened) : opened;
	}

	return {
		hasEnvironmentKey: Boolean(input.env[keyVariable]),
		async list() {
			try {
				return done(await listProfiles(input, openEntry()));
			} catch (error) {
				return expected(error);
			}
		},
		switchTo(name) {
			notify('info', `Opening ${name}`);
			switchTo(name).then(result => {
				if (!result.isDone) notify('bad', result.what);
			}, crash);
		},
		joinAccounts(into, from) {
			switchTo(config.profile, () => joinAccounts(into, from)).then(result => {
				if (result.isDone) notify('good', 'Accounts joined');
				else notify('bad', result.what);
			}, crash);
		},
		workLocally(note) {
			workLocally(note).then(result => {
				if (!result.isDone) notify('bad', result.what);
			}, crash);
		},
		async connect(draft, signal) {
			const {prepareProfile, saveProfile} = await import('./config/new-profile.ts');
			try {
				const place = {configFile: file};
				const prepared = await prepareProfile(draft, input, place);
				await ask({...config, mode: 'remote', service: prepared.address}, signal);
				if (signal.aborted) return cancelled;
				saveProfile(prepared, draft, file);
				if (draft.keyFrom === 'environment') owner = prepared.name;
				const opened = await switchTo(prepared.name);
				if (opened.isDone)
					notify('good', `Connected to ${prepared.address.baseUrl}, profile ${prepared.name}`);
				return opened;
			} catch (error) {
				if (signal.aborted) return cancelled;
				return expected(error);
			}
		},
		async saveTheme(theme) {
			const {changeConfig, withTheme} = await import('./config/change-config.ts');
			try {
				changeConfig(file, before => withTheme(before, config.profile, theme));
				return done(undefined);
			} catch (error) {
				return expected(error);
			}
		},
	};
}

const cancelled = {isDone: false, what: 'Canceled: nothing was saved'} as const;

/**
 * Sends one small request to check that the service responds and accepts the key. Throws what the call
 * throws.
 */
async function ask(config: Config, signal: AbortSignal): Promise<void> {
	const wiring = new Wiring(config, {retries: 0});
	try {
		await (await wiring.connect()).users.list({limit: 1}, {signal});
	} catch (error) {
		// The key is valid but may not list users.
		if (!(error instanceof ForbiddenError)) throw error;
	} finally {
		await wiring.close();
	}
}

/** The message of an error the user can act on. Rethrows anything else: it is a bug. */
function expected(error: unknown): Result<never> {
	if (isServiceError(error)) return {isDone: false, what: error.what, hint: error.hint};
	const isExpected =
		error instanceof ConfigError ||
		error instanceof ConfigSourceError ||
		isStorageError(error) ||
		error instanceof JoinError;
	if (isExpected) return {isDone: false, what: error.message};
	throw error;
}

import {done, type Result} from '../actions/notify.ts';
import {askForService} from '../api/ask-for-service.ts';
import {
	isServiceError,
	MalformedError,
	NotFoundError,
	RedirectError,
	type ServiceError,
	UnauthorizedError,
	UnreachableError,
} from '../api/errors.ts';
import {type Config, ConfigError, ConfigSourceError} from '../config/config.ts';
import {configFile, keyFolder} from '../config/folders.ts';
import {keyVariable} from '../config/key-source.ts';
import type {PreparedProfile} from '../config/new-profile.ts';
import {inputFor, listProfiles, saveLastProfile} from '../config/profiles.ts';
import {readSettings, type SettingsInput, withKey} from '../config/settings.ts';
import type {Machine} from '../db/database.ts';
import {isStorageError} from '../db/file/storage-error.ts';
import {localProfile, type ProfileDraft, type ProfileEntry} from '../domain/accounts/profile.ts';
import type {ThemeName} from '../domain/display.ts';
import type {Profiles} from '../ui/profiles.ts';
import {Wiring} from '../wiring.ts';
import {strings} from './strings.ts';

type Prepared = PreparedProfile & {readonly save: () => void};

type ProfilesOptions = {
	/** The flags and environment the program was started with. */
	readonly input: SettingsInput;
	readonly config: Config;
	readonly open: (config: Config) => Promise<void>;
	/** Gives the terminal to `run`, which may prompt the user. */
	readonly handOver: (run: () => Promise<void>) => Promise<void>;
	readonly notify: (tone: 'info' | 'good' | 'bad', text: string) => void;
	/** Reports an unexpected error, which is a bug. */
	readonly crash: (error: unknown) => void;
};

/** The profiles of one run of the program. Opens one at a time; requests meanwhile are refused. */
export class ProgramProfiles implements Profiles {
	readonly hasEnvironmentKey: boolean;
	readonly keyFolder: string;
	readonly #options: ProfilesOptions;
	readonly #file: string;
	#config: Config;
	/** The profile that the environment's key and address belong to; none once it has a key source of its own. */
	#owner: string | undefined;
	#opening: string | undefined;

	constructor(options: ProfilesOptions) {
		const {input, config} = options;
		this.hasEnvironmentKey = Boolean(input.env[keyVariable]);
		this.#options = options;
		this.#file = configFile(input.env, input.home);
		this.keyFolder = keyFolder(this.#file);
		this.#config = config;
		this.#owner = config.profile;
	}

	get opening(): string | undefined {
		return this.#opening;
	}

	list(): Promise<Result<readonly ProfileEntry[]>> {
		const {profile, mode, service} = this.#config;
		const open: ProfileEntry = {
			name: profile,
			isLocal: mode === 'local',
			address: service?.baseUrl,
			keyFrom: service?.keyFrom,
			keyFile: service?.keyFile,
		};
		return resultOf(() => listProfiles(this.#options.input, open));
	}

	switchTo(name: string): void {
		this.#options.notify('info', strings.profiles.opening(name));
		this.#report(this.#open(name));
	}

	reopenWithNewKey(): void {
		const {profile, service} = this.#config;
		if (service?.keyFrom !== 'file' || this.#opening !== undefined) return;
		const reopen = async () => {
			const read = await resultOf(() => this.#load(profile));
			const now = read.isDone ? read.value.service : undefined;
			const isNew = now?.baseUrl === service.baseUrl && now.key.reveal() !== service.key.reveal();
			if (isNew && this.#config.service === service) this.switchTo(profile);
		};
		reopen().catch(this.#options.crash);
	}

	openAccount(id: string | undefined): void {
		const choose = async (config: Config) => {
			const {service} = config;
			if (!service) return;
			const {chooseAccount} = await import('../accounts.ts');
			await this.#withMachine(machine => chooseAccount(machine, config, service, id));
		};
		this.#report(this.#open(this.#config.profile, choose));
	}

	async #withMachine<T>(use: (machine: Machine) => T): Promise<T> {
		const {openMachine} = await import('../account-files.ts');
		const machine = openMachine(this.#config.stateFolder);
		try {
			return use(machine);
		} finally {
			machine.close();
		}
	}

	/** Opens the local profile even if the configuration file can't be written. */
	workLocally(note: string): void {
		const open = async () => {
			const {changeConfig, withLocal} = await import('../config/change-config.ts');
			const saved = await resultOf(() => void changeConfig(this.#file, withLocal));
			const opened = await this.#open(localProfile);
			if (opened.isDone && saved.isDone) this.#options.notify('info', note);
			return opened.isDone ? saved : opened;
		};
		this.#report(open());
	}

	connect(draft: ProfileDraft, signal: AbortSignal): Promise<Result<undefined>> {
		return this.#openOnceAccepted(() => this.#prepare(draft), signal);
	}

	change(draft: ProfileDraft, signal: AbortSignal): Promise<Result<undefined>> {
		const opens = draft.replaces === this.#config.profile;
		return this.#openOnceAccepted(() => this.#prepare(draft), signal, opens);
	}

	async draftOf(name: string): Promise<Result<ProfileDraft>> {
		const {draftOf} = await import('../config/saved-profiles.ts');
		return resultOf(() => draftOf(name, this.#file));
	}

	async remove(name: string): Promise<Result<readonly string[]>> {
		const {removeProfile} = await import('../config/saved-profiles.ts');
		return resultOf(async () => {
			const accounts = await this.#withMachine(machine => machine.accounts.all());
			removeProfile(name, this.#file);
			return accounts.filter(({profile}) => profile === name).map(({id}) => id);
		});
	}

	async makeDefault(name: string | undefined): Promise<Result<undefined>> {
		const {makeDefault} = await import('../config/saved-profiles.ts');
		return resultOf(() => {
			makeDefault(name, this.#file);
			return undefined;
		});
	}

	async replaceKey(name: string, key: string, signal: AbortSignal): Promise<Result<undefined>> {
		const {prepareNewKey} = await import('../config/new-profile.ts');
		const {input} = this.#options;
		return this.#openOnceAccepted(() => prepareNewKey(name, key, input, {configFile: this.#file}), signal);
	}

	async #prepare(draft: ProfileDraft): Promise<Prepared> {
		const {prepareProfile, saveProfile} = await import('../config/new-profile.ts');
		const prepared = await prepareProfile(draft, this.#options.input, {configFile: this.#file});
		return {
			...prepared,
			save: () => {
				saveProfile(prepared, draft, this.#file);
				if (draft.keyFrom === 'environment') this.#owner = prepared.name;
				else if (draft.replaces === this.#owner) this.#owner = undefined;
			},
		};
	}

	/** Asks the service of a profile. If it accepts the key, saves the profile and, unless told otherwise, opens it. */
	async #openOnceAccepted(
		prepare: () => Promise<Prepared>,
		signal: AbortSignal,
		opens = true,
	): Promise<Result<undefined>> {
		const result = await resultOf(async () => {
			const prepared = await prepare();
			await checkKey({...this.#config, mode: 'remote', service: prepared.address}, signal);
			signal.throwIfAborted();
			prepared.save();
			return prepared;
		}).catch(error => {
			if (!signal.aborted) throw error;
			return canceled;
		});
		if (!result.isDone) return signal.aborted ? canceled : result;
		const {name, keyFile} = result.value;
		const opened = opens ? await this.#open(name) : done(undefined);
		const {connected, saved} = strings.profiles;
		if (opened.isDone) this.#options.notify('good', opens ? connected(name, keyFile) : saved(name, keyFile));
		return opened;
	}

	async saveTheme(theme: ThemeName): Promise<Result<undefined>> {
		const {changeConfig, withTheme} = await import('../config/change-config.ts');
		const {profile} = this.#config;
		return resultOf(() => void changeConfig(this.#file, before => withTheme(before, profile, theme)));
	}

	/** Opens a profile in place of the open one. `prepare` gets its configuration first. */
	async #open(name: string, prepare?: (config: Config) => Promise<void>): Promise<Result<undefined>> {
		if (this.#opening !== undefined) return {isDone: false, what: strings.profiles.isOpening};
		this.#opening = name;
		try {
			return await resultOf(async () => {
				const config = await this.#load(name);
				await prepare?.(config);
				await this.#options.open(config);
				if (name !== this.#config.profile) saveLastProfile(config.stateFolder, name);
				this.#config = config;
				return undefined;
			});
		} finally {
			this.#opening = undefined;
		}
	}

	async #load(name: string): Promise<Config> {
		const input = await inputFor(this.#options.input, name, this.#owner);
		const settings = await readSettings(input);
		if (settings.remote?.keySource?.kind !== 'command') return withKey(settings, input.env);
		const loaded = Promise.withResolvers<Config>();
		// A password manager may ask for its own password.
		await this.#options.handOver(() => withKey(settings, input.env).then(loaded.resolve, loaded.reject));
		return loaded.promise;
	}

	/** Notifies the user if it fails. */
	#report(opening: Promise<Result<undefined>>): void {
		const {notify, crash} = this.#options;
		opening.then(result => {
			if (!result.isDone) notify('bad', result.what);
		}, crash);
	}
}

const canceled = {isDone: false, what: strings.profiles.canceled} as const;

/** Checks that the service responds and accepts the key; throws what that throws. */
async function checkKey(config: Config, signal: AbortSignal): Promise<void> {
	const wiring = new Wiring(config, {retries: 0});
	try {
		await askForService(await wiring.connect(), signal);
	} finally {
		await wiring.close();
	}
}

/** The part of a profile that an error is about. */
function fieldOf(error: ServiceError): {readonly field?: 'baseUrl' | 'key'} {
	if (error instanceof UnauthorizedError) return {field: 'key'};
	const isOfAddress = [UnreachableError, RedirectError, NotFoundError, MalformedError].some(
		one => error instanceof one,
	);
	return isOfAddress ? {field: 'baseUrl'} : {};
}

/** The result of `run`, or the message of an error the user can act on. Rethrows any other error: it is a bug. */
async function resultOf<T>(run: () => Promise<T> | T): Promise<Result<T>> {
	try {
		return done(await run());
	} catch (error) {
		if (isServiceError(error)) {
			const {what, hint} = error;
			return {isDone: false, what, hint, ...fieldOf(error)};
		}
		const isExpected =
			error instanceof ConfigError || error instanceof ConfigSourceError || isStorageError(error);
		if (isExpected) return {isDone: false, what: error.message};
		throw error;
	}
}

import {homedir} from 'node:os';
import {dirname} from 'node:path';
import type {ActionContext} from '../actions/context.ts';
import {createFileFinder, createFolderFinder} from '../actions/find-files.ts';
import {done} from '../actions/notify.ts';
import {createCommandFinder, createPromptFinder} from '../actions/saved-prompts.ts';
import {isServiceError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {Config} from '../config/config.ts';
import {userName} from '../config/user-name.ts';
import {analyticsOrganization} from '../db/analytics.ts';
import type {Database, Machine} from '../db/database.ts';
import {unlessStorageFails} from '../db/file/storage-error.ts';
import type {Account} from '../domain/accounts/account.ts';
import {systemClock} from '../domain/clock.ts';
import {folderOf} from '../domain/known.ts';
import {localFolder} from '../embedded-service.ts';
import {createHookHintStore, type HookSetup} from '../state/hook-setup.ts';
import {createListBuilder} from '../state/lists/lists.ts';
import type {Stores} from '../state/stores.ts';
import type {DisplayStore} from '../state/view/display.ts';
import {createViewStore} from '../state/view/view.ts';
import type {Engine} from '../sync/engine.ts';
import type {OrganizationReader} from '../sync/organization/organization-reader.ts';
import {createSearcher} from '../sync/search/searcher.ts';
import {withTranscripts} from '../sync/transcripts/search-transcripts.ts';
import type {Terminal} from '../term/terminal.ts';
import {createAway} from '../ui/away.ts';
import {createKeyMap} from '../ui/bindings.ts';
import {createCaches} from '../ui/caches.ts';
import {createComposerStore} from '../ui/composer/composers.ts';
import {createDraftSaver} from '../ui/composer/draft-saver.ts';
import {createFormStore, type FormStore} from '../ui/dialogs/form/form-state.ts';
import type {KeyMap} from '../ui/keys/key-map.ts';
import {createTicker} from '../ui/kit/ticker.ts';
import type {MouseInput} from '../ui/mouse/gesture.ts';
import type {Profiles} from '../ui/profiles.ts';
import {screenInput} from '../ui/screen-input.ts';
import {throttledStores} from '../ui/throttled-stores.ts';
import type {AppParts, Program, UserFolders} from '../ui/use-app.ts';
import type {Wiring} from '../wiring.ts';
import {lastKeyIn} from './initial-view.ts';

export type AppShared = {
	readonly terminal: Terminal;
	readonly display: DisplayStore;
	readonly mouse: MouseInput;
	readonly profiles: Profiles;
	/** What was typed into canceled forms. */
	readonly keptForms: FormStore['kept'];
	readonly userFolders: UserFolders;
	/** Ends the program; agents of the embedded service go on. */
	readonly quit: () => void;
	/** The account that the new key in the environment may open; no account's data is shown until the user says so. */
	readonly newKey?: Account;
};

type PartsOptions = {
	readonly config: Config;
	readonly shared: AppShared;
	readonly wiring: Wiring;
	readonly database: Database;
	readonly account: Account;
	readonly stores: Stores;
	readonly engine: Engine;
	/** Called when another program gives the terminal back. */
	readonly onReturn: () => void;
	/** Called at each key and click: the terminal has the focus, even if it doesn't report so. */
	readonly onFocus: () => void;
};

/** How long quitting waits for the service to say whether agents are at work, ms. */
const quitTime = 1000;

/** Creates the screen's parts: its own stores, and the engine's, throttled to one update a frame. Starts nothing. */
export function createParts(options: PartsOptions): AppParts {
	const {config, shared, wiring, database, account} = options;
	const {display, mouse, profiles, keptForms, userFolders, quit, newKey} = shared;
	const {profile, mode, service, agent, creditPrice, promptFolder, worktree} = config;
	const keys = createKeyMap(config.keys);
	const actions = createActions(options, keys);
	const stores = throttledStores(options.stores, systemClock);
	const view = createViewStore();
	const median = (name: string) => database.durations.median(name);
	const listBuilder = createListBuilder(config.unreadNeedsYou, median);
	const composers = createComposerStore();
	const findPrompts = createPromptFinder(systemClock.now);
	const findCommands = createCommandFinder(wiring.service, systemClock.now);
	/** The folder of a session that works on this machine: a path of another machine names nothing here. */
	const folderHere = (id: string) => {
		const {sessions, computers} = stores.fleet.getState();
		const known = sessions.get(id);
		const computer = computers.get(known?.session?.computerId ?? known?.computerId ?? '')?.computer;
		return mode === 'local' && computer && !computer.host ? folderOf(known) : undefined;
	};
	const away = createAway({
		stores,
		listBuilder,
		view,
		composers,
		clock: systemClock,
		minutes: config.awaySummary,
		lastKey: lastKeyIn(database),
	});
	return {
		stores,
		view,
		listBuilder,
		away: {
			...away,
			active: isFocused => {
				away.active(isFocused);
				if (isFocused) options.onFocus();
			},
		},
		composers,
		drafts: createDraftSaver(actions, composers),
		forms: createFormStore(keptForms, account.id),
		display,
		keys,
		mouse,
		zones: new Map(),
		ticker: createTicker(systemClock, () => display.getState().hasReducedMotion),
		actions,
		median,
		profile: {
			name: profile,
			host: account.address === undefined ? undefined : new URL(account.address).host,
			organizationName: () => organizationOf(account, database),
			agent: mode === 'local' ? agent : undefined,
			newKey,
			keyFrom: service?.keyFrom,
			keyFile: service?.keyFile,
			environmentAddress: service?.environmentAddress,
			creditPrice,
			worktree,
			continueWords: config.continueWords,
			mistakes: [...config.mistakes, ...keys.problems.map(problem => `keys: ${problem}`)],
			isConnected: mode !== 'none',
		},
		program: {
			profiles,
			userName: userName(),
			...startFolder(),
			userFolders,
			quit,
			...agentsOf(config, wiring.service),
		},
		completion: {
			files: createFileFinder(systemClock.now),
			folderOf: id => folderHere(id) ?? process.cwd(),
			foldersOn: createFolderFinder(wiring.service, systemClock.now),
			promptsOf(id, arrived) {
				const saved = findPrompts({folders: [promptFolder], workFolder: folderHere(id)}, arrived) ?? [];
				const names = new Set(saved.map(({name}) => name));
				return [...saved, ...(findCommands(id, arrived) ?? []).filter(({name}) => !names.has(name))];
			},
		},
		hooks: lazyHooks(() => wiring.machine(), config.stateFolder),
		creating: new Set(),
		undos: [],
		screen: {size: {columns: 80, rows: 24}},
		caches: createCaches(),
		input: screenInput,
		interruptedAt: Number.NEGATIVE_INFINITY,
	};
}

/** The organization's name, from the token or the analytics; the embedded service has none. */
function organizationOf({kind, organization}: Account, {settings}: Database): string | undefined {
	if (kind === 'local' || organization !== undefined) return organization;
	const name = unlessStorageFails(() => settings.get(analyticsOrganization));
	return typeof name === 'string' ? name : undefined;
}

function startFolder(): Pick<Program, 'folder'> {
	try {
		const folder = process.cwd();
		return folder === homedir() || dirname(folder) === folder ? {} : {folder};
	} catch {
		// The current folder was removed.
		return {};
	}
}

/** The agents of the embedded service, if that is the open one. */
function agentsOf(config: Config, {runningService}: Service): Pick<Program, 'agentsAtWork' | 'endAgents'> {
	return {
		async agentsAtWork() {
			if (config.mode !== 'local') return 0;
			const {findService} = await import('../reach-service.ts');
			// Whether one that doesn't answer has agents isn't known: they go on.
			const running = await findService(localFolder(config), quitTime).catch(() => undefined);
			return running?.agentsAtWork ?? 0;
		},
		async endAgents() {
			try {
				await runningService.stop('now');
				return done(undefined);
			} catch (error) {
				if (!isServiceError(error)) throw error;
				return {isDone: false, what: error.what};
			}
		},
	};
}

function createActions(
	{wiring, database, stores, engine, shared, onReturn}: PartsOptions,
	keys: KeyMap,
): ActionContext {
	const {service} = wiring;
	const {drafts, history, messages, analytics} = database;
	const {terminal} = shared;
	return {
		service,
		engine,
		stores,
		clock: systemClock,
		drafts,
		history,
		copy: text => terminal.copy(text),
		search: createSearcher(withTranscripts(messages, stores.fleet.getState), systemClock),
		organization: lazyOrganization(async () => {
			const {createOrganizationReader} = await import('../sync/organization/organization-reader.ts');
			const store = stores.organization;
			return createOrganizationReader({service, analytics, store, clock: systemClock});
		}),
		handOver: run => terminal.handOver(run).finally(onReturn),
		keyName: keys.label,
	};
}

/** Setting of the machine's database: the user has dismissed the hint that hooks are missing. */
const dismissedHooks = 'hooksDismissed';

/** The clients' settings, whose code is loaded after the first frame. */
function lazyHooks(machine: () => Promise<Machine>, stateFolder: string): HookSetup {
	const hint = createHookHintStore();
	return {
		hint,
		async look() {
			const {settings} = await machine();
			const isDismissed = unlessStorageFails(() => settings.get(dismissedHooks)) === true;
			const {lookForHooks} = await import('./hook-files.ts');
			const {isMissing, problem} = lookForHooks();
			hint.setState({isShown: isMissing && !isDismissed, problem}, true);
		},
		async dismiss(isDismissed) {
			const {settings} = await machine();
			unlessStorageFails(() => settings.put(dismissedHooks, isDismissed));
		},
		async plan(what) {
			const {planHooks} = await import('./hook-files.ts');
			return planHooks(what, stateFolder, systemClock.now);
		},
	};
}

/** An organization reader that is loaded on first use: most runs never open the organization views. */
function lazyOrganization(load: () => Promise<OrganizationReader>): OrganizationReader {
	let loaded: Promise<OrganizationReader> | undefined;
	return {
		read(...what) {
			let isEnded = false;
			let stop: (() => void) | undefined;
			loaded ??= load();
			void loaded.then(reader => {
				if (!isEnded) stop = reader.read(...what);
			});
			return () => {
				isEnded = true;
				stop?.();
			};
		},
	};
}

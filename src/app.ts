import {randomId} from '../hooks/random-id.ts';
import type {Doubt} from './accounts.ts';
import type {ActionContext} from './actions/context.ts';
import {createFileFinder} from './actions/find-files.ts';
import {createPromptFinder} from './actions/saved-prompts.ts';
import type {Config} from './config/config.ts';
import {userName} from './config/user-name.ts';
import {analyticsOrganization} from './db/analytics.ts';
import type {Database, Machine} from './db/database.ts';
import {unlessStorageFails} from './db/storage-error.ts';
import {type Account, accountName} from './domain/accounts/account.ts';
import {failureOf} from './domain/computers/failure.ts';
import {type Subject, subjectKey} from './domain/sessions/attention.ts';
import {adoptLocalComputers, type RunningLocalService} from './embedded-service.ts';
import {
	lastKeyIn,
	openRequested,
	persistLists,
	restoreView,
	type StartRequest,
	saveView,
} from './initial-view.ts';
import {createKeyMap, type KeyMap, keyProblemsText} from './keys/key-map.ts';
import {computerNotices, incidentNotices, storageNotice} from './state/change-notices.ts';
import {reportSkew} from './state/connection.ts';
import {type Dialog, pushDialog} from './state/dialogs.ts';
import type {DisplayStore} from './state/display.ts';
import {createHookHintStore, type HookSetup} from './state/hook-setup.ts';
import {createListBuilder} from './state/lists.ts';
import {addNotice, type Notice} from './state/notices.ts';
import {createStores, type Stores} from './state/stores.ts';
import {createViewStore} from './state/view.ts';
import {systemClock} from './sync/core/clock.ts';
import {problemOf} from './sync/core/problem.ts';
import {Engine} from './sync/engine.ts';
import {localProbeInterval} from './sync/fleet/status-probe.ts';
import type {OrganizationReader} from './sync/organization/organization-reader.ts';
import {createSearcher} from './sync/search/searcher.ts';
import {withTranscripts} from './sync/search/with-transcripts.ts';
import type {Terminal} from './term/terminal.ts';
import {createAway} from './ui/away.ts';
import {createCaches} from './ui/caches.ts';
import {createComposerStore} from './ui/composer/composers.ts';
import {createDraftSaver} from './ui/composer/draft-saver.ts';
import {createFormStore} from './ui/dialogs/form/form-state.ts';
import {forgottenElsewhere} from './ui/forgotten.ts';
import {createTicker} from './ui/kit/ticker.ts';
import {computersOnScreen, openComputer, streamsOnScreen} from './ui/layout-now.ts';
import type {MouseInput} from './ui/mouse/mouse-input.ts';
import {createNotifications, type Notifications} from './ui/notifications.ts';
import type {Profiles} from './ui/profiles.ts';
import {createReadMarker} from './ui/read-marker.ts';
import {screenInput} from './ui/screen-input.ts';
import {throttledStores} from './ui/throttled-stores.ts';
import type {AppParts} from './ui/use-app.ts';
import {Wiring} from './wiring.ts';

/** The dialog that asks whether a new key belongs to a known account. */
function joinQuestion(account: Account, {other, why}: Doubt): Dialog {
	const name = accountName(other);
	const reason =
		why === 'other' ? `it can't see the data of ${name}` : `it is unclear whether it belongs to ${name}`;
	return {
		kind: 'confirm',
		title: 'Is this the same organization?',
		text: `This key is new on this machine, and ${reason}. For now it has its own account, ${account.id}, and the two share nothing. Answer yes if both belong to the same organization, or join them later: quarterdeck accounts join ${other.id} ${account.id}`,
		intent: {name: 'join-accounts', into: other.id, from: account.id},
	};
}

/** The organization's name, from the token or the analytics; reread whenever new usage data arrives. */
function watchOrganizationName(
	{kind, organization}: Account,
	{settings}: Database,
	{organization: store}: Stores,
) {
	const read = () => {
		// The embedded service has no organization.
		if (kind === 'local') return undefined;
		const analyticsName = unlessStorageFails(() => settings.get(analyticsOrganization));
		return organization ?? (typeof analyticsName === 'string' ? analyticsName : undefined);
	};
	let name = read();
	const stop = store.subscribe((now, before) => {
		if (now.usage.readAt !== before.usage.readAt) name = read();
	});
	return {get: () => name, stop};
}

/** What all apps of a program share. */
export type AppShared = {
	readonly terminal: Terminal;
	readonly display: DisplayStore;
	readonly mouse: MouseInput;
	readonly profiles: Profiles;
	/**
	 * Takes ownership of the embedded service an app started, so that it keeps running while another app is
	 * open.
	 */
	readonly adoptLocalService: (service: RunningLocalService) => void;
	/** The number of agents working in those services. */
	readonly agentsAtWork: () => number;
	/** Called when the service must be asked which account the key belongs to. */
	readonly onChecking?: () => void;
	/** Host of the service whose key is being checked; no account's data is shown meanwhile. */
	readonly checking?: string;
};

/** How long the news about the database stays, ms. */
const lastingFor = 60_000;

const takenOver = 'The program running the embedded service exited: the service now runs here';
const unanswered =
	"This key is new on this machine and the service doesn't respond: the key has its own account until the service says which one it belongs to";
const startedLate = 'The embedded service is running';

/** The parts that an app is built of, opened already. */
type Opened = {readonly wiring: Wiring; readonly database: Database; readonly account: Account};

/** The app of one configuration: its parts, wired together, and their lifecycle. */
export class AppInstance {
	/** Unique to this instance. */
	readonly id = `${process.pid}-${randomId()}`;
	readonly parts: AppParts;
	readonly #config: Config;
	readonly #wiring: Wiring;
	readonly #database: Database;
	readonly #stores = createStores();
	readonly #engine: Engine;
	readonly #terminal: Terminal;
	readonly #notifications: Notifications;
	readonly #organizationName: ReturnType<typeof watchOrganizationName>;
	readonly #stops: readonly (() => void)[];
	/** What became of connecting so far. */
	#connection: 'none' | 'refused' | 'reached' = 'none';
	#isFocused = true;
	readonly #markRead: ReturnType<typeof createReadMarker>;
	/** The failure of each computer that the user has read, by its episode. */
	readonly #readFailures = new Map<string, string>();
	#started = Promise.resolve();

	/** Opens the account of a configuration and loads its saved state; starts nothing. */
	static async open(config: Config, request: StartRequest, shared: AppShared): Promise<AppInstance> {
		const {adoptLocalService, onChecking} = shared;
		const wiring: Wiring = new Wiring(config, {
			onChecking,
			provisionsThisMachine: true,
			onLocalStart: () => app.#sayLocalStart(),
			onConnect: () => app.#onConnect(),
			adoptLocalService,
			// The engine's scheduler retries and shows on screen why and when.
			retries: 0,
			onResponse: ({skewMs}) => {
				if (skewMs !== undefined) reportSkew(app.#stores.connection, skewMs);
			},
		});
		const database = await wiring.database();
		const {account, doubt} = await wiring.account();
		const app = new AppInstance(config, shared, {wiring, database, account});
		app.#showSaved(request);
		if (doubt) app.#tellDoubt(account, doubt);
		return app;
	}

	private constructor(config: Config, shared: AppShared, {wiring, database, account}: Opened) {
		this.#config = config;
		this.#wiring = wiring;
		this.#database = database;
		this.#terminal = shared.terminal;
		this.#organizationName = watchOrganizationName(account, database, this.#stores);
		this.#engine = this.#createEngine();
		this.parts = this.#createParts(shared, account);
		this.#markRead = createReadMarker(this.parts);
		this.#notifications = this.#createNotifications(shared.terminal);
		this.#stops = this.#watch(shared.terminal);
	}

	#createEngine(): Engine {
		const {mode, statusProbe, storageLimit, pollBudget} = this.#config;
		return new Engine({
			service: this.#wiring.service,
			database: this.#database,
			stores: this.#stores,
			clock: systemClock,
			...(mode === 'local' && {reach: () => this.#wiring.reach(), probeInterval: localProbeInterval}),
			owner: this.id,
			hooks: mode === 'none' ? 'off' : {},
			answers: {stateFolder: this.#config.stateFolder},
			statusProbe,
			storageLimit,
			requestsPerSecond: pollBudget,
			onHookUpdate: update => this.#notifications.hookUpdate(update),
			onPeerWrites: () => this.parts.drafts.refresh(),
			onForgotten: id => forgottenElsewhere(this.parts, id),
			onSnoozeEnd: subject => this.#notifications.snoozeEnded(subject),
		});
	}

	#createActions(terminal: Terminal, keys: KeyMap): ActionContext {
		const {service} = this.#wiring;
		const {drafts, history, messages, analytics} = this.#database;
		return {
			service,
			engine: this.#engine,
			stores: this.#stores,
			clock: systemClock,
			drafts,
			history,
			copy: text => terminal.copy(text),
			search: createSearcher(withTranscripts(messages, this.#stores.fleet.getState), systemClock),
			organization: lazyOrganization(async () => {
				const {createOrganizationReader} = await import('./sync/organization/organization-reader.ts');
				const store = this.#stores.organization;
				return createOrganizationReader({service, analytics, store, clock: systemClock});
			}),
			// What came meanwhile is in front of the user only now.
			handOver: run => terminal.handOver(run).finally(() => this.#markSeen()),
			keyName: keys.label,
		};
	}

	#createParts(shared: AppShared, {address}: Account): AppParts {
		const {terminal, display, mouse, profiles, agentsAtWork, checking} = shared;
		const {profile, mode, service, creditPrice, promptFolder, worktree} = this.#config;
		const keys = createKeyMap(this.#config.keys);
		const actions = this.#createActions(terminal, keys);
		const stores = throttledStores(this.#stores, systemClock);
		const view = createViewStore();
		const listBuilder = createListBuilder(this.#config.unreadNeedsYou);
		const composers = createComposerStore();
		const findPrompts = createPromptFinder(systemClock.now);
		const cwdOf = (id: string) => this.#stores.fleet.getState().sessions.get(id)?.cwd;
		const away = createAway({
			stores,
			listBuilder,
			view,
			composers,
			clock: systemClock,
			minutes: this.#config.awaySummary,
			lastKey: lastKeyIn(this.#database),
		});
		return {
			stores,
			view,
			listBuilder,
			away: {
				...away,
				// Whoever presses keys is there, even if a terminal around this one never said so.
				active: () => {
					away.active();
					this.#setFocused(true);
				},
			},
			composers,
			drafts: createDraftSaver(actions, composers),
			forms: createFormStore(),
			display,
			keys,
			mouse,
			zones: new Map(),
			ticker: createTicker(systemClock, () => display.getState().isStill),
			actions,
			median: name => this.#database.durations.median(name),
			profile: {
				name: profile,
				...(address !== undefined && {host: new URL(address).host}),
				organizationName: this.#organizationName.get,
				...(mode === 'local' && {agent: this.#config.agent}),
				...(checking !== undefined && {checking}),
				...(service?.keyFrom && {keyFrom: service.keyFrom}),
				...(creditPrice && {creditPrice}),
				worktree,
				isConnected: mode !== 'none',
			},
			program: {profiles, userName: userName(), agentsAtWork, quit: () => terminal.leave(0)},
			completion: {
				files: createFileFinder(systemClock.now),
				folderOf: id => (mode === 'local' && cwdOf(id)) || process.cwd(),
				promptsOf: (id, arrived) =>
					findPrompts(
						{folders: [promptFolder], workFolder: mode === 'local' ? cwdOf(id) : undefined},
						arrived,
					),
			},
			hooks: lazyHooks(() => this.#wiring.machine(), this.#config.stateFolder),
			creating: new Set(),
			undos: [],
			screen: {size: {columns: 80, rows: 24}},
			caches: createCaches(),
			input: screenInput,
			interruptedAt: Number.NEGATIVE_INFINITY,
		};
	}

	#createNotifications(terminal: Terminal): Notifications {
		const {stores, listBuilder, view} = this.parts;
		return createNotifications({
			// Throttled stores: a burst of events is processed once per frame, as it is drawn.
			stores,
			listBuilder,
			view,
			terminal,
			isVisible: ({kind, id}) =>
				this.#isLooking &&
				(kind === 'session' ? streamsOnScreen(this.parts) : computersOnScreen(this.parts)).includes(id),
			quietHours: this.#config.quietHours,
			notifiesWhenDone: this.#config.callWhenDone,
			clock: systemClock,
		});
	}

	/** Follows everything that happens outside the screen. Returns what ends that. */
	#watch(terminal: Terminal): (() => void)[] {
		const {actions, drafts, view} = this.parts;
		const {fleet, connection, notices} = this.#stores;
		return [
			this.#notifications.stop,
			this.parts.away.start(),
			actions.search.endInSession,
			actions.search.endInAll,
			persistLists(view, this.#database.settings),
			this.#organizationName.stop,
			terminal.onFocus(focused => this.#setFocused(focused)),
			fleet.subscribe((now, before) => {
				if (now.computers === before.computers) return;
				for (const notice of computerNotices(
					before.computers,
					now.computers,
					systemClock.now(),
					() => fleet.getState().computers,
				))
					addNotice(notices, notice);
			}),
			view.subscribe(() => this.#markSeen()),
			this.#stores.streams.subscribe(() => this.#markSeen()),
			fleet.subscribe(() => this.#markSeen()),
			// The database file was replaced after a loss: rewrite the drafts, which are still in memory.
			this.#database.onChange(drafts.rewrite),
			connection.subscribe((now, before) => {
				const notice = storageNotice(before, now, connection.getState);
				const incidents = incidentNotices(before, now, connection.getState);
				const at = systemClock.now();
				for (const one of [...(notice ? [notice] : []), ...incidents])
					addNotice(notices, {...one, at, until: at + lastingFor});
			}),
			terminal.onPasteCut(length =>
				this.#notify(
					'bad',
					`The paste had ${length} characters, more than a message can hold: its end was cut off`,
				),
			),
		];
	}

	#setFocused(isFocused: boolean): void {
		if (isFocused === this.#isFocused) return;
		this.#isFocused = isFocused;
		this.#engine.setTerminalFocused(isFocused);
		this.#markSeen();
		if (!isFocused) return;
		this.parts.drafts.refresh();
		// Another program may have installed or removed them.
		void this.#lookForHooks();
	}

	/** Whether the screen is before the user: the terminal has the focus, and no other program has the terminal. */
	get #isLooking(): boolean {
		return this.#isFocused && !this.#terminal.isAway;
	}

	/**
	 * Marks the sessions on the screen as read if their newest message is shown to a user who is looking, and
	 * acknowledges the failure of a computer whose page they have opened.
	 */
	#markSeen(): void {
		this.#markRead(this.#isLooking);
		if (!this.#isLooking) return;
		const id = openComputer(this.parts.view.getState());
		const episode = failureOf(this.#stores.fleet.getState().computers.get(id ?? '')?.computer)?.episode;
		if (id !== undefined && episode !== undefined) this.#readFailure({kind: 'computer', id}, episode);
	}

	/** Acknowledges a failure when it is first read: the user may put it back. */
	#readFailure(subject: Subject, episode: string): void {
		if (this.#readFailures.get(subject.id) === episode) return;
		this.#readFailures.set(subject.id, episode);
		const mark = this.#stores.attention.getState().marks.get(subjectKey(subject));
		if (mark?.episode === episode) return;
		this.#engine.setAttentionMark({subject, episode, kind: 'acknowledged', at: systemClock.now()});
	}

	/** The first frame shows the saved state; the engine starts after it. */
	#showSaved(request: StartRequest): void {
		const {notice} = this.#database;
		if (this.parts.profile.isConnected) this.#engine.load();
		else if (notice !== undefined) this.#notify('bad', notice);
		const keyProblems = keyProblemsText(this.parts.keys);
		if (keyProblems !== undefined) this.#notify('bad', keyProblems);
		restoreView(this.parts, this.#database);
		openRequested(this.parts, request);
		this.#showCachedMessages();
	}

	/** Puts the cached messages of the session on screen into the first frame, after which the engine follows it. */
	#showCachedMessages(): void {
		const {page, shown} = this.parts.view.getState();
		if (!this.parts.profile.isConnected || page !== 'work' || shown?.kind !== 'session') return;
		const {id} = shown;
		const stream = this.#engine.preview(id);
		if (stream) this.#stores.streams.setState({open: new Map([[id, {...stream, phase: {name: 'loading'}}]])});
	}

	start(): void {
		if (!this.parts.profile.isConnected) return;
		this.#started = this.#engine.start();
		this.#started.then(
			() => this.#engine.checkKey(),
			error => this.#showProblem(error),
		);
		void this.#lookForHooks();
		this.#wiring.connect().catch(error => {
			this.#connection = 'refused';
			this.#showProblem(error);
			this.#notify('bad', error instanceof Error ? error.message : String(error), {
				holds: () => this.#connection === 'refused',
			});
		});
	}

	/** A look that fails says nothing: `hooks status` tells more. */
	async #lookForHooks(): Promise<void> {
		if (!this.parts.profile.isConnected) return;
		const isShown = await this.parts.hooks.isMissing().catch(() => false);
		this.parts.hooks.hint.setState({isShown});
	}

	/** Saves drafts and the view, synchronously: another app over the same profile may read them next. */
	leave(): void {
		this.parts.drafts.saveAll();
		saveView(this.parts.view, this.#database);
	}

	async close(): Promise<void> {
		this.leave();
		for (const stop of this.#stops) stop();
		await this.#started.catch(() => undefined);
		await this.#engine.stop();
		await this.#wiring.close();
	}

	#onConnect(): void {
		this.#connection = 'reached';
		adoptLocalComputers(this.#database, this.#stores.fleet, this.#engine);
	}

	#sayLocalStart(): void {
		if (this.#connection === 'reached') this.#notify('info', takenOver);
		else if (this.#connection === 'refused') this.#notify('good', startedLate);
	}

	/** Tells that the key may belong to another account, and asks the user if they can know. */
	#tellDoubt(account: Account, doubt: Doubt): void {
		const {connection} = this.#stores;
		const holds = () => connection.getState().okAt === undefined;
		if (doubt.why === 'no-answer') this.#notify('bad', unanswered, {holds});
		else if (doubt.why !== 'refused')
			this.parts.view.setState(now => pushDialog(now, joinQuestion(account, doubt)), true);
	}

	#showProblem(error: unknown): void {
		const problem = problemOf(error, systemClock.now());
		this.#stores.connection.setState({state: 'offline', problem});
	}

	#notify(tone: Notice['tone'], text: string, end: Pick<Notice, 'holds'> = {}): void {
		addNotice(this.#stores.notices, {tone, text, at: systemClock.now(), ...end});
	}
}

/** Setting of the machine, as hooks are: the user wants to hear no more that they are missing. */
const dismissedHooks = 'hooksDismissed';

/** The clients' settings, whose code is loaded after the first frame. */
function lazyHooks(machine: () => Promise<Machine>, stateFolder: string): HookSetup {
	return {
		hint: createHookHintStore(),
		async isMissing() {
			const {settings} = await machine();
			if (unlessStorageFails(() => settings.get(dismissedHooks)) === true) return false;
			const {areHooksMissing} = await import('./hook-files.ts');
			return areHooksMissing();
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

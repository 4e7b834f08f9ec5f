import {randomId} from '../hooks/random-id.ts';
import type {FoundAccount} from './accounts.ts';
import {createFileFinder} from './actions/find-files.ts';
import type {Config} from './config/config.ts';
import {userName} from './config/user-name.ts';
import {analyticsOrganization} from './db/analytics.ts';
import type {Database} from './db/database.ts';
import {unlessStorageFails} from './db/storage-error.ts';
import {type Account, accountName} from './domain/accounts/account.ts';
import {openRequested, restoreView, type StartRequest, saveView} from './initial-view.ts';
import {createKeyMap, keyProblemsText} from './keys/key-map.ts';
import {lazyOrganization} from './lazy-organization.ts';
import {lazyService, reach} from './lazy-service.ts';
import {adoptLocalComputers} from './local-computers.ts';
import {persistSort} from './persist-sort.ts';
import {computerNotices, incidentNotices, storageNotice} from './state/change-notices.ts';
import {type Dialog, pushDialog} from './state/dialogs.ts';
import type {DisplayStore} from './state/display.ts';
import {createListBuilder} from './state/lists.ts';
import {addNotice} from './state/notices.ts';
import {createStores, type Stores} from './state/stores.ts';
import {createViewStore} from './state/view.ts';
import {systemClock} from './sync/core/clock.ts';
import {problemOf} from './sync/core/problem.ts';
import {createEngine} from './sync/create-engine.ts';
import {createSearcher} from './sync/search/searcher.ts';
import type {Terminal} from './term/terminal.ts';
import {RowCache} from './text/messages/row-cache.ts';
import {createCaches} from './ui/caches.ts';
import {createComposerStore} from './ui/composer/composers.ts';
import {createDraftSaver} from './ui/composer/draft-saver.ts';
import {createFormStore} from './ui/dialogs/form/form-state.ts';
import {forgottenElsewhere} from './ui/forgotten.ts';
import {createTicker} from './ui/kit/ticker.ts';
import {streamsOnScreen} from './ui/layout-now.ts';
import type {MouseInput} from './ui/mouse/mouse-input.ts';
import {createNotifications} from './ui/notifications.ts';
import type {Profiles} from './ui/profiles.ts';
import {screenInput} from './ui/screen-input.ts';
import {throttledStores} from './ui/throttled-stores.ts';
import type {AppParts} from './ui/use-app.ts';
import {createWiring, type RunningLocalService} from './wiring.ts';

/** The dialog that asks whether a new key belongs to a known account. */
function joinQuestion({account, doubt}: FoundAccount): Dialog | undefined {
	if (!doubt || doubt.why === 'no-answer' || doubt.why === 'refused') return undefined;
	const {other, why} = doubt;
	const name = accountName(other);
	const seen =
		why === 'other' ? `it can't see the data of ${name}` : `it is unclear whether it belongs to ${name}`;
	return {
		kind: 'confirm',
		title: 'Is this the same organization?',
		text: `This key is new on this machine, and ${seen}. For now it has its own account, ${account.id}, and the two share nothing. Answer yes if both belong to the same organization, or join them later: quarterdeck accounts join ${other.id} ${account.id}`,
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

/** The app of one configuration and its lifecycle. */
export type AppInstance = {
	/** Unique to this instance. */
	readonly id: string;
	readonly parts: AppParts;
	start(): void;
	/** Saves drafts and the view, synchronously: another app over the same profile may read them next. */
	leave(): void;
	close(): Promise<void>;
};

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

const takenOver = 'The program running the embedded service exited: the service now runs here';
const unanswered =
	"This key is new on this machine and the service doesn't respond: the key has its own account until the service says which one it belongs to";
const startedLate = 'The embedded service is running';

/** Wires one configuration's app and loads its saved state; starts nothing. */
export async function createApp(
	config: Config,
	asked: StartRequest,
	{terminal, display, mouse, profiles, adoptLocalService, agentsAtWork, onChecking, checking}: AppShared,
): Promise<AppInstance> {
	const id = `${process.pid}-${randomId()}`;
	const stores = createStores();
	const clock = systemClock;
	let isReached = false;
	let isRefused = false;
	let doubt: FoundAccount | undefined;
	const wiring = createWiring(config, {
		...(onChecking && {onChecking}),
		onDoubt(found) {
			doubt = found;
		},
		provisionsThisMachine: true,
		onLocalStart() {
			if (isReached) addNotice(stores.notices, {tone: 'info', text: takenOver, at: clock.now()});
			else if (isRefused) addNotice(stores.notices, {tone: 'good', text: startedLate, at: clock.now()});
		},
		onConnect() {
			isReached = true;
			adoptLocalComputers(database, stores.fleet, engine);
		},
		adoptLocalService,
		// The engine's scheduler retries and shows on screen why and when.
		retries: 0,
		onResponse: ({skewMs}) => {
			if (skewMs !== undefined) stores.connection.setState({skew: skewMs});
		},
	});
	const database = await wiring.database();
	const {account} = await wiring.account();
	const organization = watchOrganizationName(account, database, stores);
	const isConnected = config.mode !== 'none';
	const service = lazyService(wiring.connect);
	const view = createViewStore();
	let isFocused = true;
	const engine = createEngine({
		service,
		database,
		stores,
		clock,
		...(config.mode === 'local' && {reach: () => reach(wiring.connect)}),
		owner: id,
		hooks: isConnected ? {} : 'off',
		statusProbe: config.statusProbe,
		storageLimit: config.storageLimit,
		onHookUpdate: update => notifications.hookUpdate(update),
		onPeerWrites: () => drafts.refresh(),
		onForgotten: id => forgottenElsewhere(parts, id),
		onSnoozeEnd: sessionId => notifications.snoozeEnded(sessionId),
	});
	const keys = createKeyMap(config.keys);
	const actions = {
		service,
		engine,
		stores,
		clock,
		drafts: database.drafts,
		history: database.history,
		copy: (text: string) => terminal.copy(text),
		search: createSearcher(database.messages, clock),
		organization: lazyOrganization(async () => {
			const {createOrganizationReader} = await import('./sync/organization/organization-reader.ts');
			const {analytics} = database;
			return createOrganizationReader({service, analytics, store: stores.organization, clock});
		}),
		handOver: (run: () => Promise<void>) => terminal.handOver(run),
		keyName: keys.label,
	};
	const composers = createComposerStore();
	const drafts = createDraftSaver(actions, composers);
	const parts: AppParts = {
		stores: throttledStores(stores, clock),
		view,
		listBuilder: createListBuilder(),
		composers,
		drafts,
		forms: createFormStore(),
		display,
		keys,
		mouse,
		zones: new Map(),
		ticker: createTicker(clock, () => display.getState().isStill),
		actions,
		input: screenInput,
		rows: new RowCache(),
		median: name => database.durations.median(name),
		profile: config.profile,
		...(account.address !== undefined && {host: new URL(account.address).host}),
		organizationName: organization.get,
		...(checking !== undefined && {checking}),
		...(config.service?.keyFrom && {keyFrom: config.service.keyFrom}),
		profiles,
		userName: userName(),
		isConnected,
		agentsAtWork,
		quit: () => terminal.leave(0),
		files: createFileFinder(clock.now),
		folderOf: id =>
			(config.mode === 'local' && stores.fleet.getState().sessions.get(id)?.cwd) || process.cwd(),
		undos: [],
		screen: {size: {columns: 80, rows: 24}},
		caches: createCaches(),
		sizes: {},
		interruptedAt: Number.NEGATIVE_INFINITY,
	};
	const notifications = createNotifications({
		// Throttled stores: a burst of events is processed once per frame, as it is drawn.
		stores: parts.stores,
		listBuilder: parts.listBuilder,
		view,
		terminal,
		isVisible: sessionId => isFocused && streamsOnScreen(parts).includes(sessionId),
		quietHours: config.quietHours,
		notifiesWhenDone: config.callWhenDone,
		clock,
	});
	const stops = [
		notifications.stop,
		actions.search.endInSession,
		actions.search.endInAll,
		persistSort(view, database.settings),
		organization.stop,
		terminal.onFocus(focused => {
			isFocused = focused;
			engine.setTerminalFocused(focused);
			if (focused) drafts.refresh();
		}),
		stores.fleet.subscribe((fleet, before) => {
			if (fleet.computers === before.computers) return;
			for (const notice of computerNotices(before.computers, fleet.computers, clock.now()))
				addNotice(stores.notices, notice);
		}),
		// The database file was replaced after a loss: rewrite the drafts, which are still in memory.
		database.onChange(drafts.rewrite),
		stores.connection.subscribe((connection, before) => {
			const notice = storageNotice(before, connection);
			for (const one of [...(notice ? [notice] : []), ...incidentNotices(before, connection)])
				addNotice(stores.notices, {...one, at: clock.now()});
		}),
		terminal.onPasteCut(length => {
			const text = `The paste had ${length} characters, more than a message can hold: its end was cut off`;
			addNotice(stores.notices, {tone: 'bad', text, at: clock.now()});
		}),
	];
	// The first frame shows the saved state; the engine starts after it.
	if (isConnected) engine.load();
	else if (database.notice !== undefined)
		addNotice(stores.notices, {tone: 'bad', text: database.notice, at: clock.now()});
	let started = Promise.resolve();
	const keyProblems = keyProblemsText(keys);
	if (keyProblems !== undefined) addNotice(stores.notices, {tone: 'bad', text: keyProblems, at: clock.now()});
	restoreView(parts, database);
	openRequested(parts, asked);
	const question = doubt && joinQuestion(doubt);
	if (question) view.setState(now => pushDialog(now, question), true);
	if (doubt?.doubt?.why === 'no-answer')
		addNotice(stores.notices, {tone: 'bad', text: unanswered, at: clock.now()});
	const leave = () => {
		drafts.saveAll();
		saveView(parts, database);
	};
	return {
		id,
		parts,
		start() {
			const failed = (error: unknown) =>
				stores.connection.setState({state: 'offline', problem: problemOf(error, clock.now())});
			if (!isConnected) return;
			started = engine.start();
			engine.checkKey();
			started.catch(failed);
			wiring.connect().catch(error => {
				isRefused = true;
				failed(error);
				addNotice(stores.notices, {
					tone: 'bad',
					text: error instanceof Error ? error.message : String(error),
					at: clock.now(),
				});
			});
		},
		leave,
		async close() {
			leave();
			for (const stop of stops) stop();
			await started.catch(() => undefined);
			await engine.stop();
			await wiring.close();
		},
	};
}

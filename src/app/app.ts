import {randomId} from '../../hooks/random-id.ts';
import {readAgents} from '../actions/agent-requests.ts';
import {notify} from '../actions/notify.ts';
import {createNotifyCommand} from '../actions/user-programs.ts';
import {UnauthorizedError} from '../api/errors.ts';
import type {Config} from '../config/config.ts';
import type {Database} from '../db/database.ts';
import {type Account, noAccount} from '../domain/accounts/account.ts';
import {systemClock} from '../domain/clock.ts';
import type {RunningService} from '../domain/running-service.ts';
import {adoptLocalComputers} from '../embedded-service.ts';
import {computerNotices, incidentNotices, storageNotice} from '../state/change-notices.ts';
import {reportResponse, reportSkew} from '../state/connection.ts';
import {addNotice} from '../state/notices.ts';
import {createStores} from '../state/stores.ts';
import {mainItem, takesText} from '../state/view/view.ts';
import {problemOf} from '../sync/core/problem.ts';
import {Engine} from '../sync/engine.ts';
import type {Terminal} from '../term/terminal.ts';
import {stopTypeAhead} from '../ui/composer/type-ahead.ts';
import {keepOpenWords} from '../ui/dialogs/answer/answer-words.ts';
import {watchInput} from '../ui/input.ts';
import {streamsOnScreen} from '../ui/layout-now.ts';
import {createNotifications, type Notifications} from '../ui/notifications.ts';
import {closeForgotten} from '../ui/open-session.ts';
import {computerOnScreen} from '../ui/pages.ts';
import {createReadMarker} from '../ui/read-marker.ts';
import {faintColors} from '../ui/theme/theme.ts';
import type {AppParts} from '../ui/use-app.ts';
import {askWhoseKey} from '../ui/welcome-bindings.ts';
import {Wiring} from '../wiring.ts';
import {closingNote} from './closing-note.ts';
import {type AppShared, createParts} from './create-parts.ts';
import {offerToContinue} from './cut-off.ts';
import {
	openRequested,
	persistLists,
	requestOf,
	restoreView,
	type StartRequest,
	saveView,
} from './initial-view.ts';
import {strings} from './strings.ts';

/** How long notices about stored data and accounts stay, ms. */
const noticeTime = 60_000;

/** How long a user who writes must pause before a new key is read, ms: under another account, keys mean something else. */
const writingPause = 3_000;

type Opened = {
	readonly wiring: Wiring;
	readonly database: Database;
	readonly account: Account;
};

/**
 * The app of one configuration: `open` opens its account and database, creates the engine (`sync/engine.ts`) and the
 * screen's parts (`create-parts.ts`), and loads saved state for the first frame; `start` starts the engine and connects;
 * `leave` saves what the next app reads; `close` ends everything.
 */
export class AppInstance {
	/** Unique to this instance. */
	readonly id = `${process.pid}-${randomId()}`;
	readonly parts: AppParts;
	readonly #config: Config;
	readonly #wiring: Wiring;
	readonly #database: Database;
	readonly #account: Account;
	readonly #stores = createStores();
	readonly #engine: Engine;
	readonly #terminal: Terminal;
	readonly #notifications: Notifications;
	readonly #stops: readonly (() => void)[];
	#connection: 'none' | 'refused' | 'reached' = 'none';
	#isFocused = true;
	/** Whether the user asked for what is on the screen, or has pressed a key since: until then, nobody may be there. */
	#isUserPresent = false;
	/** Whether the key file was read again since the service refused the key. */
	#hasReread = false;
	#cancelReread = () => {};
	readonly #markRead: ReturnType<typeof createReadMarker>;
	/** Whether the user has done anything since the start. */
	#hasMovedOn = () => false;
	#started = Promise.resolve();

	/**
	 * Opens the account of a configuration and loads its saved state; starts nothing. `requested`: called once the account
	 * is known.
	 */
	static async open(
		config: Config,
		requested: () => StartRequest | Promise<StartRequest>,
		shared: AppShared,
	): Promise<AppInstance> {
		const {newKey} = shared;
		let hasNewKey = false;
		const wiring: Wiring = new Wiring(config, {
			onNewKey: () => {
				hasNewKey = true;
			},
			onConnect: embedded => app.#onConnect(embedded),
			// The engine's scheduler retries and shows on screen why and when.
			retries: 0,
			onResponse: ({ok, resource, latency, skewMs, waitUntil, error}) => {
				if (waitUntil)
					app.#stores.connection.setState(before => ({waitUntil: {...before.waitUntil, ...waitUntil}}));
				if (skewMs !== undefined) reportSkew(app.#stores.connection, skewMs);
				if (error instanceof UnauthorizedError) app.#engine.keyRefused(error);
				// The answer to this one waits for a change.
				const isLate = resource === 'runningService.changes';
				if (ok && !isLate) reportResponse(app.#stores.connection, {at: systemClock.now(), latency});
			},
		});
		const database = await wiring.database().catch(async error => {
			await wiring.close();
			throw error;
		});
		const {account} = await wiring.account();
		const request = await requested();
		const app = new AppInstance(config, shared, {wiring, database, account});
		app.#showSaved(request);
		const {accountId = account.id} = request;
		if (newKey) askWhoseKey(app.parts, newKey);
		else if (hasNewKey) app.#notifyOfAccount('info', strings.account.newKey);
		else if (accountId !== account.id && accountId !== noAccount)
			app.#notifyOfAccount('bad', strings.account.left(accountId));
		return app;
	}

	private constructor(config: Config, shared: AppShared, {wiring, database, account}: Opened) {
		this.#config = config;
		this.#wiring = wiring;
		this.#database = database;
		this.#account = account;
		this.#terminal = shared.terminal;
		this.#engine = this.#createEngine();
		this.parts = createParts({
			config,
			shared,
			wiring,
			database,
			account,
			stores: this.#stores,
			engine: this.#engine,
			// The user sees only now what arrived while another program had the terminal.
			onReturn: () => {
				this.#markRead(this.#isScreenSeen);
				this.#rereadRefusedKey();
			},
			onFocus: () => {
				this.#setFocused(true);
				this.#setUserPresent();
			},
		});
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
			isEmbedded: () => this.#wiring.isEmbedded,
			owner: this.id,
			hooks: mode === 'none' ? 'off' : {},
			answers: {stateFolder: this.#config.stateFolder},
			statusProbe,
			storageLimit,
			requestsPerSecond: pollBudget,
			onHookUpdate: update => this.#notifications.hookUpdate(update),
			onPeerWrites: () => this.parts.drafts.refresh(),
			onForgotten: id => closeForgotten(this.parts, id),
			onSnoozeEnd: subject => this.#notifications.snoozeEnded(subject),
		});
	}

	#createNotifications(terminal: Terminal): Notifications {
		const {stores, listBuilder, view} = this.parts;
		const {notifyCommand} = this.#config;
		return createNotifications({
			// Throttled stores: a burst of events is processed once per frame, as it is drawn.
			stores,
			listBuilder,
			view,
			terminal,
			isSeen: ({kind, id}) =>
				this.#isScreenSeen &&
				(kind === 'session'
					? streamsOnScreen(this.parts).includes(id)
					: computerOnScreen(this.parts)?.id === id),
			quietHours: this.#config.quietHours,
			notifiesWhenDone: this.#config.callWhenDone,
			runCommand: notifyCommand && createNotifyCommand(this.parts.actions, notifyCommand),
			median: this.parts.median,
			clock: systemClock,
		});
	}

	/** Follows what happens outside the screen. Returns functions that stop it. */
	#watch(terminal: Terminal): (() => void)[] {
		const {actions, composers, display, drafts, view} = this.parts;
		const {fleet, connection, notices} = this.#stores;
		return [
			this.#notifications.stop,
			this.parts.away.start(),
			actions.search.endInSession,
			actions.search.endInAll,
			persistLists(view, this.#database.settings),
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
			connection.subscribe(() => this.#rereadRefusedKey()),
			view.subscribe(() => this.#rereadRefusedKey()),
			composers.subscribe(() => this.#rereadRefusedKey()),
			() => this.#cancelReread(),
			view.subscribe(() => this.#markRead(this.#isScreenSeen)),
			this.#stores.streams.subscribe(() => this.#markRead(this.#isScreenSeen)),
			fleet.subscribe(() => this.#markRead(this.#isScreenSeen)),
			// The database file was replaced after a loss: rewrite the drafts, which are still in memory.
			this.#database.onChange(drafts.rewrite),
			connection.subscribe((now, before) => {
				const notice = storageNotice(before, now, connection.getState);
				const incidents = incidentNotices(before, now, connection.getState);
				const at = systemClock.now();
				for (const one of [...(notice ? [notice] : []), ...incidents])
					addNotice(notices, {...one, at, until: at + noticeTime});
			}),
			display.subscribe((now, before) => {
				if (now.background && !before.background) this.#tellFaintColors();
			}),
			terminal.onPasteCut(length => notify(actions, 'bad', strings.pasteCut(length))),
		];
	}

	/** Reads a key file once more after a refusal: a service may have written a new key. Never while the user types. */
	#rereadRefusedKey(): void {
		this.#cancelReread();
		const {view, profile, program} = this.parts;
		if (this.#stores.connection.getState().state !== 'unauthorized') this.#hasReread = false;
		else if (!this.#hasReread && profile.keyFrom === 'file' && !this.#terminal.isAway) {
			const isWriting = this.#isAtEndOfDraft;
			if (takesText(view.getState()) && !isWriting) return;
			const reread = () => {
				// The text in an editor belongs to the open app.
				if (this.#terminal.isAway) return;
				this.#hasReread = true;
				program.profiles.reopenWithNewKey();
			};
			if (isWriting) this.#cancelReread = systemClock.after(writingPause, reread);
			else reread();
		}
	}

	/** Whether the user is writing to the session on screen and the cursor is where a saved draft has it: at the end. */
	get #isAtEndOfDraft(): boolean {
		const {composers, view} = this.parts;
		const {focus, replyTo, dialogs, isFiltering, ...now} = view.getState();
		const shown = mainItem(now);
		if (!shown || focus !== 'composer' || replyTo !== undefined) return false;
		if (dialogs.length > 0 || isFiltering) return false;
		const editor = composers.getState().bySession.get(shown.id)?.editor;
		return editor !== undefined && editor.cursor === editor.text.length;
	}

	#setFocused(isFocused: boolean): void {
		if (isFocused === this.#isFocused) return;
		this.#isFocused = isFocused;
		this.#engine.setTerminalFocused(isFocused);
		this.#markRead(this.#isScreenSeen);
		if (!isFocused) return;
		this.parts.drafts.refresh();
		// Another program may have installed or removed them.
		void this.#lookForHooks();
	}

	/** Takes the user to be there, after what their key does: it may snooze a session that is still unread. */
	#setUserPresent(): void {
		const isSnoozing = () => this.parts.view.getState().dialogs.at(-1)?.kind === 'snooze';
		if (this.#isUserPresent || isSnoozing()) return;
		queueMicrotask(() => {
			if (isSnoozing()) return;
			this.#isUserPresent = true;
			this.#markRead(this.#isScreenSeen);
		});
	}

	/** Whether the user sees the screen: they are there, and the terminal has the focus and no other program has it. */
	get #isScreenSeen(): boolean {
		return this.#isUserPresent && this.#isFocused && !this.#terminal.isAway;
	}

	/** Resolves once the user types nothing that another app in place of this one could not go on with. */
	async untilReplaceable(): Promise<void> {
		const {view, composers, forms} = this.parts;
		const {promise, resolve} = Promise.withResolvers<void>();
		const check = () => {
			// The form whose key is looked up waits for this.
			const isBusy = forms.getState().form?.isBusy === true;
			if (!takesText(view.getState()) || isBusy || this.#isAtEndOfDraft) resolve();
		};
		const stops = [view.subscribe(check), composers.subscribe(check), forms.subscribe(check)];
		check();
		await promise;
		for (const stop of stops) stop();
	}

	onScreen(): StartRequest {
		return requestOf(this.parts.view.getState(), this.#account.id);
	}

	/** The first frame shows the saved state; the engine starts after it. */
	#showSaved(request: StartRequest): void {
		const incident = this.#database.incidents.all().at(-1)?.what;
		if (this.parts.profile.isConnected) this.#engine.load();
		else if (incident !== undefined) notify(this.parts.actions, 'bad', incident);
		const {mistakes} = this.parts.profile;
		if (mistakes.length > 0) notify(this.parts.actions, 'bad', strings.mistakes(mistakes));
		this.#tellFaintColors();
		restoreView(this.parts, this.#database);
		this.#isUserPresent = request.sessionId !== undefined || request.accountId !== undefined;
		openRequested(this.parts, this.#forThisAccount(request));
		this.#showCachedMessages();
	}

	/** Tells of own colors that can't be shown as they are, once the background is known. */
	#tellFaintColors(): void {
		const display = this.parts.display.getState();
		const faint = display.theme === 'auto' && !display.background ? [] : faintColors(display);
		if (faint.length > 0) notify(this.parts.actions, 'bad', strings.faintColors(faint));
	}

	/** Keeps only the view of a request from another account, and its session if this account has it, too. */
	#forThisAccount(request: StartRequest): StartRequest {
		const {accountId = this.#account.id, view, sessionId = '', focus} = request;
		if (accountId === this.#account.id) return request;
		const isKnown = this.#stores.fleet.getState().sessions.has(sessionId);
		return isKnown ? {view, sessionId, focus} : {view};
	}

	/** Puts the cached messages of the session on screen into the first frame, after which the engine follows it. */
	#showCachedMessages(): void {
		const shown = mainItem(this.parts.view.getState());
		if (!this.parts.profile.isConnected || shown?.kind !== 'session') return;
		const {id} = shown;
		const stream = this.#engine.sessions.preview(id);
		if (stream) this.#stores.streams.setState({open: new Map([[id, {...stream, phase: {name: 'loading'}}]])});
	}

	/** Brings the saved state up to date: call it after the first frame. */
	start(): void {
		if (!this.parts.profile.isConnected) return;
		this.#hasMovedOn = watchInput(this.parts);
		this.#started = this.#engine.start();
		this.#started.then(
			() => this.#engine.checkKey(),
			error => this.#showProblem(error),
		);
		void this.#lookForHooks();
		this.#wiring.connect().catch(error => {
			this.#connection = 'refused';
			this.#showProblem(error);
			notify(this.parts.actions, 'bad', error instanceof Error ? error.message : String(error), {
				isCurrent: () => this.#connection === 'refused',
			});
		});
	}

	/** A check that fails is ignored: `hooks status` shows why. */
	async #lookForHooks(): Promise<void> {
		if (!this.parts.profile.isConnected) return;
		await this.parts.hooks.look().catch(() => {});
	}

	/** Saves typed text and the view, synchronously: another app over the same profile may read them next. */
	leave(): void {
		stopTypeAhead(this.parts);
		this.parts.drafts.flush();
		saveView(this.parts.view, this.#database);
	}

	closingNote(): string {
		return closingNote(this.#stores);
	}

	async close(): Promise<void> {
		keepOpenWords(this.parts);
		this.leave();
		for (const stop of this.#stops) stop();
		await this.#started.catch(() => undefined);
		await this.#engine.stop();
		await this.#wiring.close();
	}

	#onConnect(embedded: RunningService | undefined): void {
		this.#connection = 'reached';
		if (embedded) {
			this.#stores.connection.setState({embedded});
			void readAgents(this.parts.actions);
		}
		const cutOff = embedded?.cutOffIds.length ?? 0;
		if (cutOff > 0) offerToContinue(this.parts, cutOff, this.#hasMovedOn());
		adoptLocalComputers(this.#database, this.#stores.fleet, this.#engine);
	}

	#notifyOfAccount(tone: 'info' | 'bad', text: string): void {
		// Covered at first by the notice that the profile is open.
		notify(this.parts.actions, tone, text, {until: systemClock.now() + noticeTime, isCurrent: () => true});
	}

	#showProblem(error: unknown): void {
		const problem = problemOf(error, systemClock.now());
		this.#stores.connection.setState({state: 'offline', problem});
	}
}

import {homedir} from 'node:os';
import type {ActionContext, Draft} from '../../src/actions/context.ts';
import {createFileFinder} from '../../src/actions/find-files.ts';
import {done} from '../../src/actions/notify.ts';
import type {Service} from '../../src/api/service.ts';
import type {FoundMessages, SearchedMessages} from '../../src/db/database.ts';
import type {Clock} from '../../src/domain/clock.ts';
import {createHookHintStore} from '../../src/state/hook-setup.ts';
import {createListBuilder} from '../../src/state/lists/lists.ts';
import {createStores} from '../../src/state/stores.ts';
import {createDisplayStore} from '../../src/state/view/display.ts';
import {createViewStore} from '../../src/state/view/view.ts';
import type {Engine} from '../../src/sync/engine.ts';
import type {EventFeed} from '../../src/sync/hooks/event-feed.ts';
import type {ActivityRecorder} from '../../src/sync/messages/activity-recorder.ts';
import type {SessionFollower} from '../../src/sync/messages/open-sessions.ts';
import type {SessionWatcher} from '../../src/sync/messages/session-watcher.ts';
import {createSearcher} from '../../src/sync/search/searcher.ts';
import type {MouseReport} from '../../src/term/guarded-stdin.ts';
import {createAway} from '../../src/ui/away.ts';
import {createKeyMap} from '../../src/ui/bindings.ts';
import {createCaches} from '../../src/ui/caches.ts';
import {createComposerStore} from '../../src/ui/composer/composers.ts';
import {createDraftSaver} from '../../src/ui/composer/draft-saver.ts';
import {createFormStore} from '../../src/ui/dialogs/form/form-state.ts';
import {createTicker} from '../../src/ui/kit/ticker.ts';
import type {MouseInput} from '../../src/ui/mouse/gesture.ts';
import {screenInput} from '../../src/ui/screen-input.ts';
import type {AppParts} from '../../src/ui/use-app.ts';

/** What an empty configuration asks for. */
const usualDisplay = {theme: 'auto', screenReader: false, reducedMotion: false} as const;

/** A mouse without a terminal: the test sends its reports. */
export type TestMouse = MouseInput & {report(report: MouseReport): void};

function createTestMouse(): TestMouse {
	const listeners = new Set<(report: MouseReport) => void>();
	let isOn = true;
	return {
		isOn: () => isOn,
		turn(on) {
			isOn = on;
		},
		listen(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		report(report) {
			for (const listener of listeners) listener(report);
		},
	};
}

/** Calls that the screen made, as `name argument argument`, instead of an engine that does something. */
export type Calls = string[];

/** The parts of an engine that the screen calls. */
type RecordingEngine = Partial<Pick<Engine, 'refresh' | 'resume'>> & {
	readonly [Name in
		| 'attention'
		| 'computers'
		| 'hooks'
		| 'outbox'
		| 'registry'
		| 'sessions'
		| 'storage']?: Partial<Engine[Name]>;
};

function recordingEngine(calls: Calls): Engine {
	const record =
		(name: string) =>
		(...args: readonly unknown[]) => {
			calls.push([name, ...args.map(arg => (typeof arg === 'string' ? arg : JSON.stringify(arg)))].join(' '));
		};
	const engine: RecordingEngine = {
		refresh: record('refresh'),
		resume: record('resume'),
		computers: {
			add: record('addComputer'),
			forget: record('forgetComputer'),
			remember: record('rememberComputer'),
			restore: record('restoreComputer'),
			watch(computerId) {
				record('watchComputer')(computerId);
				return () => record('unwatchComputer')(computerId);
			},
		},
		registry: {
			addSession: record('addSession') as never,
			forgetSession: record('forgetSession'),
			markSession: record('markSession'),
			recordFolder: ({folder}) => record('recordFolder')(folder),
			restoreSession: record('restoreSession'),
			session: id => ({id, origin: 'added', addedAt: 0}),
			setSubject() {},
		},
		sessions: {
			focus: record('focus'),
			follower: sessionId =>
				({
					loadOlder: async () => record('loadOlder')(sessionId),
					loadNewer: () => record('loadNewer')(sessionId),
					showMessage: (messageId: string) => record('showMessage')(sessionId, messageId),
					showNewest: () => record('showNewest')(sessionId),
					fillGap: async (gapId: string) => record('fillGap')(sessionId, gapId),
					readRest: async () => record('readRest')(sessionId),
				}) as unknown as SessionFollower,
			activity: {markSeen: record('markSeen')} as unknown as ActivityRecorder,
			open(sessionId) {
				record('open')(sessionId);
				return () => record('close')(sessionId);
			},
			preview: () => undefined,
			remember: record('rememberSession'),
			watcher: {
				setVisible: record('setVisibleSessions'),
				report: () => ({sessions: 0, perSecond: 2}),
			} as unknown as SessionWatcher,
		},
		outbox: {
			enqueue(sessionId, draft) {
				record('enqueue')(...[sessionId, draft.text, draft.notBefore].filter(value => value !== undefined));
				return {
					id: `out-${calls.length}`,
					sessionId,
					text: draft.text,
					images: [],
					files: [],
					state: 'queued',
					createdAt: 0,
					tries: 0,
				};
			},
			resend: record('resend'),
			discard(id) {
				record('discard')(id);
				return undefined;
			},
		},
		attention: {put: record('setAttentionMark'), remove: record('clearAttentionMark')},
		hooks: {
			async answerRequest(id, {option}) {
				record('answerRequest')(id, option);
				return false;
			},
			feed: {
				loadOlder: record('loadOlderEvents'),
				watch() {
					record('watchEvents')();
					return () => record('unwatchEvents')();
				},
			} as unknown as EventFeed,
		},
		storage: {
			acknowledgeIncidents: record('acknowledgeIncidents'),
			reportSizes() {},
		},
	};
	return engine as Engine;
}

const nothingFound: FoundMessages = {
	steps: [],
	isLong: false,
	count: 0,
	newer: 0,
	isAtCursor: false,
	moveTo: () => undefined,
	update() {},
	close() {},
};

const nothingSearched: SearchedMessages = {steps: [], listed: 0, read: () => []};

/** Drafts of a program that runs alone. */
function keptDrafts(kept: Map<string, Draft>): ActionContext['drafts'] {
	const stored = new Map<string, string>();
	return {
		sessions: () => [...kept.keys()],
		get(id) {
			const draft = kept.get(id);
			return draft && {...draft, updatedAt: 0, revision: stored.get(id) ?? ''};
		},
		put(id, draft) {
			kept.set(id, draft);
			const revision = `${Number(stored.get(id) ?? 0) + 1}`;
			stored.set(id, revision);
			return {revision};
		},
		remove: id => void kept.delete(id),
	};
}

/** Replaces parts; of a few, only the fields given. */
type MoreParts = Partial<Omit<AppParts, 'mouse' | keyof PartlyReplaced>> & {
	[Name in keyof PartlyReplaced]?: Partial<AppParts[Name]>;
} & Partial<Pick<ActionContext, 'service' | 'organization'>>;
type PartlyReplaced = Pick<AppParts, 'profile' | 'program' | 'completion'>;

/** Everything the screen works with, over stores that the test fills by hand. */
export function appParts(
	clock: Clock,
	{profile, program, completion, ...more}: MoreParts = {},
): AppParts & {calls: Calls; kept: Map<string, Draft>; mouse: TestMouse} {
	const calls: Calls = [];
	const kept = new Map<string, Draft>();
	const sent = new Map<string, string[]>();
	const stores = createStores();
	const keys = more.keys ?? createKeyMap();
	const display = more.display ?? createDisplayStore(usualDisplay, {colors: 'truecolor', hasUnicode: true});
	const actions: ActionContext = {
		// Ctrl+C in a stream asks it to interrupt the agent; the answer never comes.
		service:
			more.service ?? ({agentRequests: {interrupt: () => new Promise(() => {})}} as unknown as Service),
		engine: recordingEngine(calls),
		stores,
		clock,
		drafts: keptDrafts(kept),
		history: {
			ofSession: id => sent.get(id) ?? [],
			ofOthers: id => [...sent].flatMap(([other, texts]) => (other === id ? [] : texts)),
			add: (id, text) => sent.set(id, [...(sent.get(id) ?? []).filter(one => one !== text), text]),
		},
		handOver: run => run(),
		keyName: keys.label,
		async copy(text) {
			calls.push(`copy ${text}`);
			return 'the terminal (OSC 52)';
		},
		search: createSearcher({find: () => nothingFound, search: () => nothingSearched}, clock),
		organization: more.organization ?? {
			read(part, range, isAsked) {
				calls.push(['read', part, range, ...(isAsked ? ['asked'] : [])].join(' '));
				return () => calls.push(`unread ${part}`);
			},
		},
	};
	const composers = createComposerStore();
	const view = createViewStore();
	const listBuilder = createListBuilder();
	const lastKey = {load: () => undefined, save() {}};
	return {
		stores,
		view,
		listBuilder,
		away: createAway({stores, listBuilder, view, composers, clock, minutes: 30, lastKey}),
		composers,
		drafts: createDraftSaver(actions, composers),
		forms: createFormStore(),
		display,
		keys,
		mouse: createTestMouse(),
		zones: new Map(),
		ticker: createTicker(clock, () => display.getState().hasReducedMotion),
		actions,
		input: screenInput,
		median: () => undefined,
		profile: {
			name: 'acme > prod',
			organizationName: () => undefined,
			worktree: false,
			mistakes: [],
			continueWords: 'continue',
			isConnected: true,
			...profile,
		},
		program: {
			profiles: {
				async list() {
					return done([
						{name: 'acme > prod', isLocal: false, address: 'https://acme.example', keyFrom: 'file'},
						{name: 'local', isLocal: true},
					]);
				},
				opening: undefined,
				switchTo: name => calls.push(`switchTo ${name}`),
				reopenWithNewKey: () => calls.push('reopenWithNewKey'),
				openAccount: id => calls.push(`openAccount ${id ?? 'new'}`),
				workLocally: () => calls.push('workLocally'),
				async connect(draft) {
					calls.push(`connect ${draft.name} ${draft.baseUrl} ${draft.keyFrom}`);
					return done(undefined);
				},
				async change(draft) {
					calls.push(
						`change ${draft.replaces} to ${draft.name} ${draft.baseUrl} ${draft.keyFrom} ${draft.value}`,
					);
					return done(undefined);
				},
				async draftOf(name) {
					const baseUrl = 'https://acme.example';
					return done({name, replaces: name, baseUrl, appUrl: '', keyFrom: 'file', value: '/keys/acme'});
				},
				async remove(name) {
					calls.push(`remove ${name}`);
					return done(['a1b2c3d4']);
				},
				async makeDefault(name) {
					calls.push(`makeDefault ${name}`);
					return done(undefined);
				},
				async replaceKey(name) {
					calls.push(`replaceKey ${name}`);
					return done(undefined);
				},
				hasEnvironmentKey: false,
				keyFolder: '/config/keys',
				async saveTheme(theme) {
					calls.push(`saveTheme ${theme}`);
					return done(undefined);
				},
			},
			userName: 'me',
			userFolders: {started: process.cwd(), home: homedir()},
			agentsAtWork: async () => 0,
			async endAgents() {
				calls.push('endAgents');
				return done(undefined);
			},
			quit: () => calls.push('quit'),
			...program,
		},
		hooks: {
			hint: createHookHintStore(),
			look: async () => {},
			dismiss: async () => void calls.push('dismissHooks'),
			plan: () => new Promise(() => {}),
		},
		completion: {
			files: createFileFinder(clock.now),
			folderOf: () => process.cwd(),
			foldersOn: () => undefined,
			promptsOf: () => undefined,
			...completion,
		},
		creating: new Set(),
		undos: [],
		screen: {size: {columns: 80, rows: 24}},
		caches: createCaches(),
		interruptedAt: Number.NEGATIVE_INFINITY,
		...more,
		calls,
		kept,
	};
}

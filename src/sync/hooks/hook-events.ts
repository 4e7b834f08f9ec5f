import type {RequestAnswer} from '../../domain/sessions/agent-request.ts';
import type {HookEvent} from '../../domain/sessions/hook-event.ts';
import {type HookReceiver, startHookReceiver} from '../../hook-listeners/hook-receiver.ts';
import {problemOf} from '../core/problem.ts';
import type {EngineParts} from '../engine-parts.ts';
import {EventFeed} from './event-feed.ts';
import {HookInbox, type HookUpdate} from './hook-inbox.ts';
import type {OutsideSessions} from './outside-sessions.ts';
import {createPeerEventSync} from './peer-event-sync.ts';

/** Where hook events are received; defaults to the runtime folder and the spool in it. */
type HookFolders = {readonly folder?: string; readonly spoolFolder?: string};

export type HookEventsOptions = {
	/** `off` if this program doesn't listen. */
	readonly hooks?: HookFolders | 'off' | undefined;
	/** Set if this program answers permission requests of hooks; the folder has the key of headless commands. */
	readonly answers?: {readonly stateFolder: string} | undefined;
	/** Called once for each new hook event, after the stores are updated. */
	readonly onUpdate: (update: HookUpdate) => void;
	readonly onReceived: () => void;
};

/** Takes in hook events and permission requests, stores them, and fills the event log. */
export class HookEvents {
	readonly #options: EngineParts & HookEventsOptions;
	readonly #inbox: HookInbox;
	readonly #feed: EventFeed;
	readonly #peerEventSync: ReturnType<typeof createPeerEventSync>;
	#receiver: HookReceiver | undefined;
	#outside: OutsideSessions | undefined;

	constructor(options: EngineParts & HookEventsOptions) {
		const {database, registry, stores, clock} = options;
		this.#options = options;
		this.#inbox = new HookInbox(database, registry, update => {
			this.#outside?.received(update.event);
			options.onUpdate(update);
		});
		this.#feed = new EventFeed(database.events, stores.events, clock);
		this.#peerEventSync = createPeerEventSync(this.#inbox, clock, events => this.#feed.received(events));
	}

	/** Listens for events and, where this program may answer them, for permission requests. */
	async start(): Promise<void> {
		const {hooks = {}, answers, clock, stores} = this.#options;
		if (hooks === 'off') return;
		const {connection} = stores;
		this.#receiver = await startHookReceiver({
			...hooks,
			clock,
			onEvents: events => this.#receive(events),
			onDrained: () => {
				this.syncPeers();
				void this.#outside?.keepListening();
			},
			onProblem: error => connection.setState({hooks: problemOf(error, clock.now())}),
			onListenAgain: () => connection.setState({hooks: 'listening'}),
		});
		if (connection.getState().hooks === 'off') connection.setState({hooks: 'listening'});
		if (answers) await this.#listenForRequests(answers.stateFolder, hooks.folder);
	}

	/** Stops listening; resolves when nothing is left to take in. */
	async stop(): Promise<void> {
		await Promise.all([this.#receiver?.close(), this.#outside?.stop()]);
		this.#peerEventSync.stop();
		this.#feed.stop();
	}

	/** Takes in events that other programs of this user have stored. */
	syncPeers(): void {
		this.#peerEventSync.sync();
	}

	/** Keeps the hook event log filled until the returned function is called. */
	watch(): () => void {
		return this.#feed.watch();
	}

	loadOlder(): void {
		this.#feed.loadOlder();
	}

	/** Answers a hook's request; false if the hook no longer waits for it. */
	async answerRequest(id: string, answer: RequestAnswer): Promise<boolean> {
		return (await this.#outside?.answer(id, answer)) ?? false;
	}

	async #listenForRequests(stateFolder: string, folder: string | undefined): Promise<void> {
		const {safeWrite} = this.#options;
		const {OutsideSessions} = await import('./outside-sessions.ts');
		this.#outside = new OutsideSessions({
			...this.#options,
			stateFolder,
			...(folder !== undefined && {folder}),
			onEvent: event => safeWrite(() => this.#receive([event])),
		});
		await this.#outside.start();
	}

	#receive(events: readonly HookEvent[]): void {
		this.#feed.received(this.#inbox.store(events));
		this.#options.onReceived();
	}
}

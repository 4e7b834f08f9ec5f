import type {RequestAnswer} from '../../domain/sessions/agent-request.ts';
import type {HookEvent} from '../../domain/sessions/hook-event.ts';
import type {HookUpdate} from '../../domain/sessions/signal.ts';
import {type HookReceiver, startHookReceiver} from '../../hook-listeners/hook-receiver.ts';
import type {PermissionRequests} from '../../hook-listeners/permission-requests.ts';
import {problemOf} from '../core/problem.ts';
import type {EngineParts} from '../engine-parts.ts';
import type {Sessions} from '../fleet/sessions.ts';
import type {ClientSessions} from './client-sessions.ts';
import {EventFeed} from './event-feed.ts';
import {HookInbox} from './hook-inbox.ts';

/** Where hook events are received; defaults to the runtime folder and the spool in it. */
type HookFolders = {readonly folder?: string; readonly spoolFolder?: string};

export type HookEventsOptions = {
	/** `off` if this program doesn't listen. */
	readonly hooks?: HookFolders | 'off' | undefined;
	/** Set if this program answers permission requests of hooks; the folder has the key that signs answers. */
	readonly answers?: {readonly stateFolder: string} | undefined;
	/** Called once for each new hook event, after the stores are updated. */
	readonly onHookUpdate?: (update: HookUpdate) => void;
};

type HookEventsParts = EngineParts &
	HookEventsOptions & {
		readonly sessions: Sessions;
	};

/**
 * Takes in what agents' clients outside the service report: hook events, hooks' permission requests, and what the clients'
 * own files tell. Stores it, and fills the event log.
 */
export class HookEvents {
	readonly #options: HookEventsParts;
	readonly inbox: HookInbox;
	readonly feed: EventFeed;
	#receiver: HookReceiver | undefined;
	#requests: PermissionRequests | undefined;
	#clients: ClientSessions | undefined;

	constructor(options: HookEventsParts) {
		const {database, stores, clock, sessions, onHookUpdate} = options;
		this.#options = options;
		this.feed = new EventFeed(database.events, stores.events, clock);
		this.inbox = new HookInbox({
			...options,
			onUpdate: update => {
				this.#requests?.received(update.event);
				sessions.hookReceived(update.sessionId);
				onHookUpdate?.(update);
			},
			onStored: events => this.feed.received(events),
		});
	}

	/** Listens for events and, where this program may answer them, for permission requests. */
	async start(): Promise<void> {
		const {hooks = {}, answers, clock, stores} = this.#options;
		if (hooks === 'off') return;
		const {connection} = stores;
		this.#receiver = await startHookReceiver({
			...hooks,
			clock,
			onEvents: events => this.inbox.store(events),
			onDrained: () => {
				this.inbox.syncPeers();
				void this.#requests?.keepListening();
			},
			onProblem: error => connection.setState({hooks: problemOf(error, clock.now())}),
			onListenAgain: () => connection.setState({hooks: 'listening'}),
		});
		if (connection.getState().hooks === 'off') connection.setState({hooks: 'listening'});
		if (answers) await this.#listenForRequests(answers.stateFolder, hooks.folder);
	}

	/** Stops listening; resolves when nothing is left to take in. */
	async stop(): Promise<void> {
		this.#clients?.stop();
		await Promise.all([this.#receiver?.close(), this.#requests?.stop()]);
		this.inbox.stop();
		this.feed.stop();
	}

	/** Answers a hook's request; false if the hook no longer waits for it. */
	async answerRequest(id: string, answer: RequestAnswer): Promise<boolean> {
		return (await this.#requests?.answer(id, answer)) ?? false;
	}

	async #listenForRequests(stateFolder: string, folder: string | undefined): Promise<void> {
		const {clock, registry, stores, safeWrite} = this.#options;
		const [{answeredEvent, PermissionRequests}, {openAnswerKey}, {ClientSessions}] = await Promise.all([
			import('../../hook-listeners/permission-requests.ts'),
			import('../../hook-listeners/answer-key.ts'),
			import('./client-sessions.ts'),
		]);
		const onEvent = (event: HookEvent) => safeWrite(() => this.inbox.store([event]));
		const key = openAnswerKey(stateFolder);
		const requests = new PermissionRequests({
			clock,
			folder,
			key,
			onChange: open => registry.setRequests(open),
			onAnswered: (request, option) => onEvent(answeredEvent(request, option, clock.now())),
		});
		this.#requests = requests;
		this.#clients = new ClientSessions({
			clock,
			fleet: stores.fleet,
			onEvent,
			onSignal: signal => registry.putSignal(signal),
			onAnswered: ({id}) => requests.drop(id),
		});
		await requests.keepListening();
		this.#clients.start();
	}
}

import type {RequestAnswer} from '../../domain/sessions/agent-request.ts';
import type {HookEvent} from '../../domain/sessions/hook-event.ts';
import {openAnswerKey} from '../../hook-listeners/answer-key.ts';
import {answeredEvent, PermissionRequests} from '../../hook-listeners/permission-requests.ts';
import type {EngineParts} from '../engine-parts.ts';
import {ClientSessions} from './client-sessions.ts';

type OutsideSessionsOptions = Pick<EngineParts, 'clock' | 'stores' | 'registry'> & {
	/** Holds the key that signs answers. */
	readonly stateFolder: string;
	/** Folder of the socket; defaults to the runtime folder. */
	readonly folder?: string;
	/** Called with events that no hook has reported, to store them. */
	readonly onEvent: (event: HookEvent) => void;
};

/** Follows sessions outside the service by other means than their hook events: hooks' requests, the client's files. */
export class OutsideSessions {
	readonly #requests: PermissionRequests;
	readonly #clients: ClientSessions;

	constructor({clock, stores, registry, stateFolder, folder, onEvent}: OutsideSessionsOptions) {
		const key = openAnswerKey(stateFolder);
		this.#requests = new PermissionRequests({
			clock,
			...(folder !== undefined && {folder}),
			...(key !== undefined && {key}),
			onChange: requests => registry.setRequests(requests),
			onAnswered: (request, option) => onEvent(answeredEvent(request, option, clock.now())),
		});
		this.#clients = new ClientSessions({
			clock,
			fleet: stores.fleet,
			onEvent,
			onSignal: signal => registry.putSignal(signal),
			onAnswered: ({id}) => this.#requests.drop(id),
		});
	}

	async start(): Promise<void> {
		await this.#requests.keepListening();
		this.#clients.start();
	}

	/** Listens again for hooks' requests if the socket was removed. */
	async keepListening(): Promise<void> {
		await this.#requests.keepListening();
	}

	/** Sends the user's answer to the hook that waits for it; false if the hook didn't take it. */
	answer(id: string, answer: RequestAnswer): Promise<boolean> {
		return this.#requests.answer(id, answer);
	}

	received(event: HookEvent): void {
		this.#requests.received(event);
	}

	async stop(): Promise<void> {
		this.#clients.stop();
		await this.#requests.stop();
	}
}

import {randomId} from '../../../hooks/random-id.ts';
import type {RequestOption} from '../../domain/sessions/agent-request.ts';
import type {HookEvent} from '../../domain/sessions/hook-event.ts';
import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import type {Signal} from '../../domain/sessions/signal.ts';
import type {FleetStore} from '../../state/fleet.ts';
import type {Clock} from '../core/clock.ts';
import {answerKey} from './answer-key.ts';
import {ClientSessions} from './client-sessions.ts';
import {PermissionRequests, type RequestAnswer} from './permission-requests.ts';

export type OutsideSessionsOptions = {
	readonly clock: Clock;
	readonly fleet: FleetStore;
	/** Holds the key of headless commands. */
	readonly stateFolder: string;
	/** Folder of the socket; defaults to the runtime folder. */
	readonly folder?: string;
	readonly setRequests: (requests: ReadonlyMap<string, HookRequest>) => void;
	/** Stores events that this program makes of what it sees. */
	readonly onEvent: (event: HookEvent) => void;
	/** Stores what the client's own files add to a signal. */
	readonly onSignal: (signal: Signal) => void;
};

/** What this program knows of sessions outside the service besides their hook events. */
export class OutsideSessions {
	readonly #requests: PermissionRequests;
	readonly #clients: ClientSessions;

	constructor({clock, fleet, stateFolder, folder, setRequests, onEvent, onSignal}: OutsideSessionsOptions) {
		const key = answerKey(stateFolder, true);
		this.#requests = new PermissionRequests({
			clock,
			...(folder !== undefined && {folder}),
			...(key !== undefined && {key}),
			onChange: setRequests,
			onAnswered: (request, option) => onEvent(answeredEvent(request, option, clock.now())),
		});
		this.#clients = new ClientSessions({
			clock,
			fleet,
			onEvent,
			onSignal,
			onAnswered: ({id}) => this.#requests.drop(id),
		});
	}

	async start(): Promise<void> {
		await this.#requests.start();
		this.#clients.start();
	}

	/** Gives the user's answer to the hook that waits for it; false if it doesn't count. */
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

/** No hook tells of an answer. What was asked stays out of it. */
function answeredEvent(
	{client, sessionId, agentPid}: HookRequest,
	option: RequestOption,
	now: number,
): HookEvent {
	const event = 'PermissionAnswered';
	return {
		v: 1,
		id: randomId(),
		ts: now,
		client,
		event,
		pid: process.pid,
		agentPid,
		data: {session_id: sessionId, hook_event_name: event, reason: option === 'no' ? 'denied' : 'allowed'},
		receivedAt: now,
		delivery: 'socket',
	};
}

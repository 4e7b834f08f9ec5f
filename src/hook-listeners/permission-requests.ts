import {createServer, type Socket} from 'node:net';
import {
	askDigest,
	decodeAsk,
	isSignature,
	maxAsk,
	sign,
	signAnswer,
	signTaken,
} from '../../hooks/ask-wire.ts';
import {isObject, type JsonObject, parseObject} from '../../hooks/json.ts';
import {randomId} from '../../hooks/random-id.ts';
import type {Clock} from '../domain/clock.ts';
import type {RequestAnswer, RequestOption} from '../domain/sessions/agent-request.ts';
import {type HookRequest, hookRequest} from '../domain/sessions/hook-request.ts';
import {eventTime, type HookEvent, type HookKind, hookKind} from '../domain/sessions/signal.ts';
import {HookListener} from './hook-listener.ts';

/** Limits of open connections, and of the time until a connection has sent its first line, ms. */
const maxConnections = 64;
const firstLineTime = 2000;
/** How long an answer is valid, ms: the hook ignores one that it reads later. */
export const answerTime = 5000;

export type PermissionRequestsOptions = {
	/** Folder of the socket; defaults to the runtime folder of this environment. */
	readonly folder?: string;
	readonly clock: Clock;
	/** Signs answers, and lets headless commands of this user list and answer requests; without it, nothing can answer. */
	readonly key?: string;
	/** Called with all open requests, by id, oldest first, after each change. */
	readonly onChange: (requests: ReadonlyMap<string, HookRequest>) => void;
	/** Called when a hook has taken the user's answer. */
	readonly onAnswered: (request: HookRequest, option: RequestOption) => void;
};

/** An open request and the connection of its hook. `given` is set while the hook hasn't confirmed an answer. */
type Open = {
	readonly request: HookRequest;
	readonly socket: Socket;
	given?: {
		/** What the hook sends if it takes the answer. */
		readonly taken: string;
		readonly settle: (isTaken: boolean) => void;
	};
};

/** Events after which the permission prompt of their session can no longer be open. */
const endKinds: ReadonlySet<HookKind> = new Set([
	'started',
	'prompted',
	'idle',
	'stopped',
	'failed',
	'cleared',
	'ended',
	'interrupted',
]);

/**
 * The permission requests of clients outside the service, while their hooks wait (`hooks/ask-wire.ts`). Their content
 * stays in memory: it is never logged or stored.
 */
export class PermissionRequests {
	readonly #options: PermissionRequestsOptions;
	readonly #open = new Map<string, Open>();
	readonly #connections = new Set<Socket>();
	readonly #listener: HookListener;
	#isStopped = false;

	constructor(options: PermissionRequestsOptions) {
		this.#options = options;
		this.#listener = new HookListener({
			kind: 'ask',
			folder: options.folder,
			clock: options.clock,
			maxConnections,
			createServer: () => createServer(socket => this.#serve(socket)),
		});
	}

	/** Listens. Call it regularly, since a cleaner of temporary folders may remove the socket. Never rejects. */
	keepListening(): Promise<void> {
		return this.#listener.keepListening();
	}

	/** Ends all connections: hooks that wait end without an answer. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		const closed = this.#listener.close();
		for (const connection of this.#connections) connection.destroy();
		await closed;
	}

	/** Sends the user's answer to the hook. False if the hook has ended, has another answer, or confirms too late. */
	async answer(id: string, {option: word, words}: RequestAnswer): Promise<boolean> {
		const open = this.#open.get(id);
		const option = open?.request.options.find(each => each.word === word);
		const {clock, key} = this.#options;
		if (!open || open.given || !option || key === undefined) return false;
		const {promise, resolve} = Promise.withResolvers<boolean>();
		const {allows, applies = []} = option;
		const answer = {answer: id, allows, applies, until: clock.now() + answerTime, words: words || undefined};
		const signature = signAnswer(key, answer);
		open.given = {taken: signTaken(key, {signature}), settle: resolve};
		open.socket.write(`${JSON.stringify({...answer, signature})}\n`);
		const cancel = clock.after(answerTime, () => open.socket.destroy());
		const isTaken = await promise;
		cancel();
		if (isTaken) this.#options.onAnswered(open.request, option);
		return isTaken;
	}

	/** Drops the requests that are over according to an event of their session. */
	received(event: HookEvent): void {
		if (this.#open.size === 0 || !endKinds.has(hookKind(event.event, event.data))) return;
		const {session_id: sessionId, agent_id: agentId} = event.data;
		const at = eventTime(event);
		for (const {request, socket} of this.#open.values()) {
			const isOfAgent = agentId === undefined || agentId === request.agentId;
			if (request.sessionId === sessionId && isOfAgent && at > request.createdAt) socket.destroy();
		}
	}

	/** Drops a request that was answered in its client. */
	drop(id: string): void {
		this.#open.get(id)?.socket.destroy();
	}

	#serve(socket: Socket): void {
		this.#connections.add(socket);
		let parts: Buffer[] = [];
		let size = 0;
		let open: Open | undefined;
		const stopWaiting = this.#options.clock.after(firstLineTime, () => socket.destroy());
		socket.on('data', bytes => {
			const end = bytes.indexOf(0x0a);
			size += bytes.length;
			if (size > maxAsk || (end >= 0 && end < bytes.length - 1)) {
				socket.destroy();
				return;
			}
			parts.push(bytes);
			if (end < 0) return;
			const line = Buffer.concat(parts).toString('utf8');
			parts = [];
			size = 0;
			stopWaiting();
			if (open) this.#confirm(open, line);
			else open = this.#receive(socket, line);
		});
		socket.on('error', () => {});
		socket.on('close', () => {
			stopWaiting();
			this.#connections.delete(socket);
			if (open) this.#close(open);
		});
	}

	/** Handles the first line of a connection: a hook's request, or a headless command's. */
	#receive(socket: Socket, line: string): Open | undefined {
		const ask = decodeAsk(line);
		const request = ask && hookRequest({...ask, id: askDigest(line)});
		if (!request) {
			void this.#command(socket, line);
			return undefined;
		}
		if (this.#open.has(request.id)) {
			socket.destroy();
			return undefined;
		}
		const open = {request, socket};
		this.#open.set(request.id, open);
		this.#report();
		return open;
	}

	#confirm(open: Open, line: string): void {
		const {given} = open;
		if (given && parseObject(line)?.taken === given.taken) this.#close(open, true);
		open.socket.destroy();
	}

	#close(open: Open, isTaken = false): void {
		if (this.#open.get(open.request.id) !== open) return;
		this.#open.delete(open.request.id);
		this.#report();
		open.given?.settle(isTaken);
	}

	#report(): void {
		if (this.#isStopped) return;
		const requests = [...this.#open.values()].map(({request}) => request);
		requests.sort((a, b) => a.createdAt - b.createdAt);
		this.#options.onChange(new Map(requests.map(request => [request.id, request])));
	}

	/**
	 * Answers the calls `{list: true}` and `{give: {id, option, words}}` of a headless command. Both sides sign: whoever
	 * listens must not learn the key, nor show requests of their own. Anything else ends the connection.
	 */
	async #command(socket: Socket, line: string): Promise<void> {
		const {call, until, signature} = parseObject(line) ?? {};
		const {clock, key} = this.#options;
		const isValid = key !== undefined && isSignature(signature, key, ['call', until, call]);
		const isInTime = typeof until === 'number' && clock.now() <= until;
		const reply = isValid && isInTime && isObject(call) ? await this.#reply(call) : undefined;
		if (key === undefined || !reply) socket.destroy();
		else socket.end(`${JSON.stringify({reply, signature: sign(key, ['reply', signature, reply])})}\n`);
	}

	async #reply({list, give}: JsonObject): Promise<object | undefined> {
		if (list === true) return {requests: [...this.#open.values()].map(({request}) => request)};
		const {id, option, words} = isObject(give) ? give : {};
		if (typeof id !== 'string' || typeof option !== 'string') return undefined;
		return {taken: await this.answer(id, {option, words: typeof words === 'string' ? words : undefined})};
	}
}

/** The event for an answer, which no hook reports. Doesn't include what was asked. */
export function answeredEvent(
	{client, sessionId, agentPid}: HookRequest,
	{allows}: RequestOption,
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
		data: {session_id: sessionId, hook_event_name: event, reason: allows ? 'allowed' : 'denied'},
		receivedAt: now,
		delivery: 'socket',
	};
}

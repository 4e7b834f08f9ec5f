import type {Server} from 'node:net';
import {
	closePrivately,
	listenPrivately,
	type PrivateSocket,
	sweepSockets,
} from '../../hooks/private-socket.ts';
import {currentEnvironment, openRuntimeFolder} from '../../hooks/runtime-folder.ts';
import type {SocketKind} from '../../hooks/sockets.ts';
import type {Clock} from '../domain/clock.ts';

type HookListenerOptions = {
	readonly kind: SocketKind;
	/** Folder of the socket; defaults to the runtime folder of this environment. */
	readonly folder: string | undefined;
	readonly clock: Clock;
	readonly maxConnections: number;
	readonly createServer: () => Server;
	/** Called when it can't listen, but not again for the next attempt, and for problems of the server. */
	readonly onProblem?: (problem: Error) => void;
	/** Called each time listening works again. */
	readonly onListenAgain?: (() => void) | undefined;
};

/** A socket of this process for hooks. A cleaner of temporary folders, or a logout, may remove it: then it is made again. */
export class HookListener {
	readonly #options: HookListenerOptions;
	#current: {readonly server: Server; readonly socket: PrivateSocket} | undefined;
	#listening: Promise<void> | undefined;
	#hasTried = false;
	#isRefused = false;
	#isClosed = false;

	constructor(options: HookListenerOptions) {
		this.#options = options;
	}

	/** Path of the socket, which may change; undefined while it can't listen. */
	get file(): string | undefined {
		return this.#current?.socket.file;
	}

	/** Listens, unless it does. Call it regularly. Never rejects. */
	async keepListening(): Promise<void> {
		if (this.#isClosed || this.#current?.socket.isInPlace()) return;
		this.#listening ??= this.#listenAgain().finally(() => {
			this.#listening = undefined;
		});
		await this.#listening;
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#listening;
		if (this.#current) await closePrivately(this.#current.server, this.#current.socket);
	}

	async #listenAgain(): Promise<void> {
		const {onProblem, onListenAgain} = this.#options;
		if (this.#current) void closePrivately(this.#current.server, this.#current.socket);
		this.#current = undefined;
		const isFirst = !this.#hasTried;
		this.#hasTried = true;
		try {
			await this.#listen();
			this.#isRefused = false;
			if (!isFirst) onListenAgain?.();
		} catch (error) {
			if (!this.#isRefused) onProblem?.(error as Error);
			this.#isRefused = true;
		}
	}

	async #listen(): Promise<void> {
		const {kind, clock, maxConnections, createServer, onProblem} = this.#options;
		const environment = currentEnvironment();
		const folder = this.#options.folder ?? openRuntimeFolder(environment);
		const server = createServer();
		server.maxConnections = maxConnections;
		const socket = await listenPrivately(server, {
			kind,
			folder,
			environment,
			startedAt: clock.now(),
			backlog: maxConnections,
		});
		server.on('error', error => onProblem?.(error));
		this.#current = {server, socket};
		void sweepSockets(folder, environment, kind);
	}
}

import type {Stats} from 'node:fs';
import {connect, type Server} from 'node:net';
import {statOf} from '../../hooks/private-socket.ts';
import {randomId} from '../../hooks/random-id.ts';
import {currentEnvironment, openRuntimeFolder, type RuntimeEnvironment} from '../../hooks/runtime-folder.ts';
import {findSockets, formatSocketName, removeIfDead, type SocketKind} from '../../hooks/sockets.ts';
import type {Clock} from '../domain/clock.ts';
import {listenAt} from './listen-at.ts';

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

/** A server that listens, and the file of its socket as it was made. */
type Listening = {readonly server: Server; readonly file: string; readonly made: Stats | undefined};

/**
 * A socket of this process for hooks, which only its user can reach. A cleaner of temporary folders, or a logout, may
 * remove it: then it is made again.
 */
export class HookListener {
	readonly #options: HookListenerOptions;
	#current: Listening | undefined;
	#attempt: Promise<void> | undefined;
	#hasTried = false;
	#isRefused = false;
	#isClosed = false;

	constructor(options: HookListenerOptions) {
		this.#options = options;
	}

	/** Path of the socket, which may change; undefined while it can't listen. */
	get file(): string | undefined {
		return this.#current?.file;
	}

	/** Listens, unless it does. Call it regularly. Never rejects. */
	async keepListening(): Promise<void> {
		if (this.#isClosed || (this.#current && isInPlace(this.#current))) return;
		this.#attempt ??= this.#listenAgain().finally(() => {
			this.#attempt = undefined;
		});
		await this.#attempt;
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#attempt;
		if (this.#current) await stop(this.#current);
	}

	async #listenAgain(): Promise<void> {
		const {onProblem, onListenAgain} = this.#options;
		if (this.#current) void stop(this.#current);
		this.#current = undefined;
		const isFirst = !this.#hasTried;
		this.#hasTried = true;
		try {
			this.#current = await listen(this.#options);
			this.#isRefused = false;
			if (!isFirst) onListenAgain?.();
		} catch (error) {
			if (!this.#isRefused) onProblem?.(error as Error);
			this.#isRefused = true;
		}
	}
}

/** The name is unique: closing a server removes its path even if another process listens there by then. */
async function listen(options: HookListenerOptions): Promise<Listening> {
	const {kind, clock, maxConnections, createServer, onProblem} = options;
	const environment = currentEnvironment();
	const folder = options.folder ?? openRuntimeFolder(environment);
	const server = createServer();
	server.maxConnections = maxConnections;
	const tag = randomId().replaceAll('-', '').slice(0, 8);
	const name = formatSocketName({startedAt: clock.now(), pid: process.pid, tag}, kind);
	const file = `${folder}/${name}`;
	await listenAt(server, file, maxConnections, 'XDG_RUNTIME_DIR');
	server.on('error', error => onProblem?.(error));
	sweep(folder, environment, kind);
	return {server, file, made: statOf(file)};
}

function isInPlace({file, made}: Listening): boolean {
	const found = statOf(file);
	return found !== undefined && found.ino === made?.ino && found.dev === made.dev;
}

/** Node removes the socket. */
function stop({server}: Listening): Promise<void> {
	return new Promise(resolve => void server.close(() => resolve()));
}

/** Removes the sockets that dead processes left: those that refuse a connection and whose process no longer exists. */
function sweep(folder: string, environment: RuntimeEnvironment, kind: SocketKind): void {
	for (const socket of findSockets([folder], environment, kind)) {
		const probe = connect(socket.file);
		probe.on('connect', () => probe.destroy());
		probe.on('error', (error: NodeJS.ErrnoException) => {
			if (error.code === 'ECONNREFUSED') removeIfDead(socket);
		});
	}
}

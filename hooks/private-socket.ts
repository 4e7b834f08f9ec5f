import {lstatSync, type Stats, unlinkSync, writeFileSync} from 'node:fs';
import {connect, type Server} from 'node:net';
import {randomId} from './random-id.ts';
import {isPrivateFolder, type RuntimeEnvironment} from './runtime-folder.ts';
import {
	endpoint,
	findSockets,
	formatSocketName,
	maxSocketPath,
	removeIfDead,
	type SocketKind,
} from './sockets.ts';

/** A socket owned by this process that only its user can reach. `file` is its path on disk. */
export type PrivateSocket = {
	readonly file: string;
	/** Whether the file is still the one we created. Cleaners of temporary folders may delete it or its folder. */
	isInPlace(): boolean;
};

/** The folder exists, but no socket in it can be listened on. */
export class PrivateSocketError extends Error {
	override readonly name = 'PrivateSocketError';
}

type PrivateSocketOptions = {
	readonly kind: SocketKind;
	/** A folder only this user can access: nobody else can connect in it or replace our socket. */
	readonly folder: string;
	readonly environment: RuntimeEnvironment;
	/** Unix ms. */
	readonly startedAt: number;
	readonly backlog: number;
};

/**
 * Makes `server` listen on a new socket with a unique name: closing a server removes its path even if another
 * process listens there by then. Rejects with `PrivateSocketError`.
 */
export async function listenPrivately(
	server: Server,
	{kind, folder, environment, startedAt, backlog}: PrivateSocketOptions,
): Promise<PrivateSocket> {
	const {platform} = environment;
	const tag = randomId()
		.replaceAll('-', '')
		.slice(0, platform === 'win32' ? 32 : 8);
	const name = formatSocketName({startedAt, pid: process.pid, tag}, kind);
	const file = `${folder}/${name}`;
	await listenAt(server, endpoint(folder, name, platform), backlog, 'XDG_RUNTIME_DIR');
	if (platform === 'win32') writeFileSync(file, '', {mode: 0o600});
	const created = statOf(file);
	return {
		file,
		isInPlace() {
			const found = statOf(file);
			return found !== undefined && found.ino === created?.ino && found.dev === created.dev;
		},
	};
}

/** Listens at an address that only this user can open. Rejects with `PrivateSocketError`; `folder` names the variable to set. */
export async function listenAt(
	server: Server,
	address: string,
	backlog: number,
	folder = 'XDG_STATE_HOME',
): Promise<void> {
	if (Buffer.byteLength(address) > maxSocketPath)
		throw new PrivateSocketError(
			`the path ${address} is too long for a socket: set ${folder} to a shorter one`,
		);
	return new Promise((resolve, reject) => {
		const fail = (cause: Error) =>
			reject(new PrivateSocketError(`can't listen on ${address}: ${cause.message}`, {cause}));
		server.once('error', fail);
		// `listen` creates the socket synchronously, so the umask closes it to others from the start.
		const mask = process.umask(0o177);
		try {
			server.listen({path: address, backlog}, () => {
				server.off('error', fail);
				resolve();
			});
		} finally {
			process.umask(mask);
		}
	});
}

/** Stops listening. Node removes the socket; on Windows we must remove the file that announces the pipe. */
export function closePrivately(server: Server, {file}: PrivateSocket): Promise<void> {
	return new Promise(resolve => {
		server.close(() => resolve());
		try {
			unlinkSync(file);
		} catch {
			// Removed by the server.
		}
	});
}

/**
 * Why another process's socket can't be trusted, or undefined if it can: it must be a real socket of this
 * user in a folder only this user can access. Node can't identify the listener, so check this before sending
 * anything.
 */
export function socketProblem(file: string, environment: RuntimeEnvironment): string | undefined {
	const folder = file.slice(0, file.lastIndexOf('/'));
	if (!statOf(folder)) return `${folder} is gone`;
	if (!isPrivateFolder(folder, environment)) return `${folder} is not a folder of yours with mode 0700`;
	const found = statOf(file);
	if (!found) return `${file} is gone`;
	if (environment.platform === 'win32') return found.isFile() ? undefined : `${file} is not a file`;
	if (!found.isSocket()) return `${file} is not a socket`;
	return found.uid === environment.uid ? undefined : `${file} belongs to another user`;
}

/**
 * Removes the sockets of one kind that dead processes left in `folder`: those that refuse a connection and
 * whose process no longer exists.
 */
export async function sweepSockets(
	folder: string,
	environment: RuntimeEnvironment,
	kind: SocketKind,
): Promise<void> {
	await Promise.all(
		findSockets([folder], environment, kind).map(
			socket =>
				new Promise<void>(resolve => {
					const probe = connect(socket.address);
					probe.on('connect', () => probe.destroy());
					probe.on('error', (error: NodeJS.ErrnoException) => {
						if (error.code === 'ECONNREFUSED') removeIfDead(socket);
					});
					probe.on('close', () => resolve());
				}),
		),
	);
}

function statOf(file: string): Stats | undefined {
	try {
		return lstatSync(file, {throwIfNoEntry: false});
	} catch {
		return undefined;
	}
}

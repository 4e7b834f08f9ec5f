import {once} from 'node:events';
import {chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {formatSocketName} from '../../hooks/sockets.ts';
import {formatSpoolName, maxSpoolFiles} from '../../hooks/spool.ts';
import type {Envelope} from '../../hooks/wire.ts';
import {systemClock} from '../../src/domain/clock.ts';
import {startHookReceiver} from '../../src/hook-listeners/hook-receiver.ts';
import type {HookFolders} from './hook-folders.ts';

/** The state of the machine when a hook runs, and the way its event then takes. */
export type HookScene = {
	readonly name: string;
	readonly way: 'socket' | 'spool' | 'nowhere';
	set(folders: HookFolders): Promise<SetScene>;
};

/** A scene in its folders, for any number of hooks one after the other. */
export type SetScene = {
	readonly env: NodeJS.ProcessEnv;
	/** What each program received; the lists fill as it comes. */
	readonly received: readonly Envelope[][];
	spooled(): Envelope[];
	/** Restores the state from before the hook ran. */
	reset(): Promise<void>;
	close(): Promise<void>;
};

/** A listening program; the list collects the events it receives. */
export async function receive(
	folders: HookFolders,
): Promise<{received: Envelope[]; close: () => Promise<void>}> {
	const received: Envelope[] = [];
	makeRuntime(folders);
	const receiver = await startHookReceiver({
		folder: folders.runtime,
		spoolFolder: join(folders.root, 'no-spool'),
		clock: systemClock,
		onEvents(events) {
			for (const {receivedAt, delivery, ...envelope} of events) received.push(envelope);
		},
		onProblem(problem) {
			throw problem;
		},
	});
	return {received, close: receiver.close};
}

/** A program that accepts and reads, but never answers. */
export async function hang(folders: HookFolders, onLine: (line: string) => void = () => {}): Promise<Server> {
	makeRuntime(folders);
	const server = createServer(socket => {
		socket.on('data', bytes => onLine(String(bytes)));
		socket.on('error', () => {});
	});
	await listen(server, join(folders.runtime, socketName(process.pid)));
	return server;
}

/** Leaves the socket of a program that is gone: it refuses, and its pid can't be anybody's. Answers its path. */
export async function leaveSocket(folders: HookFolders): Promise<string> {
	makeRuntime(folders);
	const socket = join(folders.runtime, socketName(2 ** 22 + 1));
	const server = createServer();
	// Closing removes a socket by the name it was bound to: under another it stays.
	await listen(server, `${socket}-`);
	renameSync(`${socket}-`, socket);
	await close(server);
	return socket;
}

/** Fills a spool up to its limit with old events. */
function fillSpool({spool}: HookFolders): void {
	mkdirSync(spool, {recursive: true, mode: 0o700});
	const start = Date.now() - 60_000;
	for (let i = readdirSync(spool).length; i < maxSpoolFiles; i++) {
		const name = formatSpoolName({ts: start + i, id: `filler-${i}`, bytes: 3});
		writeFileSync(join(spool, name), '{}\n', {mode: 0o600});
	}
}

/** The environment with a home and a state folder that can't be created. */
function unwritableHome({env}: HookFolders): NodeJS.ProcessEnv {
	return {...env, XDG_STATE_HOME: '/dev/null/state', HOME: '/dev/null'};
}

export const hookScenes: readonly HookScene[] = [
	{name: 'no program runs', way: 'spool', set: folders => scene(folders)},
	{
		name: 'one program runs',
		way: 'socket',
		set: async folders => scene(folders, {programs: [await receive(folders)]}),
	},
	{
		name: 'two programs run',
		way: 'socket',
		set: async folders => scene(folders, {programs: [await receive(folders), await receive(folders)]}),
	},
	{
		name: 'one of two programs hangs',
		way: 'socket',
		set: async folders =>
			scene(folders, {servers: [await hang(folders)], programs: [await receive(folders)]}),
	},
	{
		name: 'all programs hang',
		way: 'spool',
		set: async folders => scene(folders, {servers: [await hang(folders), await hang(folders)]}),
	},
	{
		name: 'a dead program left its socket',
		way: 'spool',
		set: async folders => {
			const restore = () => leaveSocket(folders);
			await restore();
			return scene(folders, {restore});
		},
	},
	{
		name: 'the spool is full',
		way: 'spool',
		set: async folders => {
			const restore = () => fillSpool(folders);
			restore();
			return scene(folders, {restore});
		},
	},
	{
		name: 'the home can not be written',
		way: 'spool',
		set: folders => scene(folders, {env: unwritableHome(folders), spools: [join(folders.runtime, 'spool')]}),
	},
	{
		name: 'mkdir in the state folder never ends by itself',
		way: 'spool',
		set: folders =>
			scene(folders, {
				env: {...folders.env, XDG_STATE_HOME: '/proc/1'},
				spools: [join(folders.root, 'home/.local/state/quarterdeck/spool')],
			}),
	},
	{
		name: 'others may enter the folder in which a program listens',
		way: 'spool',
		set: async folders => {
			const program = await receive(folders);
			chmodSync(folders.runtime, 0o755);
			return scene(folders, {programs: [program]});
		},
	},
	{
		name: 'nothing can be written',
		way: 'nowhere',
		set: folders =>
			scene(folders, {env: {...unwritableHome(folders), XDG_RUNTIME_DIR: '/dev/null', TMPDIR: '/dev/null'}}),
	},
];

type Parts = {
	readonly env?: NodeJS.ProcessEnv;
	readonly programs?: readonly Awaited<ReturnType<typeof receive>>[];
	readonly servers?: readonly Server[];
	readonly spools?: readonly string[];
	readonly restore?: () => unknown;
};

async function scene(
	folders: HookFolders,
	{env = folders.env, programs = [], servers = [], spools = [folders.spool], restore = () => {}}: Parts = {},
): Promise<SetScene> {
	return {
		env,
		received: programs.map(({received}) => received),
		spooled: () => spools.flatMap(folder => folders.spooled(folder)).filter(isEnvelope),
		async reset() {
			for (const {received} of programs) received.length = 0;
			for (const folder of spools) {
				for (const name of namesIn(folder)) if (!name.includes('-filler-')) rmSync(join(folder, name));
			}
			await restore();
		},
		async close() {
			await Promise.all([...programs.map(program => program.close()), ...servers.map(close)]);
		},
	};
}

/** What fills a spool is none. */
function isEnvelope(value: Envelope): boolean {
	return 'id' in value;
}

function makeRuntime({runtime}: HookFolders): void {
	mkdirSync(runtime, {recursive: true, mode: 0o700});
}

function socketName(pid: number): string {
	const tag = Math.random().toString(16).slice(2, 10).padEnd(8, '0');
	return formatSocketName({startedAt: Date.now(), pid, tag});
}

async function listen(server: Server, path: string): Promise<void> {
	server.listen(path);
	await once(server, 'listening');
}

function close(server: Server): Promise<void> {
	return new Promise(resolve => void server.close(() => resolve()));
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

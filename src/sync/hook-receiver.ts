import {createServer, type Server, type Socket} from 'node:net';
import {
	closePrivately,
	listenPrivately,
	type PrivateSocket,
	sweepSockets,
} from '../../hooks/private-socket.ts';
import {currentEnvironment, openRuntimeFolder} from '../../hooks/runtime-folder.ts';
import {maxSpoolFiles, spoolFolders} from '../../hooks/spool.ts';
import type {Envelope} from '../../hooks/wire.ts';
import type {HookEvent} from '../domain/hook-event.ts';
import type {Clock} from './clock.ts';
import {createHookBatch, type SaveEvents} from './hook-batch.ts';
import {serveHookConnection} from './hook-connection.ts';
import {drainSpool} from './spool-drain.ts';

/**
 * Hooks that may wait to be let in: as many as come in a tenth of a second at 5,000 a second. In a longer queue all of
 * them wait until they give up, and none is answered in time; one that is refused at once spools.
 */
const backlog = 511;
/** Connections at once: as many as a flood of 5,000 a second opens while one waits for its answer. A hook that isn't let in spools. */
const maxConnections = 768;
/** How often the spool is looked at while the socket works, and when events come by the spool alone, ms. */
const drainEvery = 10_000;
const drainAloneEvery = 2000;
/** After a hook was not let in or not answered, and while the spool fills: long enough for it to have spooled, ms. */
const drainSoon = 250;
/** The same while the spool is half full or more: another look finds it full, and what it gives up then is lost. */
const drainAtOnce = 20;

export type HookReceiverOptions = {
	/** Where to listen; the runtime folder of this environment when absent. */
	readonly folder?: string;
	/** The spool to drain; all that hooks of this user may write to when absent. */
	readonly spoolFolder?: string;
	readonly clock: Clock;
	/**
	 * Keeps events of one delivery, in the order in which they came; they are acknowledged or taken from the spool once this returns or
	 * resolves. A throw leaves all of them with their senders. The same event may be given again: envelope ids tell.
	 */
	readonly onEvents: SaveEvents;
	/** After each look into the spool: another program may have taken what was in it. */
	readonly onDrained?: () => void;
	/** Why hook events can't be listened for or kept; the receiver goes on by the spool. */
	readonly onProblem: (problem: Error) => void;
	/** Told each time that hooks can be listened for again, after the socket was lost. */
	readonly onListenAgain?: () => void;
};

export type HookReceiver = {
	/**
	 * The socket's file; absent when there is none and events come by the spool alone. It changes when the file or its
	 * folder was removed.
	 */
	readonly socket: string | undefined;
	/** Hands over what is in the spool now. Never rejects: problems go to `onProblem`. */
	drain(): Promise<void>;
	/** Ends listening and every timer, and removes our own socket; resolves when the events at hand are kept. */
	close(): Promise<void>;
};

/** Receives hook events by a socket of this process and from the spool. Resolves once it listens. */
export async function startHookReceiver(options: HookReceiverOptions): Promise<HookReceiver> {
	const {clock, onEvents, onProblem} = options;
	const environment = currentEnvironment();
	const folders = options.spoolFolder ? [options.spoolFolder] : [...spoolFolders(environment)];
	const connections = new Set<Socket>();
	let onAllEnded = () => {};
	let listener: {readonly server: Server; readonly socket: PrivateSocket} | undefined;
	/** Did the last attempt to listen fail? It is said once, not at each attempt. */
	let isRefused = false;
	let listening: Promise<void> | undefined;
	let draining: Promise<number> | undefined;
	let isClosed = false;
	let dueAt = Number.POSITIVE_INFINITY;
	let stopTimer = () => {};

	const report = (error: unknown) => onProblem(error instanceof Error ? error : new Error(String(error)));
	const received = (envelope: Envelope, delivery: HookEvent['delivery']): HookEvent => ({
		...envelope,
		receivedAt: clock.now(),
		delivery,
	});
	const batch = createHookBatch(onEvents, clock);
	const saveSpooled = (envelopes: readonly Envelope[]) =>
		envelopes.length > 0 ? onEvents(envelopes.map(envelope => received(envelope, 'spool'))) : undefined;
	/** Answers how many files there were. */
	const drainNow = () => {
		draining ??= drainSpool({folders, environment, now: clock.now, save: saveSpooled})
			.catch(error => {
				report(error);
				return 0;
			})
			.finally(() => {
				draining = undefined;
			});
		return draining;
	};
	/** The soonest of what was asked for: a flood of refusals doesn't put the drain off. */
	const drainAfter = (ms: number) => {
		const at = clock.now() + ms;
		if (isClosed || at >= dueAt) return;
		dueAt = at;
		stopTimer();
		stopTimer = clock.after(ms, () => {
			dueAt = Number.POSITIVE_INFINITY;
			void drainAndWait();
		});
	};
	/** While the spool fills, ten seconds of it are more than it holds. */
	const waitAfter = (found: number) => {
		if (found > 0) return found < maxSpoolFiles / 2 ? drainSoon : drainAtOnce;
		return listener ? drainEvery : drainAloneEvery;
	};
	const drainAndWait = async () => {
		await keepListening();
		const found = await drainNow();
		if (!isClosed) options.onDrained?.();
		drainAfter(waitAfter(found));
	};
	const serve = (connection: Socket) => {
		const save = async (envelope: Envelope) => {
			try {
				await batch.save(received(envelope, 'socket'));
			} catch (error) {
				report(error);
				throw error;
			}
		};
		connections.add(connection);
		const onEnd = (isLeft: boolean) => {
			connections.delete(connection);
			if (isLeft) drainAfter(drainSoon);
			if (connections.size === 0) onAllEnded();
		};
		serveHookConnection(connection, {clock, save, onEnd});
	};

	const listen = async () => {
		const folder = options.folder ?? openRuntimeFolder(environment);
		const server = createServer({allowHalfOpen: true});
		const socket = await listenPrivately(server, {
			kind: 'hook',
			folder,
			environment,
			startedAt: clock.now(),
			backlog,
		});
		listener = {server, socket};
		server.maxConnections = maxConnections;
		server.on('connection', serve);
		server.on('drop', () => drainAfter(drainSoon));
		server.on('error', report);
		void sweepSockets(folder, environment, 'hook');
	};
	/** Listens, anew if the socket was removed: by a cleaner of temporary folders, or with the session at logout. */
	const keepListening = () => {
		listening ??= (async () => {
			if (isClosed || listener?.socket.isInPlace()) return;
			const lost = listener;
			if (lost) void closePrivately(lost.server, lost.socket);
			listener = undefined;
			try {
				await listen();
				if (lost || isRefused) options.onListenAgain?.();
				isRefused = false;
			} catch (error) {
				if (!isRefused) report(error);
				isRefused = true;
			}
		})().finally(() => {
			listening = undefined;
		});
		return listening;
	};

	await keepListening();
	void drainAndWait();

	return {
		get socket() {
			return listener?.socket.file;
		},
		async drain() {
			await drainNow();
		},
		async close() {
			isClosed = true;
			stopTimer();
			batch.close();
			await listening;
			const closed = listener && closePrivately(listener.server, listener.socket);
			const ended = new Promise<void>(resolve => {
				onAllEnded = resolve;
				if (connections.size === 0) resolve();
			});
			for (const connection of connections) connection.destroySoon();
			await Promise.all([closed, draining, ended]);
		},
	};
}

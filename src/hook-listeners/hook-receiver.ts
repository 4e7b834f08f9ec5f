import {createServer, type Socket} from 'node:net';
import {currentEnvironment} from '../../hooks/runtime-folder.ts';
import {spoolFolders} from '../../hooks/spool.ts';
import {type Acknowledgement, decodeEnvelope, type Envelope, maxLine} from '../../hooks/wire.ts';
import type {Clock} from '../domain/clock.ts';
import type {HookEvent} from '../domain/sessions/signal.ts';
import {createHookBatch, type SaveEvents} from './hook-batch.ts';
import {HookListener} from './hook-listener.ts';
import {drainSpool} from './spool-drain.ts';

/** Maximum hooks at once, and so events per write: a few ms of work, so that keys aren't delayed. The others use the spool. */
const maxConnections = 100;
/** How often the spool is checked while the socket works, and while events come only through the spool, ms. */
const drainInterval = 10_000;
const spoolOnlyInterval = 2000;
/** Delay after a hook was refused and while the spool fills, ms: the hook has written by then. */
const soonInterval = 250;
/** How long a hook may take to send its line, ms. */
const maxSilence = 2000;
const newline = 0x0a;

export type HookReceiverOptions = {
	/** Folder of the socket; defaults to the runtime folder of this environment. */
	readonly folder?: string;
	/** Spool folder to drain; defaults to all spool folders that this user's hooks may write to. */
	readonly spoolFolder?: string;
	readonly clock: Clock;
	/**
	 * Saves the events of one delivery, in order of arrival. Once this returns or resolves, they are
	 * acknowledged or removed from the spool; if it throws, all of them stay with their senders. The same event
	 * may be passed again: compare envelope ids.
	 */
	readonly onEvents: SaveEvents;
	/** Called after each check of the spool: another program may have taken its files. */
	readonly onDrained?: () => void;
	/** Called when hook events can't be received or saved; the receiver continues with the spool. */
	readonly onProblem: (problem: Error) => void;
	/** Called each time listening works again after the socket was lost. */
	readonly onListenAgain?: () => void;
};

export type HookReceiver = Awaited<ReturnType<typeof startHookReceiver>>;

/** Receives hook events through a socket of this process and from the spool. Resolves once it listens. */
export async function startHookReceiver(options: HookReceiverOptions) {
	const {clock, onEvents, onProblem} = options;
	const environment = currentEnvironment();
	const folders = options.spoolFolder ? [options.spoolFolder] : [...spoolFolders(environment)];
	const connections = new Set<Socket>();
	let onAllEnded = () => {};
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
	/** Returns the number of files found. */
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
	/** The earliest request wins, so that a flood of refused connections doesn't postpone the drain. */
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
	const drainAndWait = async () => {
		await listener.keepListening();
		const found = await drainNow();
		if (!isClosed) options.onDrained?.();
		// Within ten seconds it would overflow.
		drainAfter(found > 0 ? soonInterval : listener.file ? drainInterval : spoolOnlyInterval);
	};
	const serve = (connection: Socket) => {
		const save = (envelope: Envelope) =>
			batch.save(received(envelope, 'socket')).catch(error => {
				report(error);
				throw error;
			});
		connections.add(connection);
		serveHookConnection(connection, clock, save, isBroken => {
			connections.delete(connection);
			if (isBroken) drainAfter(soonInterval);
			if (connections.size === 0) onAllEnded();
		});
	};

	const listener = new HookListener({
		kind: 'hook',
		folder: options.folder,
		clock,
		maxConnections,
		createServer: () => createServer({allowHalfOpen: true}, serve).on('drop', () => drainAfter(soonInterval)),
		onProblem: report,
		onListenAgain: options.onListenAgain,
	});

	await listener.keepListening();
	void drainAndWait();

	return {
		/** Path of the socket, which may change; `undefined` if events come only through the spool. */
		get socket() {
			return listener.file;
		},
		/** Processes the files now in the spool. Never rejects: problems go to `onProblem`. */
		async drain() {
			await drainNow();
		},
		/** Stops listening, clears all timers and removes the socket; resolves when pending events are saved. */
		async close() {
			isClosed = true;
			stopTimer();
			batch.close();
			const closed = listener.close();
			const ended = new Promise<void>(resolve => {
				onAllEnded = resolve;
				if (connections.size === 0) resolve();
			});
			for (const connection of connections) connection.destroySoon();
			await Promise.all([closed, draining, ended]);
		},
	};
}

/**
 * Serves one half-open connection: its first line is an envelope, answered with `{"ok": id}` once `save` has put it on
 * disk. Then the connection ends, as it does on a line that is no envelope or too long, and after two seconds without one.
 * `onEnd` is called when it is closed and nothing is being saved; `isBroken`: the peer broke it off.
 */
function serveHookConnection(
	socket: Socket,
	clock: Clock,
	save: (envelope: Envelope) => Promise<void>,
	onEnd: (isBroken: boolean) => void,
): void {
	let unread = Buffer.alloc(0);
	let isTaken = false;
	let isBroken = false;
	let saving: Promise<void> | undefined;
	const stopTimer = clock.after(maxSilence, () => socket.destroy());

	function take(line: string | undefined): void {
		isTaken = true;
		stopTimer();
		const envelope = line === undefined ? undefined : decodeEnvelope(line);
		if (!envelope) {
			socket.destroy();
			return;
		}
		const answer: Acknowledgement = {ok: envelope.id};
		saving = save(envelope).then(
			() => {
				socket.write(`${JSON.stringify(answer)}\n`);
				socket.destroySoon();
			},
			// Without an acknowledgment, the hook writes to the spool.
			() => void socket.destroy(),
		);
	}

	socket.on('data', bytes => {
		if (isTaken) return;
		unread = Buffer.concat([unread, bytes]);
		const at = unread.indexOf(newline);
		if (at >= 0 && at < maxLine) take(unread.toString('utf8', 0, at));
		else if (unread.length >= maxLine) take(undefined);
	});
	socket.on('end', () => {
		if (!isTaken) socket.destroySoon();
	});
	// A peer that died has already sent its event, or written it to the spool.
	socket.on('error', () => {
		isBroken = true;
	});
	socket.on('close', async () => {
		stopTimer();
		await saving;
		onEnd(isBroken);
	});
}

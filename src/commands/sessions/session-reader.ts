import {
	ForbiddenError,
	NotFoundError,
	RateLimitedError,
	UnauthorizedError,
	UnreachableError,
} from '../../api/errors.ts';
import {isOutsideService} from '../../domain/known.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {createStores} from '../../state/stores.ts';
import {PeerWriteWatcher} from '../../sync/core/peer-write-watcher.ts';
import {Scheduler} from '../../sync/core/scheduler.ts';
import {localProbeInterval, StatusProbe} from '../../sync/fleet/status-probe.ts';
import {HookInbox} from '../../sync/hooks/hook-inbox.ts';
import {startHookReceiver} from '../../sync/hooks/hook-receiver.ts';
import {PeerEventSync} from '../../sync/hooks/peer-event-sync.ts';
import {ActivityRecorder} from '../../sync/messages/activity-recorder.ts';
import {SessionWatcher} from '../../sync/messages/session-watcher.ts';
import type {CommandContext} from '../cli/context.ts';
import {type Connection, connect, createSafeWrite} from '../cli/registry.ts';
import {cliStrings} from '../cli/strings.ts';
import {itemsOf, type SessionItems} from './session-states.ts';
import {strings} from './strings.ts';

export type SessionReaderOptions = {
	/** The sessions to read, which the service must know; all that aren't archived when empty. */
	readonly ids: readonly string[];
	/** Called after each successful read. */
	readonly onRead?: (sessionId: string) => void;
	/** Called after a read failed and is to be tried again. */
	readonly onFailure?: (sessionId: string) => void;
	/** Called with all sessions whenever something about one has changed. */
	readonly onChange: (items: SessionItems) => void;
};

/** Sessions that are read in the background, until the command ends or is bound to fail. */
export type SessionReader = {
	readonly connection: Connection;
	items(): SessionItems;
	/** Reads a session next. */
	kick(sessionId: string): void;
	/**
	 * Reads until `done`, or until the command is interrupted or can't go on. Settles once nothing is running any
	 * longer.
	 */
	run<T>(done: Promise<T>): Promise<T>;
};

/**
 * Reads sessions as the screen does in the background, with the same watcher, hook events and request budget.
 * Programs share what they have read through the database, and with it each session's state, but don't share their
 * budgets: a screen on the same state folder goes on reading for itself.
 */
export async function openSessionReader(
	context: CommandContext,
	{ids, onRead, onFailure, onChange}: SessionReaderOptions,
): Promise<SessionReader> {
	const {clock, output, signal} = context;
	const connection = await connect(context);
	const {config, service, database, registry, skew} = connection;
	const {unreadNeedsYou, pollBudget} = config;
	const only = new Set(ids);
	await addIds(connection, only, signal);

	const safeWrite = createSafeWrite(output.note);
	const stores = {...createStores(), fleet: registry.stores.fleet};
	const scheduler = new Scheduler({clock, requestsPerSecond: pollBudget});
	const failing = Promise.withResolvers<never>();
	/** The failures that were printed: the last one of each session, and that of all requests (''). */
	const printed = new Map<string, string>();
	const print = (id: string, failure: string, text: string) => {
		if (printed.get(id) !== failure) output.note(text);
		printed.set(id, failure);
	};
	let isReached = false;

	const ownIds = (sessionId: string) =>
		new Set(database.outbox.ofSession(sessionId).flatMap(({messageId}) => messageId ?? []));

	const isGrowing = (id: string) => registry.session(id)?.activity?.evidence === 'growing';
	const probe = new StatusProbe({
		service,
		database,
		stores,
		clock,
		safeWrite,
		scheduler,
		registry,
		mode: config.statusProbe,
		...(config.mode === 'local' && {interval: localProbeInterval}),
		onSession(session) {
			registry.rememberSession(session, 'added', 'updated');
			if (isGrowing(session.sessionId) && session.status === 'idle') watcher.kick(session.sessionId);
		},
	});

	const watcher = new SessionWatcher({
		service,
		database,
		stores,
		clock,
		safeWrite,
		scheduler,
		registry,
		activity: new ActivityRecorder({registry, clock, ownIds, skew}),
		ownIds,
		...(only.size > 0 && {isWanted: ({id}) => only.has(id)}),
		onRead(sessionId: string, _: readonly TimelineItem[]) {
			isReached = true;
			printed.delete(sessionId);
			printed.delete('');
			const isWorking = registry.session(sessionId)?.activity?.state === 'working';
			if (isWorking && config.mode === 'local') probe.ask(sessionId, false);
			onRead?.(sessionId);
		},
		onFailure(sessionId, error) {
			const isFirst = !isReached && error instanceof UnreachableError;
			const isGone = error instanceof NotFoundError || error instanceof ForbiddenError;
			if (error instanceof UnauthorizedError || isFirst || (isGone && only.size > 0)) failing.reject(error);
			else if (error instanceof UnreachableError || error instanceof RateLimitedError)
				print('', error.name, cliStrings.run.retrying(error.what));
			else {
				const text = isGone ? error.what : cliStrings.run.retrying(error.what);
				print(sessionId, error.what, strings.unread(sessionId, text));
			}
			onFailure?.(sessionId);
		},
	});

	const items = () => itemsOf(registry.current(), {database, unreadNeedsYou, now: clock.now()});
	const inbox = new HookInbox(database, registry, ({sessionId}) => watcher.kick(sessionId));
	const peerEvents = new PeerEventSync(inbox, clock, () => {});
	const peerWrites = new PeerWriteWatcher(database, clock, () => {
		registry.adoptOthers();
		peerEvents.sync();
		onChange(items());
	});

	return {
		connection,
		items,
		kick: sessionId => watcher.kick(sessionId),
		async run(done) {
			const interrupt = () => failing.reject(signal.reason);
			signal.addEventListener('abort', interrupt);
			if (signal.aborted) interrupt();
			const unsubscribe = stores.fleet.subscribe(() => onChange(items()));
			const receiver = await startHookReceiver({
				clock,
				onEvents: events => void inbox.take(events),
				onDrained: () => peerEvents.sync(),
				onProblem: problem => output.note(problem.message),
			});
			peerWrites.start();
			watcher.start();
			try {
				return await Promise.race([done, failing.promise]);
			} finally {
				signal.removeEventListener('abort', interrupt);
				unsubscribe();
				peerWrites.stop();
				peerEvents.stop();
				await Promise.all([watcher.stop(), probe.close(), scheduler.stop(), receiver.close()]);
			}
		},
	};
}

/** Adds the ids that are not known here as sessions of the service. Throws if it doesn't know them either. */
async function addIds(
	{service, registry}: Connection,
	ids: ReadonlySet<string>,
	signal: AbortSignal,
): Promise<void> {
	for (const id of ids) {
		if (!isOutsideService(registry.session(id))) continue;
		await service.messages.list(id, {limit: 1}, {signal});
		registry.addSession(id, 'added');
		registry.setAtService(id, true);
	}
}

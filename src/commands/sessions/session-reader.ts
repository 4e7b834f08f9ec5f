import {
	ForbiddenError,
	NotFoundError,
	RateLimitedError,
	UnauthorizedError,
	UnreachableError,
	ValidationError,
} from '../../api/errors.ts';
import {isOutsideService} from '../../domain/known.ts';
import {installSteps} from '../../state/computers/install-steps.ts';
import {createStores} from '../../state/stores.ts';
import {PeerWriteWatcher} from '../../sync/core/peer-write-watcher.ts';
import {Scheduler} from '../../sync/core/scheduler.ts';
import {Computers} from '../../sync/fleet/computers.ts';
import {Sessions} from '../../sync/fleet/sessions.ts';
import {expireSignals} from '../../sync/fleet/signal-expiry.ts';
import {HookInbox} from '../../sync/hooks/hook-inbox.ts';
import {startHookReceiver} from '../../sync/hooks/hook-receiver.ts';
import {PeerEventSync} from '../../sync/hooks/peer-event-sync.ts';
import type {CommandContext} from '../cli/context.ts';
import {untilAborted} from '../cli/interrupts.ts';
import {type Connected, connect, createSafeWrite} from '../cli/registry.ts';
import {cliStrings} from '../cli/strings.ts';
import {itemsOf, type SessionItems} from './session-states.ts';
import {strings} from './strings.ts';

type SessionReaderOptions = {
	/** The sessions to read, which the service must know; all that aren't archived when empty. */
	readonly ids: readonly string[];
	/** Whether the user waits for the ends of turns: the service is asked for them. */
	readonly isWaiting?: boolean;
	/** Called after each successful read. */
	readonly onRead?: (sessionId: string) => void;
	/** Called after a read failed that will be tried again. */
	readonly onFailure?: (sessionId: string) => void;
	/** Called with all sessions whenever something about one has changed. */
	readonly onChange: (items: SessionItems) => void;
};

/**
 * Reads sessions in the background as the screen does: with the same watcher, hook events and request budget.
 * Programs share what they have read through the database, but each has a request budget of its own: an open screen
 * keeps reading for itself.
 */
export async function openSessionReader(
	context: CommandContext,
	{ids, isWaiting = false, onRead, onFailure, onChange}: SessionReaderOptions,
) {
	const {clock, output, signal} = context;
	const connection = await connect(context);
	const {config, service, database, registry, skew, isEmbedded} = connection;
	const {unreadNeedsYou, pollBudget} = config;
	const wantedIds = new Set(ids);
	await addIds(connection, wantedIds, signal);

	const safeWrite = createSafeWrite(output.note);
	const stores = {...createStores(), fleet: registry.stores.fleet};
	const scheduler = new Scheduler({clock, requestsPerSecond: pollBudget});
	const failing = Promise.withResolvers<never>();
	/** The failure printed last for each session, and for all requests (''). */
	const printed = new Map<string, string>();
	const print = (id: string, failure: string, text: string) => {
		if (printed.get(id) !== failure) output.note(text);
		printed.set(id, failure);
	};
	let isReached = false;

	const sessions = new Sessions({
		service,
		database,
		stores,
		clock,
		safeWrite,
		scheduler,
		registry,
		statusProbe: config.statusProbe,
		isEmbedded,
		isWaiting,
		outboxOf: sessionId => database.outbox.ofSession(sessionId),
		skew,
		...(wantedIds.size > 0 && {isWanted: ({id}) => wantedIds.has(id)}),
		onMessages(sessionId) {
			isReached = true;
			printed.delete(sessionId);
			printed.delete('');
			onRead?.(sessionId);
		},
		onFailure(sessionId, error) {
			const isFirst = !isReached && error instanceof UnreachableError;
			const isMissing = error instanceof NotFoundError || error instanceof ForbiddenError;
			const isOver = error instanceof UnauthorizedError || error instanceof ValidationError;
			if (isOver || isFirst || (isMissing && wantedIds.size > 0)) failing.reject(error);
			else if (error instanceof UnreachableError || error instanceof RateLimitedError)
				print('', error.name, cliStrings.run.retrying(error.what));
			else {
				const text = isMissing ? error.what : cliStrings.run.retrying(error.what);
				print(sessionId, error.what, strings.unread(sessionId, text));
			}
			onFailure?.(sessionId);
		},
	});

	// The sessions of installs follow the steps of their computers.
	const computers = new Computers(
		{service, database, stores, clock, safeWrite, scheduler, registry},
		() => {},
	);
	const readComputers = () => {
		for (const [id, {computer}] of installSteps(registry.current().computers))
			if (wantedIds.size === 0 || wantedIds.has(id)) computers.refresh(computer.id);
	};

	const items = () => itemsOf(registry.current(), {database, unreadNeedsYou, now: clock.now()});
	const inbox = new HookInbox(database, registry, ({sessionId}) => sessions.hookReceived(sessionId));
	const peerEvents = new PeerEventSync(inbox, clock, () => {});
	const peerWrites = new PeerWriteWatcher(database, clock, () => {
		registry.readPeerWrites();
		peerEvents.sync();
		onChange(items());
	});

	return {
		connection,
		items,
		/** Reads a session next. */
		kick: (sessionId: string) => sessions.hookReceived(sessionId),
		/** Reads until `done` settles, the command is interrupted or it can't go on; then stops everything. */
		async run<T>(done: Promise<T>): Promise<T> {
			untilAborted(signal).then(() => failing.reject(signal.reason));
			const unsubscribe = stores.fleet.subscribe(() => onChange(items()));
			const stopExpiry = expireSignals(stores.fleet, clock);
			const receiver = await startHookReceiver({
				clock,
				onEvents: events => void inbox.store(events),
				onDrained: () => peerEvents.sync(),
				onProblem: problem => output.note(problem.message),
			});
			peerWrites.start();
			readComputers();
			sessions.start();
			try {
				return await Promise.race([done, failing.promise]);
			} finally {
				stopExpiry();
				unsubscribe();
				peerWrites.stop();
				peerEvents.stop();
				await Promise.all([sessions.stop(), computers.stop(), scheduler.stop(), receiver.close()]);
			}
		},
	};
}

/** Adds ids that are unknown on this machine as sessions of the service. Throws `NotFoundError` for one unknown there. */
async function addIds(
	{service, registry}: Connected,
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

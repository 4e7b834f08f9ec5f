import {
	ForbiddenError,
	NotFoundError,
	RateLimitedError,
	RejectedError,
	type ServiceError,
	UnauthorizedError,
	UnreachableError,
	ValidationError,
} from '../../api/errors.ts';
import {isOutsideService} from '../../domain/known.ts';
import {installSteps} from '../../state/computers/install-steps.ts';
import type {Connection} from '../../state/connection.ts';
import {sessionItems} from '../../state/sessions/session-items.ts';
import {createStores} from '../../state/stores.ts';
import {Engine} from '../../sync/engine.ts';
import type {CommandContext} from '../cli/context.ts';
import {untilAborted} from '../cli/interrupts.ts';
import {cliStrings} from '../cli/strings.ts';
import type {SessionItems} from './session-states.ts';
import {strings} from './strings.ts';

type SessionReaderOptions = {
	/** The sessions to read, which the service must know; all that aren't archived when empty. */
	readonly ids: readonly string[];
	/** Whether the user waits for the ends of turns: the service is asked for them. */
	readonly isWaiting?: boolean;
	/** Whether the service has answered just now: then a first read that fails may pass, too. */
	readonly hasAnswered?: boolean;
	readonly onRead?: (sessionId: string) => void;
	/** Called after a read failed that will be tried again. */
	readonly onFailure?: (sessionId: string) => void;
	/** Called with all sessions whenever something about one has changed. */
	readonly onChange: (items: SessionItems) => void;
};

/**
 * Reads sessions in the background with an engine that sends nothing. Programs share what they have read through the
 * database, but each has a request budget of its own: an open screen keeps reading for itself.
 */
export async function openSessionReader(
	{wiring, clock, output, signal}: CommandContext,
	{ids, isWaiting = false, hasAnswered = false, onRead, onFailure, onChange}: SessionReaderOptions,
) {
	const parts = await wiring();
	const service = await parts.connect();
	const database = await parts.database();
	const {statusProbe, unreadNeedsYou, pollBudget} = parts.config;
	const wantedIds = new Set(ids);
	const failing = Promise.withResolvers<never>();
	// It may fail before `run` waits for it.
	failing.promise.catch(() => undefined);
	/** The failure printed last for each session, and for all requests (''). */
	const printed = new Map<string, string>();
	const print = (id: string, failure: string, text: string) => {
		if (printed.get(id) !== failure) output.note(text);
		printed.set(id, failure);
	};
	let isReached = hasAnswered;
	let isUnsaved = false;

	const stores = createStores();
	stores.connection.subscribe(printTrouble);
	const engine = new Engine({
		service,
		database,
		stores,
		clock,
		owner: 'reader',
		skew: () => parts.skew,
		isEmbedded: () => parts.isEmbedded,
		statusProbe,
		requestsPerSecond: pollBudget,
		reading: {
			isWaiting,
			isWanted: wantedIds.size > 0 ? ({id}) => wantedIds.has(id) : undefined,
			onMessages(sessionId) {
				isReached = true;
				printed.delete(sessionId);
				printed.delete('');
				onRead?.(sessionId);
			},
			onFailure(sessionId, error) {
				const isFirst = !isReached && error instanceof UnreachableError;
				const isRefused =
					error instanceof NotFoundError || error instanceof ForbiddenError || error instanceof RejectedError;
				const isOver = error instanceof UnauthorizedError || error instanceof ValidationError;
				if (isOver || isFirst || (isRefused && wantedIds.size > 0)) failing.reject(error);
				else printFailure(sessionId, error, isRefused);
				onFailure?.(sessionId);
			},
		},
	});
	const {registry} = engine;
	engine.load();
	// Ids that are unknown on this machine are added as sessions of the service, if it has them.
	for (const id of wantedIds) {
		if (!isOutsideService(registry.session(id))) continue;
		await service.messages.list(id, {limit: 1}, {signal});
		registry.addSession(id, 'added');
		registry.setAtService(id, true);
	}

	function printFailure(sessionId: string, error: ServiceError, isRefused: boolean): void {
		const text = isRefused ? error.what : cliStrings.run.retrying(error.what);
		if (error instanceof UnreachableError || error instanceof RateLimitedError) print('', error.name, text);
		else print(sessionId, error.what, strings.unread(sessionId, text));
	}

	/** Prints what keeps hook events from coming, and what can't be saved. */
	function printTrouble({hooks, storage}: Connection, before: Connection): void {
		if (typeof hooks === 'object' && hooks !== before.hooks) output.note(hooks.what);
		if (!storage || storage.needsRestart || isUnsaved) return;
		isUnsaved = true;
		output.note(cliStrings.storage.notSaved(storage.what));
	}

	/** Sessions by id, as the screen's lists show them. */
	function items(): SessionItems {
		const {marks} = stores.attention.getState();
		const all = sessionItems(stores.fleet.getState(), stores.outbox.getState(), {marks, unreadNeedsYou});
		return new Map(all.map(item => [item.id, item]));
	}

	return {
		database,
		skew: () => parts.skew,
		items,
		kick: (sessionId: string) => engine.sessions.hookReceived(sessionId),
		/** Reads until `done` settles, the command is interrupted or it can't go on; then stops everything. */
		async run<T>(done: Promise<T>): Promise<T> {
			untilAborted(signal).then(() => failing.reject(signal.reason));
			const {fleet, outbox, attention} = stores;
			const stops = [fleet, outbox, attention].map(store => store.subscribe(() => onChange(items())));
			try {
				await engine.start();
				// The sessions of installs follow the steps of their computers.
				for (const [id, {computer}] of installSteps(fleet.getState().computers))
					if (wantedIds.size === 0 || wantedIds.has(id)) engine.computers.refresh(computer.id);
				return await Promise.race([done, failing.promise]);
			} finally {
				for (const stop of stops) stop();
				await engine.stop();
			}
		},
	};
}

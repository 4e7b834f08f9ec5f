import {AbortError, ForbiddenError, isServiceError, NotFoundError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import {doubled} from '../../domain/backoff.ts';
import type {Computer} from '../../domain/computers/computer.ts';
import {mergeComputer, progress} from '../../domain/computers/provisioning.ts';
import {isEqual} from '../../domain/is-equal.ts';
import {isStarting, startingTry} from '../../domain/starting.ts';
import type {FleetStore} from '../../state/fleet.ts';
import type {Clock} from '../core/clock.ts';
import {nextRetryDelay} from '../core/poll.ts';
import {problemOf} from '../core/problem.ts';
import type {SafeWrite} from '../core/safe-write.ts';
import type {Priority, Scheduler} from '../core/scheduler.ts';
import {createUnchangedReads, type UnchangedReads} from '../messages/unchanged-reads.ts';
import type {Registry} from './registry.ts';
import {recordDurations} from './step-durations.ts';

export type ComputerWatcherOptions = {
	readonly computerId: string;
	readonly service: Service;
	readonly database: Database;
	readonly safeWrite: SafeWrite;
	readonly fleet: FleetStore;
	readonly registry: Registry;
	readonly unchanged: UnchangedReads;
	readonly scheduler: Scheduler;
	readonly clock: Clock;
	/** Number of computers being waited for, including this one. */
	readonly crowd: () => number;
};

/** Polls a computer until its provisioning is over, then stops. */
export type ComputerWatcher = {
	/**
	 * Reads now, then keeps polling while provisioning is under way. `urgent`: the user is waiting for this
	 * read.
	 */
	kick(priority?: 'urgent'): void;
	/**
	 * Takes a snapshot from another source (the response to an action), discards the answers to older reads,
	 * and resumes polling from it.
	 */
	accept(computer: Computer): void;
	/**
	 * Marks the computer as on screen until the returned function is called: it gets priority and is refreshed
	 * now and then even when its provisioning is over.
	 */
	hold(): () => void;
	/** True while provisioning is under way and the computer is polled. */
	readonly isWaiting: boolean;
	close(): Promise<void>;
};

const firstWait = 1_000;
const maxWait = 30_000;
/** Limit on background reads per second, across all computers being provisioned. */
const readsPerSecond = 20;
/**
 * How often a settled computer is read while on screen, and how long it must have been on screen first, ms.
 */
const lookedAtWait = 60_000;
const glance = 1_000;
/**
 * A step can stay `pending` forever on an active computer: polling stops after this long without a change,
 * ms.
 */
const patience = 600_000;
/** Retry delays for a computer that was not found, ms. */
const missingWaits = {first: 30_000, max: 480_000};

function createComputerWatcher(options: ComputerWatcherOptions): ComputerWatcher {
	const {computerId, service, database, safeWrite, fleet, registry, unchanged, scheduler, clock, crowd} =
		options;
	const ending = new AbortController();
	let isUrgent = false;
	let isWaiting = false;
	/** Incremented for each snapshot from another source. */
	let revision = 0;
	let changedAt = clock.now();
	let quiet = 0;
	let failures = 0;
	/** When the last snapshot arrived, from a read or another source. Unix ms. */
	let readAt = 0;
	let holders = 0;
	let heldAt = 0;
	/** Set after a 404: when the last one came, and how many came in a row. */
	let missing: {readonly at: number; readonly count: number} | undefined;
	/** Forces the next read: it was requested, or the last one failed. */
	let isAskedFor = false;

	function take(computer: Computer): void {
		const {computer: before} = fleet.getState().computers.get(computerId) ?? {};
		const isChanged = !before || !isEqual(before, mergeComputer(before, computer));
		if (!isChanged) quiet++;
		// An unchanged snapshot of a computer that is off screen isn't worth a redraw and a write of its own.
		if (!isChanged && holders === 0) {
			unchanged.note(computerId);
			return;
		}
		registry.seeComputer(computer, 'added');
		if (!isChanged) return;
		const after = fleet.getState().computers.get(computerId)?.computer;
		quiet = 0;
		changedAt = clock.now();
		if (after) recordDurations({database, safeWrite}, before, after);
	}

	async function run(): Promise<number | undefined> {
		const wait = isAskedFor ? 0 : delay();
		if (wait === undefined || wait > 0) return wait;
		const priority: Priority = isUrgent ? 'urgent' : holders > 0 ? 'normal' : 'background';
		isAskedFor = false;
		isUrgent = false;
		try {
			let asked = revision;
			const computer = await scheduler.request(
				`computer:${computerId}`,
				signal => {
					asked = revision;
					return service.computers.get(computerId, {signal});
				},
				{signal: ending.signal, priority},
			);
			failures = 0;
			missing = undefined;
			registry.setProblem(computerId, undefined);
			if (asked === revision) take(computer);
			readAt = clock.now();
			return delay();
		} catch (error) {
			return failed(error);
		}
	}

	/** Ms until the next read; `undefined` to stop polling. */
	function delay(): number | undefined {
		if (missing) return missingDelay(missing);
		const {computer, fetchedAt = 0} = fleet.getState().computers.get(computerId) ?? {};
		isWaiting = computer !== undefined && isWaitedFor(computer);
		if (!isWaiting) {
			if (holders === 0) return undefined;
			return Math.max(0, Math.max(fetchedAt + lookedAtWait, heldAt + glance) - clock.now());
		}
		const own = Math.min(maxWait, firstWait * 1.2 ** quiet);
		const wait = holders > 0 ? own : Math.max(own, (1_000 * crowd()) / readsPerSecond);
		return Math.max(0, readAt + wait - clock.now());
	}

	function isWaitedFor(computer: Computer): boolean {
		if (progress(computer, () => undefined, clock.now()).isSettled) return false;
		return computer.status === 'provisioning' || clock.now() - changedAt <= patience;
	}

	function failed(error: unknown): number | undefined {
		if (error instanceof AbortError) return undefined;
		if (!isServiceError(error)) throw error;
		if (error instanceof NotFoundError) return notFound(error);
		registry.setProblem(computerId, problemOf(error, clock.now()));
		if (error instanceof ForbiddenError) return undefined;
		isAskedFor = true;
		return nextRetryDelay(error, failures++);
	}

	function notFound(error: NotFoundError): number | undefined {
		const at = clock.now();
		const known = fleet.getState().computers.get(computerId);
		const isNew = isStarting(known, at);
		registry.setProblem(computerId, {...problemOf(error, at), ...(isNew && {isStarting: true})});
		isAskedFor = isNew;
		if (isNew) return startingTry;
		missing = {at, count: (missing?.count ?? 0) + 1};
		return missingDelay(missing);
	}

	/** Ms until a missing computer is read again; `undefined` if it is off screen and not being provisioned. */
	function missingDelay({at, count}: NonNullable<typeof missing>): number | undefined {
		const isProvisioning = fleet.getState().computers.get(computerId)?.computer?.status === 'provisioning';
		if (holders === 0 && !isProvisioning) return undefined;
		const wait = doubled(count - 1, missingWaits);
		return Math.max(0, at + wait - clock.now());
	}

	const poll = scheduler.poll(run);

	return {
		kick(priority) {
			isUrgent ||= priority === 'urgent';
			quiet = 0;
			isAskedFor = true;
			poll.now();
		},
		accept(computer) {
			revision++;
			changedAt = clock.now();
			readAt = clock.now();
			take(computer);
			quiet = 0;
			poll.now();
		},
		hold() {
			let isHeld = true;
			if (holders++ === 0) heldAt = clock.now();
			poll.now();
			return () => {
				if (isHeld) holders--;
				isHeld = false;
			};
		},
		get isWaiting() {
			return isWaiting;
		},
		async close() {
			ending.abort();
			await poll.end();
		},
	};
}

/** Creates one watcher per computer on demand, and keeps it until the computer is forgotten. */
export type ComputerWatchers = {
	of(computerId: string): ComputerWatcher;
	forget(computerId: string): void;
	/** Closes all watchers; resolves when no request is left. */
	stop(): Promise<void>;
};

export function createComputerWatchers(
	parts: Omit<ComputerWatcherOptions, 'computerId' | 'crowd' | 'unchanged'>,
): ComputerWatchers {
	const watchers = new Map<string, ComputerWatcher>();
	const closing = new Set<Promise<void>>();
	const unchanged = createUnchangedReads(parts.registry, parts.clock);
	const crowd = () => [...watchers.values()].filter(({isWaiting}) => isWaiting).length;

	function close(watcher: ComputerWatcher): void {
		const end = watcher.close();
		closing.add(end);
		void end.finally(() => closing.delete(end));
	}

	return {
		of(computerId) {
			const known = watchers.get(computerId);
			if (known) return known;
			const watcher = createComputerWatcher({...parts, computerId, unchanged, crowd});
			watchers.set(computerId, watcher);
			return watcher;
		},
		forget(computerId) {
			const watcher = watchers.get(computerId);
			watchers.delete(computerId);
			if (watcher) close(watcher);
		},
		async stop() {
			for (const watcher of watchers.values()) close(watcher);
			watchers.clear();
			await Promise.all(closing);
		},
	};
}

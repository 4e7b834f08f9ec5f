import {AbortError, ForbiddenError, isServiceError, NotFoundError} from '../../api/errors.ts';
import {doubled} from '../../domain/backoff.ts';
import type {Computer} from '../../domain/computers/computer.ts';
import {failureOf} from '../../domain/computers/failure.ts';
import {mergeComputer, progress} from '../../domain/computers/provisioning.ts';
import {isEqual} from '../../domain/is-equal.ts';
import type {KnownComputer} from '../../domain/known.ts';
import {isStarting, startingTry} from '../../domain/starting.ts';
import {nextRetryDelay, type Poll} from '../core/poll.ts';
import {problemOf} from '../core/problem.ts';
import type {Priority} from '../core/scheduler.ts';
import type {EngineParts} from '../engine-parts.ts';
import {watchDelay} from '../messages/session-watcher.ts';
import {recordDurations} from './step-durations.ts';
import {UnchangedReads} from './unchanged-reads.ts';

type ComputerWatcherOptions = EngineParts & {
	readonly computerId: string;
	readonly unchanged: UnchangedReads;
	/** Number of computers being waited for, including this one, and of all. */
	readonly waitingCount: () => number;
	readonly count: () => number;
	/** Called when a computer whose provisioning had failed is being provisioned again, or is up. */
	readonly onRecovered: (computerId: string) => void;
};

const firstWait = 1_000;
/** A computer whose provisioning is under way is read at least this often, so that a failure shows within 15 s. */
const maxWait = 12_000;
/** Limit on background reads per second, across all computers being provisioned: more than 240 wait longer. */
const readsPerSecond = 20;
/** The share of the request budget that all settled computers take together, at most. */
const settledShare = 1 / 4;
/**
 * How often a settled computer is read at least while on screen, and how long it must have been on screen first, ms.
 */
const viewedInterval = 60_000;
const minViewTime = 1_000;
/**
 * A step can stay `pending` forever on an active computer: polling stops after this long without a change,
 * ms.
 */
const maxUnchanged = 600_000;
/** Retry delays for a computer that was not found, ms. */
const missingWaits = {first: 30_000, max: 480_000};

/**
 * Polls a computer until its provisioning is over. From then on it reads it as often as a session that nobody has open:
 * its install may be run again elsewhere, and fail.
 */
class ComputerWatcher {
	readonly #options: ComputerWatcherOptions;
	readonly #computerId: string;
	readonly #poll: Poll;
	readonly #ending = new AbortController();
	#isUrgent = false;
	#isWaiting = false;
	/** Forces the next read: it was requested, or the last one failed. */
	#isRequested = false;
	/** Incremented for each snapshot from another source. */
	#revision = 0;
	#changedAt: number;
	/** When it last changed while it was watched, Unix ms. */
	#activeAt = 0;
	/** When the last snapshot arrived, from a read or another source. Unix ms. */
	#readAt = 0;
	/** Number of reads in a row that found nothing new, and that failed. */
	#quietReads = 0;
	#failures = 0;
	/** On how many panes the computer is, and since when it is on any. */
	#viewers = 0;
	#viewedSince = 0;
	/** Set after a 404: when the last one came, and how many came in a row. */
	#missing: {readonly at: number; readonly count: number} | undefined;

	constructor(options: ComputerWatcherOptions) {
		this.#options = options;
		this.#computerId = options.computerId;
		this.#changedAt = options.clock.now();
		this.#poll = options.scheduler.poll(() => this.#run());
	}

	/** True while provisioning is under way and the computer is polled. */
	get isWaiting(): boolean {
		return this.#isWaiting;
	}

	/**
	 * Reads now, then keeps polling while provisioning is under way. `urgent`: the user is waiting for this
	 * read.
	 */
	kick(priority?: 'urgent'): void {
		this.#isUrgent ||= priority === 'urgent';
		this.#quietReads = 0;
		this.#isRequested = true;
		this.#poll.now();
	}

	/**
	 * Takes a snapshot from another source (the response to an action), discards the answers to older reads,
	 * and resumes polling from it.
	 */
	accept(computer: Computer): void {
		const now = this.#options.clock.now();
		this.#revision++;
		this.#changedAt = now;
		this.#activeAt = now;
		this.#readAt = now;
		this.#take(computer);
		this.#quietReads = 0;
		this.#poll.now();
	}

	/**
	 * Marks the computer as on screen until the returned function is called: it gets priority and is refreshed
	 * now and then even when its provisioning is over.
	 */
	view(): () => void {
		if (this.#viewers++ === 0) this.#viewedSince = this.#options.clock.now();
		this.#poll.now();
		let isViewed = true;
		return () => {
			if (isViewed) this.#viewers--;
			isViewed = false;
		};
	}

	async close(): Promise<void> {
		this.#ending.abort();
		await this.#poll.end();
	}

	#known(): KnownComputer | undefined {
		return this.#options.stores.fleet.getState().computers.get(this.#computerId);
	}

	/** Reads the computer if it is time; resolves to the ms until the next read, or `undefined` to stop. */
	async #run(): Promise<number | undefined> {
		const wait = this.#isRequested ? 0 : this.#nextDelay();
		if (wait === undefined || wait > 0) return wait;
		const priority = this.#priority();
		this.#isRequested = false;
		this.#isUrgent = false;
		const {scheduler, service, registry, clock} = this.#options;
		try {
			let revision = this.#revision;
			const computer = await scheduler.request(
				`computer:${this.#computerId}`,
				signal => {
					revision = this.#revision;
					return service.computers.get(this.#computerId, {signal});
				},
				{signal: this.#ending.signal, priority},
			);
			this.#failures = 0;
			this.#missing = undefined;
			registry.setProblem(this.#computerId, undefined);
			if (revision === this.#revision) this.#take(computer);
			this.#readAt = clock.now();
			return this.#nextDelay();
		} catch (error) {
			return this.#failed(error);
		}
	}

	#priority(): Priority {
		if (this.#isUrgent) return 'urgent';
		if (this.#viewers > 0) return 'normal';
		return this.#isRequested || this.#isWaiting ? 'background' : 'watch';
	}

	#take(computer: Computer): void {
		const {registry, unchanged, clock, onRecovered} = this.#options;
		const before = this.#known()?.computer;
		const isChanged = !before || !isEqual(before, mergeComputer(before, computer));
		if (!isChanged) this.#quietReads++;
		// An unchanged snapshot of a computer that is off screen isn't worth a redraw and a write of its own.
		if (!isChanged && this.#viewers === 0) {
			unchanged.note(this.#computerId, this.#isWaiting);
			return;
		}
		registry.seeComputer(computer, 'added');
		if (!isChanged) return;
		this.#quietReads = 0;
		this.#changedAt = clock.now();
		if (before) this.#activeAt = this.#changedAt;
		const after = this.#known()?.computer;
		if (after) recordDurations(this.#options, before, after);
		if (failureOf(before) && !failureOf(after)) onRecovered(this.#computerId);
	}

	/** Ms until the next read; `undefined` to stop polling. */
	#nextDelay(): number | undefined {
		if (this.#missing) return this.#missingDelay(this.#missing);
		const {clock, waitingCount} = this.#options;
		const {computer, fetchedAt = 0} = this.#known() ?? {};
		this.#isWaiting = computer !== undefined && this.#isWaitedFor(computer);
		if (!this.#isWaiting) {
			if (!computer && this.#viewers === 0) return undefined;
			const restedAt = this.#readAt + this.#settledWait(computer);
			const viewedAt = Math.max(fetchedAt + viewedInterval, this.#viewedSince + minViewTime);
			return Math.max(0, (this.#viewers > 0 ? Math.min(viewedAt, restedAt) : restedAt) - clock.now());
		}
		const own = Math.min(maxWait, firstWait * 1.2 ** this.#quietReads);
		const wait = this.#viewers > 0 ? own : Math.max(own, (1_000 * waitingCount()) / readsPerSecond);
		return Math.max(0, this.#readAt + wait - clock.now());
	}

	/** Ms between reads of a settled computer that is off screen, by its last activity. */
	#settledWait(computer: Computer | undefined): number {
		const {clock, scheduler, count} = this.#options;
		const times = (computer?.provisioningSteps ?? []).flatMap(step => [step.startedAt, step.completedAt]);
		const activeAt = Math.max(this.#activeAt, ...[computer?.createdAt, ...times].map(at => at ?? 0));
		const own = watchDelay(false, Math.abs(clock.now() - activeAt));
		return Math.max(own, (1_000 * count()) / (scheduler.requestsPerSecond * settledShare));
	}

	#isWaitedFor(computer: Computer): boolean {
		const now = this.#options.clock.now();
		if (progress(computer, () => undefined, now).isSettled) return false;
		return computer.status === 'provisioning' || now - this.#changedAt <= maxUnchanged;
	}

	#failed(error: unknown): number | undefined {
		if (error instanceof AbortError) return undefined;
		if (!isServiceError(error)) throw error;
		if (error instanceof NotFoundError) return this.#notFound(error);
		const {registry, clock} = this.#options;
		registry.setProblem(this.#computerId, problemOf(error, clock.now()));
		if (error instanceof ForbiddenError) return undefined;
		this.#isRequested = true;
		return nextRetryDelay(error, this.#failures++);
	}

	#notFound(error: NotFoundError): number | undefined {
		const {registry, clock} = this.#options;
		const at = clock.now();
		const isNew = isStarting(this.#known(), at);
		registry.setProblem(this.#computerId, {...problemOf(error, at), ...(isNew && {isStarting: true})});
		this.#isRequested = isNew;
		if (isNew) return startingTry;
		this.#missing = {at, count: (this.#missing?.count ?? 0) + 1};
		return this.#missingDelay(this.#missing);
	}

	/** Ms until a missing computer is read again; `undefined` if it is off screen and not being provisioned. */
	#missingDelay({at, count}: {readonly at: number; readonly count: number}): number | undefined {
		const isProvisioning = this.#known()?.computer?.status === 'provisioning';
		if (this.#viewers === 0 && !isProvisioning) return undefined;
		return Math.max(0, at + doubled(count - 1, missingWaits) - this.#options.clock.now());
	}
}

/** Creates one watcher per computer on demand, and keeps it until the computer is forgotten. */
export class ComputerWatchers {
	readonly #parts: Omit<ComputerWatcherOptions, 'computerId'>;
	readonly #watchers = new Map<string, ComputerWatcher>();
	readonly #closing = new Set<Promise<void>>();

	constructor(parts: EngineParts, onRecovered: (computerId: string) => void) {
		this.#parts = {
			...parts,
			onRecovered,
			count: () => this.#watchers.size,
			unchanged: new UnchangedReads(parts.registry, parts.clock),
			waitingCount: () => [...this.#watchers.values()].filter(({isWaiting}) => isWaiting).length,
		};
	}

	of(computerId: string): ComputerWatcher {
		const known = this.#watchers.get(computerId);
		if (known) return known;
		const watcher = new ComputerWatcher({...this.#parts, computerId});
		this.#watchers.set(computerId, watcher);
		return watcher;
	}

	forget(computerId: string): void {
		const watcher = this.#watchers.get(computerId);
		this.#watchers.delete(computerId);
		if (watcher) this.#close(watcher);
	}

	/** Closes all watchers; resolves when no request is left. */
	async stop(): Promise<void> {
		for (const watcher of this.#watchers.values()) this.#close(watcher);
		this.#watchers.clear();
		await Promise.all(this.#closing);
	}

	#close(watcher: ComputerWatcher): void {
		const closed = watcher.close();
		this.#closing.add(closed);
		void closed.finally(() => this.#closing.delete(closed));
	}
}

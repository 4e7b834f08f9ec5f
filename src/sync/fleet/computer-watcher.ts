import {AbortError, ForbiddenError, isServiceError, NotFoundError} from '../../api/errors.ts';
import {exponentialDelay} from '../../domain/backoff.ts';
import type {Computer} from '../../domain/computers/computer.ts';
import {
	failureOf,
	mergeComputer,
	progress,
	stepDuration,
	stepState,
} from '../../domain/computers/provisioning.ts';
import {isStarting, type KnownComputer, startingRetryDelay} from '../../domain/known.ts';
import {highest} from '../../domain/large-arrays.ts';
import {isEqual} from '../../domain/objects.ts';
import {maxWatchDelay, nextRetryDelay, type Poll, watchDelay} from '../core/poll.ts';
import {problemOf} from '../core/problem.ts';
import type {Priority} from '../core/scheduler.ts';
import type {EngineParts} from '../engine-parts.ts';

export type ComputerWatcherOptions = EngineParts & {
	readonly computerId: string;
	/** Number of all computers. */
	readonly count: () => number;
	readonly isFed: () => boolean;
	/** Called when a computer whose provisioning had failed is being provisioned again, or is up. */
	readonly onRecovered: (computerId: string) => void;
};

/** Delays between reads while provisioning is under way, ms: growing, but so that a failure shows within 15 s. */
const firstDelay = 1_000;
const maxDelay = 12_000;
/** By how much the displayed age of a computer may be wrong while it is being provisioned, and later, ms. */
const reportIntervals = {waiting: 5_000, settled: 60_000} as const;
/** Maximum share of the request budget that all settled computers take together. */
const settledShare = 1 / 4;
/** How often a settled computer is read while on screen, and how long it must have been there first, ms. */
const viewedInterval = 60_000;
const minViewTime = 1_000;
/** A step can stay `pending` forever on an active computer: polling stops after this long without a change, ms. */
const maxUnchanged = 600_000;
/** Retry delays for a computer that was not found, ms. */
const missingDelays = {first: 30_000, max: 480_000};

/**
 * Polls a computer until its provisioning is over. Then reads it as often as a session that nobody has open: somebody
 * may run its install again, which may fail.
 */
export class ComputerWatcher {
	readonly #options: ComputerWatcherOptions;
	readonly #computerId: string;
	readonly #poll: Poll;
	readonly #ending = new AbortController();
	#isUrgent = false;
	/** Whether provisioning is under way, and the computer is polled. */
	#isWaiting = false;
	/** Whether the next run reads in any case: a read was requested, or the last one failed. */
	#isRequested = false;
	/** Number of snapshots from other sources. */
	#revision = 0;
	#changedAt: number;
	/** When it last changed while this program watched it, Unix ms. */
	#activeAt = 0;
	/** When the last snapshot arrived, from a read or another source. Unix ms. */
	#readAt = 0;
	/** Number of reads in a row that found nothing new, and that failed. */
	#quietReads = 0;
	#failures = 0;
	/** Number of panes that show the computer, and since when any does, Unix ms. */
	#viewers = 0;
	#viewedSince = 0;
	/** Time of the last 404, Unix ms, and how many came in a row. */
	#missing: {readonly at: number; readonly count: number} | undefined;

	constructor(options: ComputerWatcherOptions) {
		this.#options = options;
		this.#computerId = options.computerId;
		this.#changedAt = options.clock.now();
		this.#poll = options.scheduler.poll(() => this.#run());
	}

	/** Reads now, then polls while provisioning is under way. `urgent`: the user is waiting. */
	kick(priority?: 'urgent'): void {
		this.#isUrgent ||= priority === 'urgent';
		this.#quietReads = 0;
		this.#isRequested = true;
		this.#poll.now();
	}

	/** Takes the snapshot that an action returned, discards the answers to older reads, and resumes polling. */
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

	/** Takes a snapshot that another program has saved, if it is newer than ours and says something else. */
	acceptNewer({computer, fetchedAt = 0}: KnownComputer): void {
		const known = this.#known();
		if (!known || !computer || fetchedAt <= (known.fetchedAt ?? 0)) return;
		if (known.computer && isEqual(known.computer, mergeComputer(known.computer, computer))) return;
		this.accept(computer);
	}

	/** Marks the computer as on screen, which is read more often, until the returned function is called. */
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
		const delay = this.#isRequested ? 0 : this.#nextDelay();
		if (delay === undefined || delay > 0) return delay;
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

	/** Records a snapshot under the id that was asked for, even if the service calls the computer by another. */
	#take(snapshot: Computer): void {
		const computer = {...snapshot, id: this.#computerId};
		const {registry, clock, onRecovered} = this.#options;
		const known = this.#known();
		const before = known?.computer;
		const now = clock.now();
		if (before && isEqual(before, mergeComputer(before, computer))) {
			this.#quietReads++;
			// Each recorded read is a write and a frame.
			const interval = this.#viewers > 0 ? 0 : reportIntervals[this.#isWaiting ? 'waiting' : 'settled'];
			if (now - (known.fetchedAt ?? 0) >= interval) registry.putComputer({...known, fetchedAt: now});
			return;
		}
		registry.recordComputer(computer, 'added');
		this.#quietReads = 0;
		this.#changedAt = now;
		if (before) this.#activeAt = this.#changedAt;
		const after = this.#known()?.computer;
		if (after) recordDurations(this.#options, before, after);
		if (failureOf(before) && !failureOf(after)) onRecovered(this.#computerId);
	}

	/** Ms until the next read; `undefined` to stop polling. */
	#nextDelay(): number | undefined {
		if (this.#missing) return this.#missingDelay(this.#missing);
		const {clock} = this.#options;
		const {computer, fetchedAt = 0} = this.#known() ?? {};
		this.#isWaiting = computer !== undefined && this.#isProvisioning(computer);
		if (!this.#isWaiting) {
			if (!computer && this.#viewers === 0) return undefined;
			const dueAt = this.#readAt + this.#settledDelay(computer);
			const dueOnScreen = Math.max(fetchedAt + viewedInterval, this.#viewedSince + minViewTime);
			return Math.max(0, (this.#viewers > 0 ? Math.min(dueOnScreen, dueAt) : dueAt) - clock.now());
		}
		const delay = Math.min(maxDelay, firstDelay * 1.2 ** this.#quietReads);
		return Math.max(0, this.#readAt + delay - clock.now());
	}

	/** Ms between reads of a settled computer that is off screen, by its last activity. */
	#settledDelay(computer: Computer | undefined): number {
		const {clock, scheduler, count, isFed} = this.#options;
		if (isFed()) return maxWatchDelay;
		const times = (computer?.provisioningSteps ?? []).flatMap(step => [step.startedAt, step.completedAt]);
		const activeAt = highest([this.#activeAt, computer?.createdAt ?? 0, ...times.map(at => at ?? 0)]);
		const delay = watchDelay(false, Math.abs(clock.now() - activeAt));
		return Math.max(delay, (1_000 * count()) / (scheduler.requestsPerSecond * settledShare));
	}

	/** Whether provisioning is under way, as far as its steps change. */
	#isProvisioning(computer: Computer): boolean {
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
		registry.setProblem(this.#computerId, {
			...problemOf(error, at),
			isStarting: isNew,
			isMissing: !isNew,
		});
		this.#isRequested = isNew;
		if (isNew) return startingRetryDelay;
		this.#missing = {at, count: (this.#missing?.count ?? 0) + 1};
		return this.#missingDelay(this.#missing);
	}

	/** Ms until a missing computer is read again; `undefined` if it is off screen and not being provisioned. */
	#missingDelay({at, count}: {readonly at: number; readonly count: number}): number | undefined {
		const isProvisioning = this.#known()?.computer?.status === 'provisioning';
		if (this.#viewers === 0 && !isProvisioning) return undefined;
		return Math.max(0, at + exponentialDelay(count - 1, missingDelays) - this.#options.clock.now());
	}
}

/** Saves the durations of the steps that ended between two reads of a computer: their medians give the next ETA. */
export function recordDurations(
	{database, safeWrite}: Pick<EngineParts, 'database' | 'safeWrite'>,
	before: Computer | undefined,
	after: Computer,
): void {
	const steps = before?.provisioningSteps ?? [];
	// The first of an id counts.
	const byId = new Map(steps.toReversed().map(step => [step.id, step]));
	const runs: (readonly [stepName: string, ms: number])[] = [];
	for (const [index, step] of (after.provisioningSteps ?? []).entries()) {
		const previous = step.id === undefined ? steps[index] : byId.get(step.id);
		const ms = stepDuration(step);
		if (!step.name || ms === undefined || stepState(step).state !== 'done') continue;
		const isNew =
			!previous || stepState(previous).state !== 'done' || previous.completedAt !== step.completedAt;
		if (isNew) runs.push([step.name, ms]);
	}
	if (runs.length > 0) safeWrite(() => database.durations.addAll(runs));
}

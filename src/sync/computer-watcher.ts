import {AbortError, ForbiddenError, isServiceError, NotFoundError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {Computer} from '../domain/computer.ts';
import {progress, stepDuration, stepState} from '../domain/provisioning.ts';
import {isSame} from '../domain/same.ts';
import {isStarting, startingTry} from '../domain/starting.ts';
import type {FleetStore} from '../state/fleet.ts';
import {nextTry} from './cadence.ts';
import type {Clock} from './clock.ts';
import type {Keep} from './keep.ts';
import {problemOf} from './problem.ts';
import type {Registry} from './registry.ts';
import type {Priority, Scheduler} from './scheduler.ts';

export type ComputerWatcherOptions = {
	readonly computerId: string;
	readonly service: Service;
	readonly database: Database;
	readonly keep: Keep;
	readonly fleet: FleetStore;
	readonly registry: Registry;
	readonly scheduler: Scheduler;
	readonly clock: Clock;
};

/** Reads a computer until its provisioning is over, then rests. */
export type ComputerWatcher = {
	/** Reads at once, and goes on while there is something to wait for. */
	kick(priority?: Priority): void;
	/** A snapshot that came by another way (the answer to an action): answers still under way are older. */
	told(computer: Computer): void;
	/** Somebody looks at it until the returned function is called: one that is not there is asked for now and then. */
	hold(): () => void;
	close(): Promise<void>;
};

const firstWait = 1_000;
const longestWait = 30_000;
/** A step can stay `pending` on an active computer for ever: it is waited for this long, ms. */
const patience = 600_000;
/** Between the reads of one that is not there, ms: the first, and the longest. */
const missingWait = 30_000;
const longestMissingWait = 480_000;

export function createComputerWatcher(options: ComputerWatcherOptions): ComputerWatcher {
	const {computerId, service, database, keep, fleet, registry, scheduler, clock} = options;
	const ending = new AbortController();
	let priority: Priority = 'background';
	/** Goes up with each snapshot that came by another way. */
	let revision = 0;
	let changedAt = clock.now();
	let quiet = 0;
	let failures = 0;
	let holders = 0;
	/** The service said that it is not there: when last, and how often in a row. */
	let missing: {readonly at: number; readonly count: number} | undefined;
	let isAskedFor = false;

	function take(computer: Computer): void {
		const before = fleet.getState().computers.get(computerId)?.computer;
		registry.seeComputer(computer, 'added');
		const after = fleet.getState().computers.get(computerId)?.computer;
		if (isSame(before, after)) {
			quiet++;
			return;
		}
		quiet = 0;
		changedAt = clock.now();
		if (after) recordDurations(before, after);
	}

	/** Once for each step that was seen to end. */
	function recordDurations(before: Computer | undefined, after: Computer): void {
		for (const [index, step] of (after.provisioningSteps ?? []).entries()) {
			const steps = before?.provisioningSteps;
			const previous = step.id === undefined ? steps?.[index] : steps?.find(({id}) => id === step.id);
			const ms = stepDuration(step);
			if (!step.name || ms === undefined || stepState(step).state !== 'done') continue;
			const isNew =
				!previous || stepState(previous).state !== 'done' || previous.completedAt !== step.completedAt;
			const {name} = step;
			if (isNew) keep(() => database.durations.add(name, ms));
		}
	}

	async function run(): Promise<number | undefined> {
		const wait = missing && !isAskedFor ? missingDelay(missing) : 0;
		if (wait === undefined || wait > 0) return wait;
		isAskedFor = false;
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
			return delay();
		} catch (error) {
			return failed(error);
		}
	}

	function delay(): number | undefined {
		priority = 'normal';
		const computer = fleet.getState().computers.get(computerId)?.computer;
		if (!computer || progress(computer, () => undefined, clock.now()).isSettled) return undefined;
		const isProvisioning = computer.status === 'provisioning';
		if (!isProvisioning && clock.now() - changedAt > patience) return undefined;
		return Math.min(longestWait, firstWait * 1.2 ** quiet);
	}

	function failed(error: unknown): number | undefined {
		if (error instanceof AbortError) return undefined;
		if (!isServiceError(error)) throw error;
		if (error instanceof NotFoundError) return notFound(error);
		registry.setProblem(computerId, problemOf(error, clock.now()));
		return error instanceof ForbiddenError ? undefined : nextTry(error, failures++);
	}

	function notFound(error: NotFoundError): number | undefined {
		const at = clock.now();
		const known = fleet.getState().computers.get(computerId);
		const isNew = isStarting(known, at);
		registry.setProblem(computerId, {...problemOf(error, at), ...(isNew && {isStarting: true})});
		if (isNew) return startingTry;
		missing = {at, count: (missing?.count ?? 0) + 1};
		return missingDelay(missing);
	}

	/** ms until one that is not there is read again; never when nobody looks and there is nothing to wait for. */
	function missingDelay({at, count}: NonNullable<typeof missing>): number | undefined {
		const isProvisioning = fleet.getState().computers.get(computerId)?.computer?.status === 'provisioning';
		if (holders === 0 && !isProvisioning) return undefined;
		const wait = Math.min(longestMissingWait, missingWait * 2 ** (count - 1));
		return Math.max(0, at + wait - clock.now());
	}

	const poll = scheduler.poll(run);

	return {
		kick(next = 'normal') {
			priority = next;
			quiet = 0;
			isAskedFor = true;
			poll.now();
		},
		told(computer) {
			revision++;
			changedAt = clock.now();
			take(computer);
		},
		hold() {
			let isHeld = true;
			holders++;
			if (missing) poll.now();
			return () => {
				if (isHeld) holders--;
				isHeld = false;
			};
		},
		async close() {
			ending.abort();
			await poll.end();
		},
	};
}

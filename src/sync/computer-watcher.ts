import {AbortError, ForbiddenError, isServiceError, NotFoundError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {Computer} from '../domain/computer.ts';
import {progress, stepDuration, stepState} from '../domain/provisioning.ts';
import {isSame} from '../domain/same.ts';
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
	close(): Promise<void>;
};

const firstWait = 1_000;
const longestWait = 30_000;
/** A step can stay `pending` on an active computer for ever: it is waited for this long, ms. */
const patience = 600_000;

export function createComputerWatcher(options: ComputerWatcherOptions): ComputerWatcher {
	const {computerId, service, database, keep, fleet, registry, scheduler, clock} = options;
	const ending = new AbortController();
	let priority: Priority = 'background';
	/** Goes up with each snapshot that came by another way. */
	let revision = 0;
	let changedAt = clock.now();
	let quiet = 0;
	let failures = 0;

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
		registry.setProblem(computerId, problemOf(error, clock.now()));
		if (error instanceof NotFoundError || error instanceof ForbiddenError) return undefined;
		return nextTry(error, failures++);
	}

	const poll = scheduler.poll(run);

	return {
		kick(next = 'normal') {
			priority = next;
			quiet = 0;
			poll.now();
		},
		told(computer) {
			revision++;
			changedAt = clock.now();
			take(computer);
		},
		async close() {
			ending.abort();
			await poll.end();
		},
	};
}

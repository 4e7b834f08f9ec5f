import type {Clock} from '../../domain/clock.ts';
import {
	type Connection,
	type ConnectionState,
	type ConnectionStore,
	responseTimeout,
} from '../../state/connection.ts';
import type {Problem} from '../../state/fleet.ts';
import type {Block} from './pace.ts';
import {problemOf} from './problem.ts';
import type {Reachability} from './scheduler.ts';

/** Delay before an outage is explained on the screen, ms, so that a brief one doesn't move the content. */
const outageDelay = 5_000;

/** Updates the connection store from the state of the requests. Writes only what changed. */
export class ConnectionReporter {
	readonly #connection: ConnectionStore;
	readonly #clock: Clock;
	#outage: Problem | undefined;
	#cancel = () => {};
	/** Set while an answer is awaited that no poll has scheduled. */
	#cancelLate: (() => void) | undefined;

	constructor(connection: ConnectionStore, clock: Clock) {
		this.#connection = connection;
		this.#clock = clock;
	}

	report({block, failing, isPolling, isAwaiting = false, nextAt, okAt, latency}: Reachability): void {
		const current = this.#connection.getState();
		const now = this.#clock.now();
		const state: ConnectionState = block?.kind ?? (isPolling ? 'polling' : 'quiet');
		const startsPolling = state === 'polling' && current.state !== 'polling';
		const problem = block && blockingProblem(block, current);
		const failure = failing && {...problemOf(failing.cause, now), at: failing.since};
		this.#noteOutage(state === 'offline' ? problem : failure);
		const next: Partial<Connection> = {
			state,
			// Others may have been answered since, unless the clock was set back.
			...(okAt !== undefined && okAt >= Math.min(current.okAt ?? okAt, now) && {okAt, latency}),
			...(okAt !== undefined && {refusal: undefined}),
			// A poll under way keeps its due time, to tell how late its answer is; the first after a rest is due now.
			...(nextAt !== undefined || !isAwaiting ? {nextAt} : startsPolling && {nextAt: now}),
			retryAt: block?.until,
			problem,
			outage: this.#shownOutage(),
		};
		this.#watchAnswer(state === 'polling' && isAwaiting && nextAt === undefined);
		const keys = Object.keys(next) as (keyof Connection)[];
		const changed = keys.filter(key => current[key] !== next[key]);
		if (changed.length > 0 && !changed.every(key => isMinor(key, current, next)))
			this.#connection.setState(next);
	}

	stop(): void {
		this.#cancel();
		this.#cancelLate?.();
	}

	/** A read without a schedule is due when it starts: written only once its answer is late, as that draws a frame. */
	#watchAnswer(isAwaited: boolean): void {
		if (!isAwaited) {
			this.#cancelLate?.();
			this.#cancelLate = undefined;
			return;
		}
		const startedAt = this.#clock.now();
		this.#cancelLate ??= this.#clock.after(responseTimeout, () =>
			this.#connection.setState(({nextAt = startedAt}) => ({nextAt})),
		);
	}

	/** Keeps the start of an outage, whatever its cause is now. */
	#noteOutage(problem: Problem | undefined): void {
		const before = this.#outage;
		if (!problem || !before) this.#cancel();
		if (!problem) this.#outage = undefined;
		else if (!before) {
			this.#outage = problem;
			const showAt = problem.at + outageDelay;
			this.#cancel = this.#clock.after(Math.max(0, showAt - this.#clock.now()), () =>
				this.#connection.setState({outage: this.#outage}),
			);
		} else if (before.what !== problem.what || before.hint !== problem.hint)
			this.#outage = {...problem, at: before.at};
	}

	#shownOutage(): Problem | undefined {
		return this.#outage && this.#clock.now() >= this.#outage.at + outageDelay ? this.#outage : undefined;
	}
}

/**
 * Times that changed by less than this aren't written, ms, as each change draws a frame: watched sessions cause two
 * answers a second, 100 computers being provisioned twenty.
 */
const minTimeChange = 3_000;

function isMinor(key: keyof Connection, current: Connection, next: Partial<Connection>): boolean {
	const time = key === 'latency' ? 'okAt' : key;
	if (time !== 'okAt' && time !== 'nextAt') return false;
	return Math.abs((next[time] ?? 0) - (current[time] ?? 0)) < minTimeChange;
}

/** Why requests are blocked now, and since when they are. */
function blockingProblem({kind, cause, since}: Block, {state, problem}: Connection): Problem {
	const next = problemOf(cause, since);
	if (kind !== state || !problem) return next;
	const isSame = problem.what === next.what && problem.hint === next.hint;
	return isSame ? problem : {...next, at: problem.at};
}

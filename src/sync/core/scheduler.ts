import {AbortError, RateLimitedError, ServerError, type UnauthorizedError} from '../../api/errors.ts';
import type {Clock} from '../../domain/clock.ts';
import {log} from '../../log/log.ts';
import {type Block, CircuitBreaker, type Failing, isRefusal, RequestBudget} from './pace.ts';
import {createPoll, type Poll} from './poll.ts';

/**
 * `urgent`: the user is waiting, so it has a slot of its own. `background`: leaves one slot free for other requests. `watch`: the same, and waits
 * for its share of the request budget.
 */
export type Priority = 'urgent' | 'normal' | 'background' | 'watch';
export type RequestOptions = {readonly signal?: AbortSignal; readonly priority?: Priority};

/** State of the connection, derived from the requests. `latency` is in ms, `okAt` in Unix ms. */
export type Reachability = {
	readonly block?: Block;
	/** Set while the service responds to every request with an error of its own, or not in time. */
	readonly failing?: Failing;
	readonly isPolling: boolean;
	readonly isAwaiting?: boolean;
	/** When the next poll is due, Unix ms; absent if none is scheduled. */
	readonly nextAt?: number;
	readonly okAt?: number;
	readonly latency?: number;
	/** Something at the service's address has refused a request, but doesn't block all of them. */
	readonly hasRefused?: true;
};

type Entry = {
	readonly key: string;
	readonly priority: Priority;
	readonly start: (signal: AbortSignal) => Promise<void>;
	readonly refuse: (error: Error) => void;
};

const maxRequests = 4;
/** Background requests leave a slot free: a cold service can take a minute per answer. */
const maxBackgroundRequests = 3;
const blurFactor = 4;
const ranks: Readonly<Record<Priority, number>> = {urgent: 0, normal: 1, background: 2, watch: 3};

/**
 * Runs every request of the engine: at most four at a time, and an urgent one beside them; one per resource. Also owns
 * the polls, to slow them down while the terminal is blurred, and to end them.
 */
export class Scheduler {
	readonly #clock: Clock;
	readonly #random: () => number;
	readonly #onReachability: (reachability: Reachability) => void;
	readonly #breaker: CircuitBreaker;
	readonly #budget: RequestBudget;
	readonly #queue: Entry[] = [];
	/** Requests under way, by resource. */
	readonly #running = new Map<string, {readonly priority: Priority; readonly done: Promise<void>}>();
	readonly #polls = new Set<Poll>();
	readonly #ending = new AbortController();
	#isWatching = false;
	/** Stretches the delays of all polls. */
	#factor = 1;
	#cancelRetry: (() => void) | undefined;
	#lastAnswer: {readonly okAt: number; readonly latency: number} | undefined;
	#hasRefused?: true;

	constructor({
		clock,
		random = Math.random,
		requestsPerSecond = 1_000,
		onReachability = () => {},
	}: {
		readonly clock: Clock;
		readonly random?: () => number;
		readonly requestsPerSecond?: number;
		readonly onReachability?: (reachability: Reachability) => void;
	}) {
		this.#clock = clock;
		this.#random = random;
		this.#onReachability = onReachability;
		this.#breaker = new CircuitBreaker(clock, random);
		this.#budget = new RequestBudget(clock, requestsPerSecond);
	}

	/** Requests a second that all reading in the background may make at present. */
	get requestsPerSecond(): number {
		return this.#budget.perSecond;
	}

	/** Runs a call when it is its turn. Rejects with its error, or `AbortError` if aborted first. */
	request<T>(
		key: string,
		call: (signal: AbortSignal) => Promise<T>,
		{signal, priority = 'normal'}: RequestOptions = {},
	): Promise<T> {
		return new Promise((resolve, reject) => {
			if (this.#ending.signal.aborted || signal?.aborted) return reject(new AbortError(false));
			const entry: Entry = {
				key,
				priority,
				start: ending => {
					signal?.removeEventListener('abort', leaveQueue);
					const either = signal ? AbortSignal.any([signal, ending]) : ending;
					return this.#call(call, either).then(resolve, reject);
				},
				refuse: reject,
			};
			const leaveQueue = () => {
				const index = this.#queue.indexOf(entry);
				if (index >= 0) this.#queue.splice(index, 1);
				reject(new AbortError(false));
			};
			signal?.addEventListener('abort', leaveQueue, {once: true});
			this.#queue.push(entry);
			this.#startRequests();
			this.#report();
		});
	}

	/** Repeats `run`, which resolves to the ms until the next run; `undefined` rests until `now` is called. */
	poll(run: (signal: AbortSignal) => Promise<number | undefined>): Poll {
		const poll = createPoll({
			clock: this.#clock,
			run,
			adjust: ms => ms * this.#factor * (0.9 + this.#random() * 0.2),
			onEnd: () => {
				this.#polls.delete(poll);
				if (!this.#ending.signal.aborted) this.#report();
			},
			onChange: () => this.#report(),
		});
		this.#polls.add(poll);
		return poll;
	}

	/** Reports whether sessions are read in the background, which counts as polling. */
	setWatching(isWatching: boolean): void {
		if (isWatching === this.#isWatching) return;
		this.#isWatching = isWatching;
		this.#report();
	}

	/** While the terminal is blurred, all polls run four times less often. */
	setFocused(isFocused: boolean): void {
		const factor = isFocused ? 1 : blurFactor;
		if (factor === this.#factor) return;
		for (const poll of this.#polls) poll.stretch(factor / this.#factor);
		this.#factor = factor;
		this.#report();
	}

	/** Clears any block on the requests: call it after the key changed. */
	resume(): void {
		this.#breaker.reset();
		this.#startRequests();
		this.#report();
	}

	/** Blocks all requests: one that isn't the engine's was refused for its key. */
	keyRefused(error: UnauthorizedError): void {
		this.#breaker.failed(error);
		this.#report();
	}

	/** Tries an unreachable service at once: the user asked for it. */
	tryNow(): void {
		this.#breaker.tryNow();
		this.#startRequests();
		this.#report();
	}

	/** Ends all timers and requests; resolves when none is left. */
	async stop(): Promise<void> {
		this.#cancelRetry?.();
		this.#ending.abort();
		for (const entry of this.#queue.splice(0)) entry.refuse(new AbortError(false));
		const polls = [...this.#polls].map(poll => poll.end());
		await Promise.all([...polls, ...[...this.#running.values()].map(({done}) => done)]);
	}

	#startRequests(): void {
		this.#cancelRetry?.();
		this.#cancelRetry = undefined;
		for (let entry = this.#nextEntry(); entry; entry = this.#nextEntry()) this.#start(entry);
		if (this.#queue.length === 0) return;
		const now = this.#clock.now();
		const blockedUntil = this.#breaker.block?.until ?? 0;
		// What could start now but didn't waits for the budget, which may have become ready since.
		const readyAt = this.#startableEntries().length > 0 ? Math.max(now, this.#budget.readyAt) : undefined;
		const until = blockedUntil > now ? blockedUntil : readyAt;
		if (until !== undefined) this.#cancelRetry = this.#clock.after(until - now, () => this.#startRequests());
	}

	#nextEntry(): Entry | undefined {
		const isInBudget = this.#budget.readyAt <= this.#clock.now();
		const first = this.#startableEntries()
			.filter(({priority}) => priority !== 'watch' || isInBudget)
			.reduce<Entry | undefined>(
				(best, entry) => (best && ranks[best.priority] <= ranks[entry.priority] ? best : entry),
				undefined,
			);
		if (first) this.#queue.splice(this.#queue.indexOf(first), 1);
		return first;
	}

	/** The queued requests that could start now if the budget allowed them. */
	#startableEntries(): Entry[] {
		if (this.#ending.signal.aborted) return [];
		const running = [...this.#running.values()];
		const inBackground = running.filter(({priority}) => ranks[priority] >= ranks.background).length;
		return this.#queue.filter(
			({key, priority}) =>
				!this.#running.has(key) &&
				running.length < maxRequests + (priority === 'urgent' ? 1 : 0) &&
				(ranks[priority] < ranks.background || inBackground < maxBackgroundRequests) &&
				this.#breaker.allowsRequest(priority === 'urgent', running.length),
		);
	}

	#start({key, priority, start}: Entry): void {
		this.#budget.take(priority === 'watch');
		const done = start(this.#ending.signal).finally(() => {
			this.#running.delete(key);
			this.#startRequests();
			this.#report();
		});
		this.#running.set(key, {priority, done});
	}

	async #call<T>(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
		const startedAt = this.#clock.now();
		try {
			const answer = await run(signal);
			this.#breaker.succeeded();
			this.#budget.succeeded();
			const okAt = this.#clock.now();
			this.#lastAnswer = {okAt, latency: okAt - startedAt};
			return answer;
		} catch (error) {
			this.#breaker.failed(error);
			if (isRefusal(error) && !(error instanceof ServerError)) this.#hasRefused = true;
			if (error instanceof RateLimitedError) this.#budget.slowDown(startedAt);
			logBlock(this.#breaker.block, this.#clock.now());
			throw error;
		}
	}

	#report(): void {
		const polls = [...this.#polls];
		const dueTimes = polls.flatMap(({dueAt}) => dueAt ?? []);
		const {block, failing} = this.#breaker;
		this.#onReachability({
			isPolling: this.#isWatching || this.#running.size > 0 || polls.some(poll => poll.isActive),
			isAwaiting: this.#running.size > 0,
			nextAt: dueTimes.length > 0 ? Math.min(...dueTimes) : undefined,
			...this.#lastAnswer,
			hasRefused: this.#hasRefused,
			block,
			failing,
		});
	}
}

function logBlock(block: Block | undefined, now: number): void {
	if (block) log('warn', 'requests blocked', {kind: block.kind, ms: block.until && block.until - now});
}

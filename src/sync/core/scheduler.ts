import {AbortError} from '../../api/errors.ts';
import {log} from '../../log/log.ts';
import {type Block, createCircuitBreaker} from './circuit-breaker.ts';
import type {Clock} from './clock.ts';
import {createPoll, type Poll} from './poll.ts';

/** `urgent`: the user is waiting. `background`: leaves one slot free for other requests. */
export type Priority = 'urgent' | 'normal' | 'background';
export type RequestOptions = {readonly signal?: AbortSignal; readonly priority?: Priority};

/** State of the connection, derived from the requests. `latency` is in ms, `okAt` in Unix ms. */
export type Reachability = {
	readonly block?: Block;
	readonly isPolling: boolean;
	/** When the next poll is due, Unix ms; absent if none is scheduled. */
	readonly nextAt?: number;
	readonly okAt?: number;
	readonly latency?: number;
};

/**
 * Runs every request of the engine: at most four at a time, one per resource, urgent ones first. Also owns
 * the polls, so that their pace, blur and stop are decided in one place.
 */
export type Scheduler = {
	/**
	 * Runs a call when it is its turn. Rejects with the call's error, or with `AbortError` if it is aborted
	 * first.
	 */
	request<T>(key: string, call: (signal: AbortSignal) => Promise<T>, options?: RequestOptions): Promise<T>;
	/**
	 * Repeats `run`, which resolves to the ms until the next run, or `undefined` to rest until `now` is called.
	 */
	poll(run: (signal: AbortSignal) => Promise<number | undefined>): Poll;
	/** While the terminal is blurred, all polls run four times less often. */
	setFocused(isFocused: boolean): void;
	/** Clears any block on the requests, after the key changed. */
	resume(): void;
	/** Ends the wait for an unreachable service, since the user wants to retry now. */
	tryNow(): void;
	/** Ends all timers and requests; resolves when none is left. */
	stop(): Promise<void>;
};

type Entry = {
	readonly key: string;
	readonly priority: Priority;
	readonly start: (signal: AbortSignal) => Promise<void>;
	readonly refuse: (error: Error) => void;
};

const places = 4;
/** Background requests leave a slot free: a cold service can take a minute per answer. */
const backgroundPlaces = 3;
const blurFactor = 4;
const ranks: Readonly<Record<Priority, number>> = {urgent: 0, normal: 1, background: 2};

export function createScheduler({
	clock,
	random = Math.random,
	onReach = () => {},
}: {
	readonly clock: Clock;
	readonly random?: () => number;
	readonly onReach?: (reach: Reachability) => void;
}): Scheduler {
	const breaker = createCircuitBreaker(clock, random);
	const queue: Entry[] = [];
	const busy = new Map<string, {readonly priority: Priority; readonly done: Promise<void>}>();
	const polls = new Set<Poll>();
	const ending = new AbortController();
	let factor = 1;
	let cancelRetry: (() => void) | undefined;
	let last: {okAt: number; latency: number} | undefined;
	let isStopped = false;

	function report(): void {
		const isPolling = busy.size > 0 || [...polls].some(poll => poll.isActive);
		const due = [...polls].flatMap(({dueAt}) => (dueAt === undefined ? [] : [dueAt]));
		const nextAt = due.length === 0 ? undefined : Math.min(...due);
		onReach({
			isPolling,
			...(nextAt !== undefined && {nextAt}),
			...last,
			...(breaker.block && {block: breaker.block}),
		});
	}

	function pump(): void {
		cancelRetry?.();
		cancelRetry = undefined;
		for (let entry = nextEntry(); entry; entry = nextEntry()) begin(entry);
		const until = breaker.block?.until;
		if (queue.length > 0 && until !== undefined && until > clock.now()) {
			cancelRetry = clock.after(until - clock.now(), pump);
		}
	}

	function nextEntry(): Entry | undefined {
		if (isStopped || busy.size >= places) return undefined;
		const inBackground = [...busy.values()].filter(({priority}) => priority === 'background').length;
		const free = queue.filter(
			({key, priority}) =>
				!busy.has(key) &&
				(priority !== 'background' || inBackground < backgroundPlaces) &&
				breaker.allowsRequest(priority === 'urgent', busy.size),
		);
		const first = free.reduce<Entry | undefined>(
			(best, entry) => (best && ranks[best.priority] <= ranks[entry.priority] ? best : entry),
			undefined,
		);
		if (first) queue.splice(queue.indexOf(first), 1);
		return first;
	}

	function begin(entry: Entry): void {
		const done = entry.start(ending.signal).finally(() => {
			busy.delete(entry.key);
			pump();
			report();
		});
		busy.set(entry.key, {priority: entry.priority, done});
	}

	async function call<T>(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
		const startedAt = clock.now();
		try {
			const answer = await run(signal);
			breaker.succeeded();
			last = {okAt: clock.now(), latency: clock.now() - startedAt};
			return answer;
		} catch (error) {
			breaker.failed(error);
			logBlock(breaker.block, clock.now());
			throw error;
		}
	}

	return {
		request(key, run, {signal, priority = 'normal'} = {}) {
			return new Promise((resolve, reject) => {
				if (isStopped || signal?.aborted) return reject(new AbortError(false));
				const entry: Entry = {
					key,
					priority,
					start(stopped) {
						signal?.removeEventListener('abort', leave);
						const ends = signal ? AbortSignal.any([signal, stopped]) : stopped;
						return call(run, ends).then(resolve, reject);
					},
					refuse: reject,
				};
				const leave = () => {
					const index = queue.indexOf(entry);
					if (index >= 0) queue.splice(index, 1);
					reject(new AbortError(false));
				};
				signal?.addEventListener('abort', leave, {once: true});
				queue.push(entry);
				pump();
				report();
			});
		},
		poll(run) {
			const poll = createPoll({
				clock,
				run,
				stretch: ms => ms * factor * (0.9 + random() * 0.2),
				onEnd: () => polls.delete(poll),
				onChange: report,
			});
			polls.add(poll);
			return poll;
		},
		setFocused(isFocused) {
			const next = isFocused ? 1 : blurFactor;
			if (next === factor) return;
			const change = next / factor;
			factor = next;
			for (const poll of polls) poll.stretch(change);
			report();
		},
		resume() {
			breaker.reset();
			pump();
			report();
		},
		tryNow() {
			if (breaker.block?.kind !== 'offline') return;
			breaker.reset();
			pump();
			report();
		},
		async stop() {
			isStopped = true;
			cancelRetry?.();
			ending.abort();
			for (const entry of queue.splice(0)) entry.refuse(new AbortError(false));
			await Promise.all([...[...polls].map(poll => poll.end()), ...[...busy.values()].map(({done}) => done)]);
		},
	};
}

function logBlock(block: Block | undefined, now: number): void {
	if (block) log('warn', 'requests blocked', {kind: block.kind, ms: block.until && block.until - now});
}

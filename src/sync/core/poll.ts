import {exponentialDelay} from '../../domain/backoff.ts';
import type {Clock} from '../../domain/clock.ts';
import {quietWork} from '../../domain/sessions/activity.ts';
import {isConnectionError} from './pace.ts';

/** Delays of the first polls after our own post or a hook event, ms. */
export const followUps: readonly number[] = [250, 500, 1_000];

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** The longest delay of a session or computer that is watched, ms. */
export const maxWatchDelay = 5 * minute;

/**
 * Delay until an open session's next poll, ms: 1-3 s for a focused session at work, backing off to a minute when idle.
 * `quietPolls` is the number of polls in a row that found nothing.
 */
export function nextPollDelay(isFocused: boolean, isAtWork: boolean, quietPolls: number): number {
	const factor = isFocused ? 1 : 3;
	if (isAtWork) return factor * Math.min(3 * second, second * 1.5 ** quietPolls);
	return Math.min(minute, factor * 3 * second * 1.6 ** quietPolls);
}

/** Delay until the next read of a session that nobody has open, ms. `idleTime`: ms since its last activity. */
export function watchDelay(isWorking: boolean, idleTime: number): number {
	if (isWorking && idleTime < quietWork) return 5 * second;
	if (idleTime < 10 * minute) return 15 * second;
	if (idleTime < hour) return 30 * second;
	return Math.min(maxWatchDelay, 30 * second * 2 ** Math.floor(Math.log2(idleTime / hour) + 1));
}

/** Delay until a failed poll is retried, ms. `failures`: failures in a row before this one. */
export function nextRetryDelay(error: unknown, failures: number): number {
	// The circuit breaker delays every request until the next attempt is due.
	if (isConnectionError(error)) return 0;
	return exponentialDelay(failures);
}

/** Repeated work whose runs never overlap. */
export type Poll = {
	/** Whether it is running or waiting for its next run. */
	readonly isActive: boolean;
	/** When the next run is due, Unix ms; `undefined` if none is scheduled. */
	readonly dueAt: number | undefined;
	/** Runs immediately, or once more right after the current run. */
	now(): void;
	/** Multiplies the rest of the delay. */
	stretch(factor: number): void;
	/** Aborts the current run and starts no other. Resolves when the run is over. */
	end(): Promise<void>;
};

/** Creates a poll. `run` handles its errors; resolves to the ms until the next run, if any. */
export function createPoll({
	clock,
	run,
	adjust,
	onEnd,
	onChange,
}: {
	readonly clock: Clock;
	readonly run: (signal: AbortSignal) => Promise<number | undefined>;
	/** The delay to wait instead of the one that `run` gave. */
	readonly adjust: (ms: number) => number;
	readonly onEnd: () => void;
	readonly onChange: () => void;
}): Poll {
	const ending = new AbortController();
	let running: Promise<void> | undefined;
	let isRunAgain = false;
	let timer: {readonly dueAt: number; readonly cancel: () => void} | undefined;

	function wait(ms: number): void {
		timer?.cancel();
		const cancel = clock.after(ms, () => {
			timer = undefined;
			start();
		});
		timer = {dueAt: clock.now() + ms, cancel};
	}

	function start(): void {
		timer?.cancel();
		timer = undefined;
		running = run(ending.signal).then(finish, (error: unknown) => {
			finish(undefined);
			if (!ending.signal.aborted) throw error;
		});
	}

	function finish(delay: number | undefined): void {
		running = undefined;
		if (ending.signal.aborted) return;
		if (isRunAgain) {
			isRunAgain = false;
			start();
		} else if (delay !== undefined) wait(adjust(delay));
		onChange();
	}

	return {
		get isActive() {
			return running !== undefined || timer !== undefined;
		},
		get dueAt() {
			return timer?.dueAt;
		},
		now() {
			if (ending.signal.aborted) return;
			if (running) isRunAgain = true;
			else start();
		},
		stretch(factor) {
			if (timer) wait(Math.max(0, timer.dueAt - clock.now()) * factor);
		},
		async end() {
			if (!ending.signal.aborted) onEnd();
			ending.abort();
			timer?.cancel();
			timer = undefined;
			await running?.catch(() => {});
		},
	};
}

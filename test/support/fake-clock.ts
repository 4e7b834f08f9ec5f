import type {Clock} from '../../src/domain/clock.ts';

/**
 * A clock that the test moves. `advance` runs everything that falls due, in order, and lets promises settle,
 * including those of real requests while it `isBusy`.
 */
export type FakeClock = Clock & {
	advance(ms: number): Promise<void>;
	/** Moves on to the next timer and runs it. */
	next(): Promise<void>;
	readonly pending: number;
};

export function fakeClock(start = Date.UTC(2026, 10, 1), isBusy = () => false): FakeClock {
	let now = start;
	let sequence = 0;
	const timers = new Map<number, {at: number; run: () => void}>();
	const quiet = async () => {
		do await settle();
		while (isBusy());
	};
	const next = (end: number) =>
		[...timers].filter(([, t]) => t.at <= end).sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
	const run = async ([key, timer]: [number, {at: number; run: () => void}]) => {
		timers.delete(key);
		now = Math.max(now, timer.at);
		timer.run();
		await quiet();
	};
	return {
		now: () => now,
		after(ms, run) {
			const key = sequence++;
			timers.set(key, {at: now + Math.max(0, ms), run});
			return () => timers.delete(key);
		},
		async advance(ms) {
			const end = now + ms;
			await quiet();
			for (let due = next(end); due; due = next(end)) await run(due);
			now = end;
		},
		async next() {
			const due = next(Number.POSITIVE_INFINITY);
			if (due) await run(due);
		},
		get pending() {
			return timers.size;
		},
	};
}

/** Lets everything that is ready to run, run: a few turns of the event loop. */
export async function settle(turns = 5): Promise<void> {
	for (let i = 0; i < turns; i++) await new Promise(resolve => setImmediate(resolve));
}

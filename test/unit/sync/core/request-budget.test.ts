import {beforeEach, expect, test} from 'vitest';
import {RateLimitedError} from '../../../../src/api/errors.ts';
import {RequestBudget} from '../../../../src/sync/core/pace.ts';
import {Scheduler} from '../../../../src/sync/core/scheduler.ts';
import {type FakeClock, fakeClock} from '../../../support/fake-clock.ts';

let clock: FakeClock;
let budget: RequestBudget;
beforeEach(() => {
	clock = fakeClock();
	budget = new RequestBudget(clock, 2);
});

const isReady = () => budget.readyAt <= clock.now();

/** Requests that a watcher makes in this many seconds, as soon as it may. */
async function watch(seconds: number): Promise<number> {
	let made = 0;
	for (let ms = 0; ms < seconds * 1_000; ms += 50) {
		for (; isReady(); made++) budget.take(true);
		await clock.advance(50);
	}
	return made;
}

test('allows four requests after a rest, then two a second', async () => {
	expect(await watch(0.05)).toBe(4);
	expect(await watch(60)).toBe(120);
});

test('subtracts what others use, but leaves the watcher a quarter', async () => {
	await watch(1);
	const others = setOthers(1);
	expect(await watch(60)).toBeCloseTo(60, -1);
	others(50);
	expect(await watch(60)).toBeCloseTo(30, -1);
	others(0);
	expect(await watch(60)).toBeGreaterThanOrEqual(115);
});

/** Requests of others, so many a second. */
function setOthers(perSecond: number): (perSecond: number) => void {
	const go = () => {
		if (perSecond > 0) budget.take(false);
		clock.after(perSecond > 0 ? 1_000 / perSecond : 1_000, go);
	};
	go();
	return next => (perSecond = next);
}

test('a rate limit halves the budget once per burst, down to a sixteenth; successes restore it', async () => {
	const startedAt = clock.now();
	await clock.advance(10);
	for (let i = 0; i < 4; i++) budget.slowDown(startedAt);
	expect(budget.perSecond).toBe(1);
	for (let i = 0; i < 10; i++) budget.slowDown(clock.now());
	expect(budget.perSecond).toBe(2 / 16);
	for (let i = 0; i < 46; i++) budget.succeeded();
	expect(budget.perSecond).toBeLessThan(2);
	for (let i = 0; i < 10; i++) budget.succeeded();
	expect(budget.perSecond).toBe(2);
});

test('a clock that is set back neither blocks the budget nor lifts it', async () => {
	let now = clock.now();
	budget = new RequestBudget({now: () => now, after: clock.after}, 2);
	for (let i = 0; i < 8; i++) budget.take(true);
	budget.slowDown(now);
	now -= 86_400_000;
	expect(budget.readyAt).toBeLessThanOrEqual(now + 5_000);
	expect(budget.readyAt).toBeGreaterThan(now);
	budget.slowDown(now);
	expect(budget.perSecond).toBe(0.5);
});

test('allows everything without a limit, even while the clock stands still', () => {
	budget = new RequestBudget(clock, Number.POSITIVE_INFINITY);
	for (let i = 0; i < 100; i++) {
		expect(isReady()).toBe(true);
		budget.take(true);
	}
	budget.slowDown(clock.now());
	expect(isReady()).toBe(true);
});

test('only the watcher waits for the budget, and a 429 halves it', async () => {
	const scheduler = new Scheduler({clock, random: () => 0.5, requestsPerSecond: 2});
	const made: string[] = [];
	const request = (key: string, priority: 'watch' | 'background' | 'normal' | 'urgent') =>
		scheduler.request(key, async () => made.push(key), {priority});
	const all = Array.from({length: 20}, (_, index) => request(`watch-${index}`, 'watch'));
	await clock.advance(0);
	expect(made).toHaveLength(4);
	await Promise.all([request('user', 'urgent'), request('open', 'normal'), request('old', 'background')]);
	expect(made.slice(4)).toEqual(['user', 'open', 'old']);
	await clock.advance(1_900);
	expect(made).toHaveLength(7);
	await clock.advance(10_000);
	await Promise.all(all);
	expect(scheduler.requestsPerSecond).toBe(2);
	const limited = scheduler.request('limited', async () => {
		throw new RateLimitedError('Too many.', {hint: 'Wait.', status: 429, retryAfter: 1_000});
	});
	await expect(limited).rejects.toThrow(RateLimitedError);
	expect(scheduler.requestsPerSecond).toBe(1);
	await scheduler.stop();
	expect(clock.pending).toBe(0);
});

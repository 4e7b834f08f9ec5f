import {expect, test} from 'vitest';
import {ageChangedAt, ageChangesAt, createTicker} from '../../../src/ui/kit/ticker.ts';
import {fakeClock} from '../../support/fake-clock.ts';

const minute = 60_000;

test.each([
	[0, 5000],
	[6500, 10_000],
	[59_999, minute],
	[90_000, 2 * minute],
	[60 * minute, 120 * minute],
])('an age of %i ms changes when it is %i ms old', (past, next) => {
	expect(ageChangesAt(0, past)).toBe(next);
});

test.each([
	[-5, 0],
	[6500, 5000],
	[59_999, 55_000],
	[90_000, minute],
	[61.5 * minute, 61 * minute],
])('shows an age of %i ms as at %i ms', (past, at) => {
	expect(ageChangedAt(0, past)).toBe(at);
});

test('uses one timer for everyone, and none when nobody waits', async () => {
	const clock = fakeClock(0);
	const ticker = createTicker(clock);
	const seen: number[] = [];
	ticker.subscribe(() => seen.push(ticker.now()));
	expect(clock.pending).toBe(0);
	const [a, b] = [{}, {}];
	ticker.wake(a, 5000);
	ticker.wake(b, 2000);
	expect(clock.pending).toBe(1);
	await clock.advance(3000);
	expect(seen).toEqual([2000]);
	ticker.wake(a, undefined);
	expect(clock.pending).toBe(0);
	await clock.advance(10_000);
	expect(seen).toEqual([2000]);
});

test('a moment in the past still ticks once', async () => {
	const clock = fakeClock(10_000);
	const ticker = createTicker(clock);
	let ticks = 0;
	ticker.subscribe(() => ticks++);
	ticker.wake({}, 1);
	await clock.advance(1000);
	expect(ticks).toBe(1);
});

import {expect, test} from 'vitest';
import {createHookBatch, type SaveEvents} from '../../../src/hook-listeners/hook-batch.ts';
import {fakeClock, settle} from '../../support/fake-clock.ts';
import {hookEvent} from '../../support/hook-event.ts';

function batch(saveEvents: SaveEvents = () => {}) {
	const clock = fakeClock();
	const sizes: number[] = [];
	const {save, close} = createHookBatch(events => {
		sizes.push(events.length);
		return saveEvents(events);
	}, clock);
	const give = (count: number) =>
		Promise.allSettled(Array.from({length: count}, (_, index) => save(hookEvent({id: `event-${index}`}))));
	return {clock, sizes, give, close};
}

test('after a rest, saves an event at once, together with those that come with it', async () => {
	const {clock, sizes, give} = batch();
	await give(1);
	await clock.advance(20);
	await give(3);
	expect([sizes, clock.pending]).toEqual([[1, 3], 0]);
});

test('saves what comes soon after a write in the next one', async () => {
	const {clock, sizes, give} = batch();
	await give(1);
	const kept = [give(1), give(98), give(1)];
	await settle();
	expect(sizes).toEqual([1]);
	await clock.advance(20);
	await Promise.all(kept);
	expect(sizes).toEqual([1, 100]);
});

test('each event learns the outcome of its own write', async () => {
	let count = 0;
	const {clock, give} = batch(() => {
		if (++count === 2) throw new Error('the disk is full');
	});
	const statuses = async (giving: ReturnType<typeof give>) => (await giving).map(({status}) => status);
	expect(await statuses(give(1))).toEqual(['fulfilled']);
	const second = give(2);
	await clock.advance(20);
	expect(await statuses(second)).toEqual(['rejected', 'rejected']);
});

test('a clock that is set back causes no delay', async () => {
	const {clock, sizes, give} = batch();
	await give(1);
	const now = clock.now();
	Object.assign(clock, {now: () => now - 3_600_000});
	await give(1);
	expect(sizes).toEqual([1, 1]);
});

test('closing saves what waits, and then nothing waits any more', async () => {
	const {clock, sizes, give, close} = batch();
	await give(1);
	const waiting = give(2);
	close();
	await waiting;
	await give(1);
	expect([sizes, clock.pending]).toEqual([[1, 2, 1], 0]);
});

import {expect, test} from 'vitest';
import {createStore} from 'zustand/vanilla';
import {throttledStore} from '../../../src/ui/throttled-stores.ts';
import {fakeClock} from '../../support/fake-clock.ts';

function throttled() {
	const clock = fakeClock();
	const store = createStore<{count: number}>(() => ({count: 0}));
	const screen = throttledStore(store, clock);
	const reported: string[] = [];
	const stop = screen.subscribe(({count}, before) => reported.push(`${before.count} to ${count}`));
	const change = (count: number) => store.setState({count});
	return {clock, store, screen, reported, stop, change};
}

test('reports the first change after a rest at once, a burst once a frame, and always its end', async () => {
	const {clock, screen, reported, change} = throttled();
	change(1);
	expect(reported).toEqual(['0 to 1']);
	for (let count = 2; count <= 50; count++) change(count);
	expect(reported).toEqual(['0 to 1']);
	expect(screen.getState()).toEqual({count: 50});
	await clock.advance(33);
	expect(reported).toEqual(['0 to 1', '1 to 50']);
	change(51);
	await clock.advance(33);
	expect(reported).toEqual(['0 to 1', '1 to 50', '50 to 51']);
	await clock.advance(33);
	change(52);
	expect(reported.at(-1)).toBe('51 to 52');
});

test('runs nothing while nothing changes or nobody listens', async () => {
	const {clock, reported, stop, change} = throttled();
	expect(clock.pending).toBe(0);
	change(1);
	await clock.advance(33);
	expect(clock.pending).toBe(0);
	change(2);
	stop();
	expect(clock.pending).toBe(0);
	change(3);
	expect(reported).toEqual(['0 to 1', '1 to 2']);
});

test('a change made by a listener is reported with the next frame', async () => {
	const {clock, screen, reported, change} = throttled();
	screen.subscribe(({count}) => {
		if (count === 1) change(2);
	});
	change(1);
	expect(reported).toEqual(['0 to 1']);
	await clock.advance(33);
	expect(reported).toEqual(['0 to 1', '1 to 2']);
});

test('a listener who returns hears of changes from then on', async () => {
	const {clock, screen, stop, change} = throttled();
	stop();
	change(1);
	const reported: number[] = [];
	screen.subscribe(({count}) => reported.push(count));
	expect(reported).toEqual([]);
	change(2);
	expect(reported).toEqual([2]);
	await clock.advance(33);
	expect(clock.pending).toBe(0);
});

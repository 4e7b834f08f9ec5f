import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createKeyList} from '../../../src/db/key-list.ts';

/** Enough for several chunks, so that they are split and emptied. */
const many = fc.nat(20_000);

const step = fc.oneof(
	fc.record({name: fc.constant('append' as const), count: fc.nat(6000)}),
	fc.record({name: fc.constant('insert' as const), index: many, count: fc.nat(3000)}),
	fc.record({name: fc.constant('remove' as const), index: many, count: fc.nat(5000)}),
	fc.record({name: fc.constant('clear' as const)}),
);

test('holds what an array holds, whatever is put in and taken out', () => {
	fc.assert(
		fc.property(fc.array(step, {maxLength: 12}), steps => {
			const list = createKeyList();
			let model: number[] = [];
			let next = 0;
			for (const one of steps) {
				if (one.name === 'clear') {
					list.clear();
					model = [];
				} else if (one.name === 'append') {
					const keys = Array.from({length: one.count}, () => next++);
					list.append(keys);
					model.push(...keys);
				} else {
					const index = Math.min(one.index, model.length);
					const keys = Array.from({length: one.count}, () => next++);
					for (const [at, key] of keys.entries())
						if (one.name === 'insert') list.insert(index + at, key);
						else list.remove(index);
					if (one.name === 'insert') model.splice(index, 0, ...keys);
					else model.splice(index, one.count);
				}
			}
			expect(list.length).toBe(model.length);
			expect(Array.from({length: list.length}, (_, index) => list.at(index))).toEqual(model);
			expect(list.at(model.length)).toBeUndefined();
		}),
		{numRuns: 40},
	);
});

test('a place is found by looking at few, and what is nowhere is taken out on the way', () => {
	const list = createKeyList();
	list.append(Array.from({length: 100_000}, (_, index) => index));
	let looked = 0;
	const before = (end: number, gone: readonly number[] = []) =>
		list.countBefore(key => {
			looked++;
			return gone.includes(key) ? undefined : key < end;
		});
	expect(before(77_777)).toBe(77_777);
	expect(looked).toBeLessThanOrEqual(17);
	expect(before(77_777, [50_000, 75_000])).toBe(77_775);
	expect(list.length).toBe(99_998);
});

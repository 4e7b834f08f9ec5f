import fc from 'fast-check';
import {expect, test} from 'vitest';
import {KeyList, KeySet} from '../../../../src/db/messages/message-keys.ts';

const newest = 200;
const setChange = fc.record({
	kind: fc.constantFrom('add', 'delete'),
	key: fc.integer({min: 0, max: newest}),
});

test('a key set changes as a set does', () => {
	fc.assert(
		fc.property(fc.array(setChange, {maxLength: 60}), changes => {
			const keys = new KeySet(newest);
			const set = new Set<number>();
			for (const {kind, key} of changes) {
				if (kind === 'add') {
					keys.add(key);
					set.add(key);
				} else expect(keys.delete(key)).toBe(set.delete(key));
			}
			for (let key = 0; key <= newest; key++) expect(keys.delete(key)).toBe(set.has(key));
		}),
	);
});

const key = fc.integer({min: 1, max: 4_000_000_000});
const listChange = fc.oneof(
	fc.record({kind: fc.constant('append' as const), keys: fc.array(key, {maxLength: 20})}),
	fc.record({kind: fc.constant('insert' as const), key, at: fc.nat(60)}),
	fc.record({kind: fc.constant('remove' as const), at: fc.nat(60)}),
	fc.record({kind: fc.constant('removeAll' as const), divisor: fc.integer({min: 2, max: 5})}),
);

test('a key list changes as an array does', () => {
	fc.assert(
		fc.property(fc.array(listChange, {maxLength: 30}), changes => {
			const list = new KeyList();
			const array: number[] = [];
			for (const step of changes) {
				if (step.kind === 'append') {
					for (const key of step.keys) list.append(key);
					array.push(...step.keys);
				} else if (step.kind === 'insert') {
					const at = Math.min(step.at, array.length);
					list.insert(at, step.key);
					array.splice(at, 0, step.key);
				} else if (step.kind === 'remove') {
					if (step.at >= array.length) continue;
					list.remove(step.at);
					array.splice(step.at, 1);
				} else {
					const isRemoved = (one: number) => one % step.divisor === 0;
					list.removeAll(isRemoved);
					array.splice(0, array.length, ...array.filter(one => !isRemoved(one)));
				}
				expect(Array.from({length: list.length + 1}, (_, index) => list.at(index))).toEqual([
					...array,
					undefined,
				]);
			}
		}),
	);
});

test('a list that takes over the memory of a closed one starts empty', () => {
	const closed = new KeyList();
	for (let number = 1; number <= 2000; number++) closed.append(number);
	closed.close();
	const list = new KeyList();
	expect([closed.length, closed.at(0), list.length, list.at(0)]).toEqual([0, undefined, 0, undefined]);
	list.append(7);
	const other = new KeyList();
	other.append(8);
	expect([list.at(0), list.at(1), other.at(0)]).toEqual([7, undefined, 8]);
});

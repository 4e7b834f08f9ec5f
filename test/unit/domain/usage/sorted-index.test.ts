import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Direction, sortedIndex} from '../../../../src/domain/usage/sorted-index.ts';

const indexOf = (keys: readonly (number | string | undefined)[], direction: Direction) => [
	...sortedIndex(keys.length, index => keys[index], direction),
];

/** The same by comparing: slow, and plainly right. */
function compared<Key extends number | string>(keys: readonly (Key | undefined)[], direction: Direction) {
	const isUnknown = (key: unknown) => key === undefined || Number.isNaN(key as number);
	const sign = direction === 'ascending' ? 1 : -1;
	return [...keys.keys()].sort((a, b) => {
		const [one, other] = [keys[a], keys[b]];
		if (isUnknown(one) || isUnknown(other)) return Number(isUnknown(one)) - Number(isUnknown(other));
		return (one as Key) < (other as Key) ? -sign : (one as Key) > (other as Key) ? sign : 0;
	});
}

const direction = fc.constantFrom('ascending' as const, 'descending' as const);

test('numbers in any order of size, the unknown last, equals as they were', () => {
	const key = fc.oneof(fc.double(), fc.integer({min: -3, max: 3}), fc.constantFrom(0, -0, undefined));
	fc.assert(
		fc.property(fc.array(key), direction, (keys, way) => {
			expect(indexOf(keys, way)).toEqual(compared(keys, way));
		}),
	);
});

test('words by their units, the unknown last, equals as they were', () => {
	const key = fc.option(fc.string({maxLength: 3, unit: 'binary'}), {nil: undefined});
	fc.assert(
		fc.property(fc.array(key), direction, (keys, way) => {
			expect(indexOf(keys, way)).toEqual(compared(keys, way));
		}),
	);
});

test('each key is asked for once', () => {
	const asked: number[] = [];
	sortedIndex(3, index => asked.push(index), 'descending');
	expect(asked).toEqual([0, 1, 2]);
});

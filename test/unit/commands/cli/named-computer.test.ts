import {expect, test} from 'vitest';
import {UsageError} from '../../../../src/commands/cli/errors.ts';
import {namedComputer} from '../../../../src/commands/cli/named-computer.ts';
import {fleet, knownComputer} from '../../../support/fleet.ts';

test('a computer is named by its id, its name, or as lists tell those with one name apart', () => {
	const computers = [
		knownComputer('0a1b2c3d-0001', {name: 'lab'}),
		knownComputer('9f8e7d6c-0002', {name: 'lab'}),
		knownComputer('box-id', {name: 'box'}),
	];
	const named = (word: string) => namedComputer({current: () => fleet([], computers)} as never, word);
	expect(named('0a1b2c3d-0001')).toBe('0a1b2c3d-0001');
	expect(named('box')).toBe('box-id');
	expect(named('lab 9f8e7d6c')).toBe('9f8e7d6c-0002');
	expect(named('elsewhere')).toBe('elsewhere');
	expect(() => named('lab')).toThrow(UsageError);
});

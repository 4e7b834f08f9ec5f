import fc from 'fast-check';
import {expect, test} from 'vitest';
import {KeySet} from '../../../../src/db/messages/message-keys.ts';

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

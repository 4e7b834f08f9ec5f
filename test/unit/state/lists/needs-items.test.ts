import {expect, test} from 'vitest';
import {createListBuilder, needsAfter} from '../../../../src/state/lists/lists.ts';
import {emptyOutbox, fleet, knownSession, noon, signal} from '../../../support/fleet.ts';

/** The ids of what needs the user after one item, where each of `waiting` does, the oldest first. */
function afterIn(builder = createListBuilder()) {
	return (waiting: string, id: string | undefined) => {
		const ids = [...waiting];
		const signals = ids.map((one, index) => signal(one, 'needs-permission', {since: noon + index}));
		const data = fleet(
			ids.map(one => knownSession(one)),
			[],
			signals,
		);
		const {all} = builder.lists(data, emptyOutbox, {words: '', needsOnly: false});
		return needsAfter(all, id)
			.map(item => item.id)
			.join('');
	};
}

test('what needs the user follows the item at the cursor, around the end', () => {
	const after = afterIn();
	expect(after('abcd', 'a')).toBe('bcd');
	expect(after('abcd', 'c')).toBe('dab');
	expect(after('abcd', 'd')).toBe('abc');
	expect([after('abcd', undefined), after('abcd', 'elsewhere')]).toEqual(['abcd', 'abcd']);
});

test('after an item that left, what took its place follows, not the first', () => {
	const after = afterIn();
	after('abcd', 'b');
	expect(after('acd', 'b')).toBe('cda');
	// Since then, another below it has left, too.
	expect(after('ad', 'b')).toBe('da');
	expect(after('a', 'b')).toBe('a');
	// It needs the user again, and leaves another place.
	after('adbe', 'b');
	expect(after('ade', 'b')).toBe('ead');
	after('e', 'b');
	expect(after('', 'b')).toBe('');
});

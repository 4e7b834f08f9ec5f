import {expect, test} from 'vitest';
import {nearest} from '../../../src/domain/nearest.ts';

const words = ['archive', 'find', 'find-next', 'quit', 'reply', 'new-session'];

test.each([
	['archvie', 'archive'],
	['Archive', 'archive'],
	['qiut', 'quit'],
	['find-nxt', 'find-next'],
	['new_session', 'new-session'],
	['something-else', undefined],
	['', undefined],
])('takes %s to mean %s', (word, meant) => {
	expect(nearest(word, words)).toBe(meant);
});

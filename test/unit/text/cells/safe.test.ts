import {expect, test} from 'vitest';
import {safe} from '../../../../src/text/cells/safe.ts';

test('interprets escapes and inserts numbers', () => {
	expect(safe`a\nb ${3}`).toBe('a\nb 3');
});

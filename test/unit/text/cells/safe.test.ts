import {expect, test} from 'vitest';
import {safe} from '../../../../src/text/cells/safe.ts';

test('escapes are cooked and numbers put in', () => {
	expect(safe`a\nb ${3}`).toBe('a\nb 3');
});

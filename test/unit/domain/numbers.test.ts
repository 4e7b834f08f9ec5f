import {expect, test} from 'vitest';
import {parseByteCount} from '../../../src/domain/numbers.ts';

test.each([
	['2 GB', 2e9],
	['500MB', 5e8],
	['1.5 gb', 1.5e9],
	['0', 0],
	[' 12 kB ', 12_000],
	['7 B', 7],
])('%j is %i bytes', (text, bytes) => {
	expect(parseByteCount(text)).toBe(bytes);
});

test.each(['', 'GB', '-1 GB', '2 GiB', '1e9', '2 GB more', '999999999999 TB'])("%j isn't a size", text => {
	expect(parseByteCount(text)).toBeUndefined();
});

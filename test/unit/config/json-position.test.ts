import fc from 'fast-check';
import {expect, test} from 'vitest';
import {jsonErrorOffset, jsonPathOffset} from '../../../src/config/json-position.ts';

test.each([
	['{"a": 1}', undefined],
	[' [ ] ', undefined],
	['', 0],
	['{"a": work}', 6],
	['{"a": 1,}', 8],
	['[1 2]', 3],
	['{"a" 1}', 5],
	['{a: 1}', 1],
	['{"a": 1}}', 8],
	['[1}', 2],
	['{"a": "b\nc"}', 6],
	['{"a": 01}', 7],
	['// note\n{}', 0],
])('%j stops being JSON at %s', (text, offset) => {
	expect(jsonErrorOffset(text)).toBe(offset);
});

test('points to the start of JSON that is nested too deeply for the stack', () => {
	expect(jsonErrorOffset('['.repeat(100_000))).toBe(0);
	expect(jsonPathOffset('['.repeat(100_000) + ']'.repeat(100_000), [0])).toBe(0);
});

test('agrees with JSON.parse on every text', () => {
	const text = fc.oneof(
		fc.json(),
		fc.tuple(fc.json(), fc.nat(), fc.string()).map(([json, at, more]) => {
			const cut = at % (json.length + 1);
			return json.slice(0, cut) + more + json.slice(cut);
		}),
	);
	const isJson = (value: string) => {
		try {
			JSON.parse(value);
			return true;
		} catch {
			return false;
		}
	};
	fc.assert(
		fc.property(text, value => {
			expect(jsonErrorOffset(value) === undefined).toBe(isJson(value));
		}),
		{numRuns: 200},
	);
});

import fc from 'fast-check';
import {expect, test} from 'vitest';
import {jsonPathOffset, positionAt} from '../../../src/config/json-position.ts';

const text = `{
	"a": {"b": [1, {"c": "x, y"}, [2, 3]], "a": null},
	"b": "{\\"a\\": 1}",
	"c": true
}`;

test.each([
	[[], '1:1'],
	[['a'], '2:2'],
	[['a', 'b'], '2:8'],
	[['a', 'b', 0], '2:14'],
	[['a', 'b', 1, 'c'], '2:18'],
	[['a', 'b', 2, 1], '2:36'],
	[['a', 'a'], '2:41'],
	[['b'], '3:2'],
	[['c'], '4:2'],
	[['a', 'nowhere', 'c'], '2:2'],
	[['z'], '1:1'],
])('%j is at %s', (path, position) => {
	expect(positionAt(text, jsonPathOffset(text, path))).toBe(position);
});

test('finds every value of any JSON where it is', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.boolean(), (value, isIndented) => {
			const written = JSON.stringify(value, undefined, isIndented ? 2 : undefined);
			const look = (part: unknown, path: (string | number)[]): void => {
				const offset = jsonPathOffset(written, path);
				const last = path.at(-1);
				const begin = typeof last === 'string' ? JSON.stringify(last) : JSON.stringify(part).slice(0, 1);
				expect(written.slice(offset).startsWith(begin), `${path} in ${written}`).toBe(true);
				if (Array.isArray(part)) for (const [index, item] of part.entries()) look(item, [...path, index]);
				else if (part !== null && typeof part === 'object')
					for (const [key, item] of Object.entries(part)) look(item, [...path, key]);
			};
			look(value, []);
		}),
		{numRuns: 200},
	);
});

import {expect, test} from 'vitest';
import {jsonErrorOffset, jsonPathOffset, positionAt} from '../../../src/config/config-file.ts';

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

test.each([
	['{"a": 1}', undefined],
	['', 0],
	['{"a": work}', 6],
	['{"a": 1,}', 8],
	['{"a": 1}}', 8],
	['{"a": "b\nc"}', 6],
	['// note\n{}', 0],
])('%j stops being JSON at %s', (text, offset) => {
	expect(jsonErrorOffset(text)).toBe(offset);
});

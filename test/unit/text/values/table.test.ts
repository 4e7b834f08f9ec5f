import {expect, test} from 'vitest';
import {cleanLine} from '../../../../src/text/cells/clean.ts';
import {lineText} from '../../../../src/text/cells/line.ts';
import {safe} from '../../../../src/text/cells/safe.ts';
import {byteSize} from '../../../../src/text/values/numbers.ts';
import {tableLines} from '../../../../src/text/values/table.ts';
import {age, clockTime, dateTime, duration} from '../../../../src/text/values/times.ts';

const columns = [{title: safe`ID`}, {title: safe`NAME`, grow: true}, {title: safe`N`, align: 'end'}] as const;
const untitled = [{}, {grow: true}, {align: 'end'}] as const;
const rows = [
	[{text: safe`a1`}, {text: cleanLine('a rather long name')}, {text: safe`5`}],
	[{text: safe`b`}, {text: cleanLine('\u6f22\u5b57')}, {text: safe`120`}],
];
const show = (...given: Parameters<typeof tableLines>) => tableLines(...given).map(lineText);

test('aligns columns, even with wide characters', () => {
	expect(show(columns, rows)).toEqual([
		'ID  NAME                  N',
		'a1  a rather long name    5',
		'b   \u6f22\u5b57                120',
	]);
});

test('shrinks the growing column of a table that is too wide, then the widest', () => {
	expect(show(untitled, rows, {width: 18})).toEqual([
		'a1  a rather\u2026    5',
		'b   \u6f22\u5b57       120',
	]);
	for (const line of show(columns, rows, {width: 14})) expect(line.length).toBeLessThanOrEqual(14);
});

test('leaves missing cells empty', () => {
	expect(show(untitled, [[]])).toHaveLength(1);
});

test.each([
	[undefined, '-'],
	[Number.NaN, '-'],
	[-5, '0s'],
	[38_900, '38s'],
	[4 * 60_000, '4m'],
	[47 * 3_600_000, '47h'],
	[72 * 3_600_000, '3d'],
])('formats an age of %s', (ms, text) => {
	expect(age(ms)).toBe(text);
});

test.each([
	[undefined, '-'],
	[990, '0.9s'],
	[59_990, '59.9s'],
	[12_300, '12.3s'],
	[65_000, '1m 05s'],
	[7_380_000, '2h 03m'],
])('formats a duration of %s', (ms, text) => {
	expect(duration(ms)).toBe(text);
});

test("times of day are local, and an invalid time isn't shown as 1970", () => {
	expect(clockTime(new Date(2026, 10, 21, 4, 2).getTime())).toBe('04:02');
	expect(dateTime(new Date(2026, 10, 1, 14, 2, 7).getTime())).toBe('2026-11-01 14:02:07');
	expect(clockTime(undefined)).toBe('-');
	expect(clockTime(Number.NaN)).toBe('-');
	expect(dateTime(9e99)).toBe('-');
});

test.each([
	[0, '0 B'],
	[817, '817 B'],
	[999.7, '1.0 kB'],
	[1_440, '1.4 kB'],
	[214_000, '214 kB'],
	[999_600, '1.0 MB'],
	[-1, '-'],
])('formats %s bytes', (bytes, text) => {
	expect(byteSize(bytes)).toBe(text);
});

import fc from 'fast-check';
import {expect, test} from 'vitest';
import {addDays, instantOf, isRealDay, utcDayOf} from '../../../src/domain/time.ts';

test.each([
	[1_790_000_000_123, 1_790_000_000_123],
	[1_790_000_000, 1_790_000_000_000],
	[1e11, 1e11],
	[1e9, 1e12],
	['2026-02-01T10:00:00Z', Date.UTC(2026, 1, 1, 10)],
	['2026-02-01T10:00:00.123456Z', Date.UTC(2026, 1, 1, 10, 0, 0, 123)],
	['2026-02-01T10:00:00+02:00', Date.UTC(2026, 1, 1, 8)],
	['2026-02-01T10:00:00', Date.UTC(2026, 1, 1, 10)],
	['2026-02-01 10:00:00', Date.UTC(2026, 1, 1, 10)],
	['2026-02-01', Date.UTC(2026, 1, 1)],
])('%j is a time', (value, instant) => {
	expect(instantOf(value)).toBe(instant);
});

test.each([
	0,
	-1,
	1,
	999_999_999,
	9e15,
	Number.NaN,
	Number.POSITIVE_INFINITY,
	...[
		'',
		'now',
		'1790000000000',
		'1970-01-01T00:00:00Z',
		'2026-13-01',
		'5 apples',
		'Sun, 01 Feb 2026 10:00:00 GMT',
	],
	...[null, undefined, true, {}, [1_790_000_000_000]],
])("%j isn't a time", value => {
	expect(instantOf(value)).toBeUndefined();
});

test('whatever comes, a time is one that a Date can hold, and never in 1970', () => {
	fc.assert(
		fc.property(
			fc.oneof(fc.double(), fc.integer(), fc.string(), fc.date().map(String), fc.anything()),
			value => {
				const instant = instantOf(value);
				if (instant === undefined) return;
				expect(Number.isInteger(instant)).toBe(true);
				expect(new Date(instant).getUTCFullYear()).toBeGreaterThan(1970);
			},
		),
	);
});

test('adds and checks days', () => {
	expect(utcDayOf(Date.UTC(2026, 2, 1, 23, 59))).toBe('2026-03-01');
	expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
	expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
	expect(['2026-02-28', '2028-02-29'].every(isRealDay)).toBe(true);
	expect(['2026-02-30', '2026-2-1', '2026-02-01T00:00:00Z', '', '9999-99-99'].some(isRealDay)).toBe(false);
});

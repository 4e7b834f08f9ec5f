import {expect, test} from 'vitest';
import {
	chosenRange,
	dayCount,
	daysIn,
	freeRange,
	isSameChoice,
	lastDayAt,
	monthBefore,
	monthRange,
	presetBeside,
	presetRange,
	type RangeChoice,
	rangeBefore,
	rangePresets,
} from '../../../../src/domain/usage/range.ts';

test('the last day is yesterday, or today, UTC, by the given clock', () => {
	expect(lastDayAt(Date.parse('2026-03-01T00:00:00.000Z'))).toBe('2026-02-28');
	expect(lastDayAt(Date.parse('2026-02-28T23:59:59.999Z'))).toBe('2026-02-27');
	expect(lastDayAt(Date.parse('2026-02-28T23:59:59.999Z'), true)).toBe('2026-02-28');
});

test.each([
	[7, '2026-05-04', '2026-05-10'],
	[90, '2026-02-10', '2026-05-10'],
	['all', '2026-01-14', '2026-05-10'],
] as const)('the range of %s days', (preset, startDate, endDate) => {
	const range = presetRange(preset, '2026-05-10');
	expect(range).toEqual({startDate, endDate});
	expect(daysIn(range)).toHaveLength(dayCount(range));
	if (preset !== 'all') expect(dayCount(range)).toBe(preset);
});

test.each(rangePresets)('the range of %s days never begins before the history', preset => {
	expect(presetRange(preset, '2026-01-17').startDate).toBe('2026-01-14');
});

test.each([
	['2026-02-30', '2026-03-01', 'from', /is not a date, YYYY-MM-DD/],
	['2026-2-3', '2026-03-01', 'from', /is not a date, YYYY-MM-DD/],
	['2026-02-03', '2026-3-1', 'to', /is not a date, YYYY-MM-DD/],
	['2026-01-13', '2026-03-01', 'from', /before 2026-01-14/],
	['2026-01-14', '2026-01-13', 'to', /before 2026-01-14/],
	['2026-03-01', '2026-05-11', 'to', /the last day available/],
	['2026-05-11', '2026-05-10', 'from', /the last day available/],
	['2026-03-02', '2026-03-01', 'from', /is after/],
] as const)('refuses %s to %s', (from, to, field, problem) => {
	expect(freeRange(from, to, '2026-05-10')).toEqual({field, problem: expect.stringMatching(problem)});
});

test('accepts the whole history as a range', () => {
	expect(freeRange('2026-01-14', '2026-05-10', '2026-05-10')).toHaveProperty('range');
});

test("the period before has as many days, or doesn't exist", () => {
	expect(rangeBefore({startDate: '2026-02-01', endDate: '2026-02-14'})).toEqual({
		startDate: '2026-01-18',
		endDate: '2026-01-31',
	});
	expect(rangeBefore({startDate: '2026-01-20', endDate: '2026-02-14'})).toBeUndefined();
});

const tenDays = {startDate: '2026-03-01', endDate: '2026-03-10'};

test('a free range stays as it is, whatever the last day', () => {
	expect(chosenRange(tenDays, '2026-05-10')).toBe(tenDays);
	expect(chosenRange(7, '2026-05-10')).toEqual(presetRange(7, '2026-05-10'));
});

test.each([
	[30, 1, 90],
	[30, -1, 14],
	['all', 1, 'all'],
	[7, -1, 7],
	[tenDays, 1, 14],
	[tenDays, -1, 7],
	[{startDate: '2026-03-01', endDate: '2026-03-03'}, -1, 7],
	[{startDate: '2026-01-14', endDate: '2026-10-01'}, 1, 'all'],
	[{startDate: '2026-01-14', endDate: '2026-10-01'}, -1, 90],
] as const)('%j, moved by %i, is %s days', (choice, by, next) => {
	expect(presetBeside(choice, by)).toBe(next);
});

test('choices of the same days are the same', () => {
	expect(isSameChoice(tenDays, {...tenDays})).toBe(true);
	expect(isSameChoice(tenDays, {...tenDays, endDate: '2026-03-11'})).toBe(false);
	expect(isSameChoice(30, 30)).toBe(true);
	expect(isSameChoice(7, tenDays)).toBe(false);
});

test.each([
	['2026-04', '2026-04-01', '2026-04-30'],
	['2026-05', '2026-05-01', '2026-05-10'],
	['2026-02', '2026-02-01', '2026-02-28'],
	['2026-01', '2026-01-14', '2026-01-31'],
])('the days of the month %s', (month, startDate, endDate) => {
	expect(monthRange(month, '2026-05-10')).toEqual({startDate, endDate});
});

test('after a month comes the one before it, and this month after anything else', () => {
	const months = ['2026-03-04'];
	let choice: RangeChoice = 30;
	for (let press = 0; press < 4; press++) {
		choice = monthBefore(choice, '2026-03-04');
		months.push(choice.startDate);
	}
	expect(months).toEqual(['2026-03-04', '2026-03-01', '2026-02-01', '2026-01-14', '2026-03-01']);
	// A day later, the month of yesterday isn't whole.
	const marchSoFar = monthRange('2026-03', '2026-03-04');
	expect(monthBefore(marchSoFar, '2026-03-05')).toEqual(monthRange('2026-03', '2026-03-05'));
});

import {expect, test} from 'vitest';
import {isQuiet, parseQuietHours} from '../../../../src/domain/sessions/attention.ts';

const at = (hour: number, minute: number) => new Date(2026, 10, 21, hour, minute).getTime();

test.each([
	['22:00-07:30', {from: 1320, to: 450}],
	[' 9:05 - 17:00 ', {from: 545, to: 1020}],
	['00:00-23:59', {from: 0, to: 1439}],
])('%j is a time range', (text, hours) => {
	expect(parseQuietHours(text)).toEqual(hours);
});

test.each(['', '22-7', '24:00-07:00', '22:60-07:00', '22:00', '22:00-22:00', '22:00-07:30h', '-1:00-07:00'])(
	"%j isn't a time range",
	text => {
		expect(parseQuietHours(text)).toBeUndefined();
	},
);

test('handles a range over midnight, and one within a day', () => {
	const night = {from: 22 * 60, to: 7 * 60 + 30};
	expect(
		[at(21, 59), at(22, 0), at(0, 0), at(7, 29), at(7, 30), at(12, 0)].map(now => isQuiet(night, now)),
	).toEqual([false, true, true, true, false, false]);
	const lunch = {from: 12 * 60, to: 13 * 60};
	expect([at(11, 59), at(12, 0), at(12, 59), at(13, 0)].map(now => isQuiet(lunch, now))).toEqual([
		false,
		true,
		true,
		false,
	]);
});

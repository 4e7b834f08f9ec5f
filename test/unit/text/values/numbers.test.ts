import {expect, test} from 'vitest';
import {
	cost,
	exactNumber,
	percent,
	shortNumber,
	signedPercent,
	signedPoints,
} from '../../../../src/text/values/numbers.ts';

test.each([
	[undefined, '-', '-'],
	[Number.NaN, '-', '-'],
	[0, '0', '0'],
	[0.25, '0.25', '0.25'],
	[950, '950', '950'],
	[999.6, '999.6', '1k'],
	[1234.5, '1,234.5', '1.2k'],
	[-1234567, '-1,234,567', '-1.2M'],
	[34_000_000, '34,000,000', '34M'],
	[1_230_000_000, '1,230,000,000', '1.2B'],
	[1e21, '1e+21', '1000000000T'],
])('formats %s as %s, or %s in short', (value, exact, short) => {
	expect([exactNumber(value), shortNumber(value)]).toEqual([exact, short]);
});

test.each([
	[undefined, '-'],
	[0, '0.00 USD'],
	[100_004, '200.01 USD'],
	[1_000_000_000, '2,000,000.00 USD'],
])('%s credits cost %s', (credits, text) => {
	expect(cost(credits, {amount: 0.002, currency: 'USD'})).toBe(text);
});

test.each([
	[undefined, '-'],
	[0, '0 %'],
	[0.0004, '< 0.1 %'],
	[0.004, '0.4 %'],
	[0.125, '13 %'],
	[1, '100 %'],
])('formats %s in percent', (share, text) => {
	expect(percent(share)).toBe(text);
});

test.each([
	[undefined, '-'],
	[0, '='],
	[0.25, '+25 %'],
	[-0.03, '-3 %'],
])('formats a change of %s', (change, text) => {
	expect(signedPercent(change)).toBe(text);
});

test.each([
	[undefined, '-'],
	[0, '='],
	[0.0001, '='],
	[0.14, '+14 pt'],
	[-1 / 7, '-14 pt'],
	[0.045, '+4.5 pt'],
])('formats a difference of %s between two shares', (difference, text) => {
	expect(signedPoints(difference)).toBe(text);
});

import {expect, test} from 'vitest';
import {limitEnd} from '../../../../src/domain/sessions/usage-limit.ts';

const noon = Date.UTC(2026, 10, 30, 12);

test.each([
	[`Claude AI usage limit reached|${Date.UTC(2026, 10, 30, 15) / 1000}`, Date.UTC(2026, 10, 30, 15)],
	["You've hit your limit · resets 3pm (UTC)", Date.UTC(2026, 10, 30, 15)],
	["You've hit your session limit · resets 11:30am (UTC)", Date.UTC(2026, 11, 1, 11, 30)],
	["You've hit your weekly limit · resets Dec 3, 9am (UTC)", Date.UTC(2026, 11, 3, 9)],
	["You've hit your weekly limit · resets Jan 2 at 9am (UTC)", Date.UTC(2027, 0, 2, 9)],
	['spend limit reached · resets Aug 8 · request an increase at https://example.com/limits', undefined],
	["You've hit your monthly spend limit.", undefined],
	['Approaching the rate limit', undefined],
	['usage limit reached, resets at 3', undefined],
	['usage limit reached, resets 99:99', undefined],
	['The build failed: resets 3pm', undefined],
	// Another machine's clock may show any time.
	["You've hit your limit · resets 3pm (Europe/Berlin)", undefined],
	["You've hit your limit · resets 3pm", undefined],
])('%s, on another machine', (text, expected) => {
	expect(limitEnd(text, noon, false)).toBe(expected);
});

test.each([
	['5-hour limit reached ∙ resets 7pm', new Date(2026, 10, 20, 19)],
	["You've hit your limit · resets 2:05pm (Europe/Berlin)", new Date(2026, 10, 21, 14, 5)],
	['usage limit reached · resets 18:30', new Date(2026, 10, 20, 18, 30)],
])('%s, on this machine', (text, expected) => {
	expect(limitEnd(text, new Date(2026, 10, 20, 15).getTime(), true)).toBe(expected.getTime());
});

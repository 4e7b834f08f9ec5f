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
	["You've hit your usage limit. Upgrade to Pro or try again in 2 hours 5 minutes.", noon + 125 * 60_000],
	["You've hit your usage limit. Try again in 3 days 4 hours 1 minute.", noon + 76 * 3_600_000 + 60_000],
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
	[
		'You’ve hit your usage limit. Upgrade to Plus to continue using Codex (https://chatgpt.com/explore/plus), or try again at Dec 5th, 2026 3:05 PM.',
		new Date(2026, 11, 5, 15, 5),
	],
	[
		'You’ve hit your usage limit for gpt-6. Switch to another model now, or try again at 4:10 PM.',
		new Date(2026, 10, 20, 16, 10),
	],
	['usage limit reached · resets 18:30', new Date(2026, 10, 20, 18, 30)],
])('%s, on this machine', (text, expected) => {
	expect(limitEnd(text, new Date(2026, 10, 20, 15).getTime(), true)).toBe(expected.getTime());
});

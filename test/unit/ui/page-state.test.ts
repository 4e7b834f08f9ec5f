import {expect, test} from 'vitest';
import {RateLimitedError} from '../../../src/api/errors.ts';
import {problemOf} from '../../../src/sync/core/problem.ts';
import {lineText} from '../../../src/text/cells/line.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {timeOfDay} from '../../../src/text/values/times.ts';
import {ageText, stateLines} from '../../../src/ui/organization/page-state.ts';

const now = Date.UTC(2026, 4, 1, 10);
const until = now + 30_000;

test('a page that waits after a 429 says until when, with data or without', () => {
	const progress = 'reading users';
	const lines = stateLines({progress}, now, 80, safe`r`, {waitUntil: until});
	expect(lines.map(lineText).join('\n')).toContain(`waits until ${timeOfDay(until)}`);
	const border = ageText({progress, data: [], readAt: now}, undefined, now, until);
	expect(lineText(border)).toContain(`waits until ${timeOfDay(until)}`);
});

test('a page that was refused with a 429 names the time, not a number of seconds', () => {
	const error = new RateLimitedError('Too many.', {hint: 'Try again in 30 s.', retryAfter: 30_000});
	const lines = stateLines({problem: problemOf(error, now)}, now + 20_000, 80, safe`r`);
	expect(lines.map(lineText).join('\n')).toContain(`Nothing is sent before ${timeOfDay(until)}`);
});

import {expect, test} from 'vitest';
import {memoryAnalytics} from '../../../../src/db/analytics.ts';
import type {Organization} from '../../../../src/demo/organization.ts';
import {systemClock} from '../../../../src/domain/clock.ts';
import type {UsageData} from '../../../../src/state/organization/organization.ts';
import {usageOfRange, usageSpan} from '../../../../src/sync/organization/aggregate-usage.ts';
import {lineText} from '../../../../src/text/cells/line.ts';
import {safe} from '../../../../src/text/cells/safe.ts';
import {creditsTab} from '../../../../src/ui/organization/credits-tab.ts';
import {compared, tabPage} from '../../../../src/ui/organization/usage-tab.ts';
import {createOrganization} from '../../../support/organization.ts';

const range = {startDate: '2026-06-01', endDate: '2026-06-28'};
const span = usageSpan(range);

/** The figures of the range, from rows that are kept. */
async function read(organization: Organization, today?: string) {
	const analytics = memoryAnalytics();
	const reading = {readAt: 0, finalUntil: span.endDate};
	await analytics.put('tokens', span, organization.tokens(), reading);
	await analytics.put('tools', span, organization.tools(), reading);
	await analytics.put('activity', span, organization.activity(), reading);
	await analytics.put('productivity', span, organization.productivity(), reading);
	const signal = new AbortController().signal;
	const options = {analytics, clock: systemClock, signal, reportProgress: () => undefined, today};
	return usageOfRange(range, range, options);
}

test('today counts, but is compared with no other day', async () => {
	const today = range.endDate;
	const busy = {date: today, factor: 50};
	const organization = createOrganization({seed: 5, users: 25, missing: 0, idle: 0.2, range: span, busy});
	const isMarked = ({unusual}: UsageData) => unusual.get('billable_tokens')?.has(today) === true;
	const whole = await read(organization);
	const partial = await read(organization, today);
	expect([isMarked(whole), isMarked(partial)]).toEqual([true, false]);
	const change = (data: UsageData) => compared({key: 'billable_tokens', label: safe`credits`}, data);
	expect(change(whole).change).toBeGreaterThan(1);
	expect(Math.abs(change(partial).change ?? 9)).toBeLessThan(0.5);
	expect(change(partial).value).toBe(change(whole).value);
	expect(partial.before?.range).toEqual({startDate: '2026-05-05', endDate: '2026-05-31'});
	const context = {width: 100, height: 30, now: 0, label: () => safe`k`, today};
	const page = tabPage(creditsTab, partial, 0, context);
	const lines = [...page.head, ...Array.from({length: page.count}, (_, index) => page.row(index))];
	const days = lines.map(lineText).filter(line => /^(today|2026-06-2[78]) +[\d.]/.test(line));
	expect(days.map(line => line.split(' ')[0])).toEqual(['today', 'today', '2026-06-27']);
});

import fc from 'fast-check';
import {expect, test} from 'vitest';
import {memoryAnalytics} from '../../../../src/db/analytics.ts';
import {callsOf, type Organization, type Work} from '../../../../src/demo/organization.ts';
import {systemClock} from '../../../../src/domain/clock.ts';
import {addDays} from '../../../../src/domain/time.ts';
import type {UsageData} from '../../../../src/state/organization/organization.ts';
import {usageOfRange, usageSpan} from '../../../../src/sync/organization/aggregate-usage.ts';
import {lineText} from '../../../../src/text/cells/line.ts';
import {safe} from '../../../../src/text/cells/safe.ts';
import {creditsTab} from '../../../../src/ui/organization/credits-tab.ts';
import {compared, tabPage} from '../../../../src/ui/organization/usage-tab.ts';
import {createOrganization} from '../../../support/organization.ts';

// What is unusual is reckoned a second time here, from the work itself.

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

const middle = (values: readonly number[]) => {
	const sorted = [...values].sort((a, b) => a - b);
	const half = sorted.length / 2;
	return sorted.length % 2 === 1
		? (sorted[Math.floor(half)] as number)
		: ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
};
const plus = (work: readonly Work[], pick: (one: Work) => number) =>
	work.reduce((all, one) => all + pick(one), 0);
const people = (work: readonly Work[]) => new Set(work.map(({user}) => user)).size;

/** What a day of work comes to in each measure, and whether it is counted one by one. */
const measures: Readonly<Record<string, readonly [(work: readonly Work[]) => number, boolean]>> = {
	billable_tokens: [work => plus(work, one => one.credits), false],
	daily_active_users: [people, true],
	sessions: [work => plus(work, one => one.sessions), true],
	messages: [work => 2 * plus(work, one => one.turns), true],
	autonomy_ratio_avg: [work => plus(work, callsOf) / plus(work, one => one.turns), false],
	files_created: [work => plus(work, one => one.created), true],
	files_edited: [work => plus(work, one => one.edited), true],
	git_commits: [work => plus(work, one => one.commits), true],
	git_prs_created: [() => 0, true],
	tool_calls: [work => plus(work, callsOf), true],
};

function expected({work, missing}: Organization, measure: string) {
	const worked = Map.groupBy(work, ({date}) => date);
	const found: [date: string, side: 'above' | 'below'][] = [];
	const [comesTo, isCount] = measures[measure] as (typeof measures)[string];
	const on = (date: string) =>
		missing.has(date) || date < span.startDate ? Number.NaN : comesTo(worked.get(date) ?? []);
	for (let date = range.startDate; date <= range.endDate; date = addDays(date, 1)) {
		const past = [7, 14, 21, 28, 35, 42, 49, 56]
			.map(back => on(addDays(date, -back)))
			.filter(Number.isFinite);
		const value = on(date);
		if (!Number.isFinite(value) || past.length < 4) continue;
		const usual = middle(past);
		const spread = 1.4826 * middle(past.map(one => Math.abs(one - usual)));
		const least = Math.max(0.1 * usual, isCount ? Math.sqrt(usual) : 0);
		const score = (value - usual) / (Math.max(spread, least) || 1);
		if (Math.abs(score) >= 3.5) found.push([date, score > 0 ? 'above' : 'below']);
	}
	return found;
}

test('unusual days match an independent calculation, in every part of usage', async () => {
	const organizations = fc.record({
		seed: fc.nat(),
		users: fc.constantFrom(3, 25),
		missing: fc.constantFrom(0, 0.2, 0.6),
		idle: fc.constantFrom(0.2, 0.9),
	});
	let compared = 0;
	await fc.assert(
		fc.asyncProperty(organizations, async options => {
			const organization = createOrganization({...options, range: span});
			const {unusual} = await read(organization);
			for (const measure of Object.keys(measures)) {
				const all = expected(organization, measure);
				expect([...(unusual.get(measure) ?? [])]).toEqual(all);
				compared += all.length;
			}
		}),
		{numRuns: 5, examples: [[{seed: 5, users: 25, missing: 0, idle: 0.9}]]},
	);
	expect(compared).toBeGreaterThan(10);
});

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
	const context = {width: 100, height: 30, now: 0, label: () => safe`k`, membership: undefined, today};
	const page = tabPage(creditsTab, partial, 0, context);
	const lines = [...page.head, ...Array.from({length: page.count}, (_, index) => page.row(index))];
	const days = lines.map(lineText).filter(line => /^(today|2026-06-2[78]) +[\d.]/.test(line));
	expect(days.map(line => line.split(' ')[0])).toEqual(['today', 'today', '2026-06-27']);
});

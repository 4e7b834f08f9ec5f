import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {callsOf, type Organization, type Work} from '../../../../src/demo/organization.ts';
import {listedUser} from '../../../../src/domain/organization/user.ts';
import {addDays} from '../../../../src/domain/time.ts';
import {outputOf, toolsOf, unrecognized} from '../../../../src/domain/usage/breakdowns.ts';
import {creditsOf} from '../../../../src/domain/usage/credits.ts';
import {createPeople, personMeasures} from '../../../../src/domain/usage/people.ts';
import {daysIn, wholeMonthlyFrom, wholeWeeklyFrom} from '../../../../src/domain/usage/range.ts';
import {layersOf, meanOf, totalOf} from '../../../../src/domain/usage/series.ts';
import {pointsByDay, pointsOf} from '../../../../src/state/organization/day-columns.ts';
import {membershipOf} from '../../../../src/state/organization/joined-users.ts';
import {peopleColumns, peopleRows} from '../../../../src/state/organization/people-columns.ts';
import {naturalKey} from '../../../../src/state/rows/table-rows.ts';
import {artifactNames, createOrganization} from '../../../support/organization.ts';

// Every figure is reckoned a second time here, from the work itself and not from the rows the service tells.

const organizations = fc
	.record({
		users: fc.constantFrom(3, 3, 40),
		seed: fc.nat(),
		start: fc.integer({min: 0, max: 60}),
		days: fc.integer({min: 1, max: 45}),
		missing: fc.constantFrom(0, 0.2, 0.9),
		unattributed: fc.constantFrom(0, 0.3),
	})
	.map(({start, days, ...rest}) => {
		const startDate = addDays('2026-01-14', start);
		return createOrganization({...rest, range: {startDate, endDate: addDays(startDate, days - 1)}});
	});

const reportedWork = ({work, missing}: Organization) => work.filter(({date}) => !missing.has(date));
const add = (work: readonly Work[], pick: (one: Work) => number) => {
	let all = 0;
	for (const one of work) all += pick(one);
	return all;
};

function check(organization: Organization): void {
	const {range, missing} = organization;
	const work = reportedWork(organization);
	const days = daysIn(range);
	const reportedDays = days.filter(date => !missing.has(date));

	const credits = creditsOf(organization.tokens(), range);
	expect(credits.trend.map(({date}) => date)).toEqual(days);
	expect(credits.trend.filter(({value}) => value === undefined).map(({date}) => date)).toEqual([...missing]);
	expect(credits.total.sum ?? 0).toBeCloseTo(
		add(work, one => one.credits),
		4,
	);
	expect(credits.total.known).toBe(reportedDays.length);
	for (const attribution of [credits.models, credits.users]) {
		const named = attribution.entries.reduce((all, {value}) => all + value, 0);
		expect(named + attribution.unattributed).toBeCloseTo(credits.total.sum ?? 0, 4);
		expect(attribution.unattributed).toBeGreaterThanOrEqual(0);
		const shares = attribution.entries.reduce((all, {share = 0}) => all + share, 0);
		expect(shares).toBeLessThanOrEqual(1 + 1e-9);
	}
	for (const {key, value} of credits.models.entries) {
		const trend = credits.modelTrends.get(key) ?? [];
		expect(trend.reduce((all, point) => all + (point.value ?? 0), 0)).toBeCloseTo(value, 4);
	}

	for (const most of [0, 1, 9]) {
		const layers = layersOf(credits.trend, credits.modelTrends, most);
		expect(layers.filter(({kind}) => kind === 'name').length).toBe(Math.min(most, credits.modelTrends.size));
		for (const [index, {value}] of credits.trend.entries()) {
			const parts = layers.map(({points}) => points[index]?.value);
			if (value === undefined) expect(parts.every(part => part === undefined)).toBe(true);
			else expect(parts.reduce<number>((all, part) => all + (part ?? 0), 0)).toBeCloseTo(value, 4);
		}
		const rest = layers.find(({kind}) => kind === 'unattributed')?.points ?? [];
		const unattributed = rest.reduce((all, {value}) => all + (value ?? 0), 0);
		expect(unattributed).toBeCloseTo(credits.models.unattributed, 4);
	}

	const rows = {
		tokens: organization.tokens(),
		activity: organization.activity(),
		productivity: organization.productivity(),
		tools: organization.tools(),
	};
	const period = {days: pointsByDay(rows, range)};
	const daily = pointsOf(period, 'daily_active_users');
	const monthlyActive = pointsOf(period, 'monthly_active_users');
	for (const [index, date] of days.entries()) {
		const active = new Set(work.filter(one => one.date === date).map(({user}) => user)).size;
		expect(daily[index]?.value).toBe(missing.has(date) ? undefined : active);
		const weekly = pointsOf(period, 'weekly_active_users')[index]?.value;
		expect(weekly === undefined).toBe(missing.has(date) || date < wholeWeeklyFrom);
		const monthly = monthlyActive[index]?.value;
		if (date < wholeMonthlyFrom) expect(monthly).toBeUndefined();
		if (monthly) expect(pointsOf(period, 'stickiness')[index]?.value).toBeCloseTo(active / monthly, 9);
	}
	const userDays = new Set(work.map(({user, date}) => `${user} ${date}`)).size;
	if (reportedDays.length > 0) expect(meanOf(daily)).toBeCloseTo(userDays / reportedDays.length, 9);

	const tools = toolsOf(rows.tools);
	expect(totalOf(pointsOf(period, 'tool_calls')).sum ?? 0).toBe(add(work, callsOf));
	const scraps = add(work, one =>
		Object.entries(one.tools).reduce((all, [name, count]) => all + (artifactNames.has(name) ? count : 0), 0),
	);
	expect(tools.tools.entries.find(({key}) => key === unrecognized)?.value ?? 0).toBe(scraps);
	expect(tools.tools.unattributed).toBe(0);
	const byServer = new Map<string, number>();
	for (const one of work)
		for (const [name, count] of Object.entries(one.servers))
			byServer.set(name.toLowerCase(), (byServer.get(name.toLowerCase()) ?? 0) + count);
	expect(new Map(tools.servers.map(({name, invocations}) => [name.toLowerCase(), invocations]))).toEqual(
		byServer,
	);

	expect(totalOf(pointsOf(period, 'git_commits')).sum ?? 0).toBe(add(work, one => one.commits));
	expect(outputOf(rows.productivity).languages.total).toBe(add(work, one => one.created + one.edited));

	checkPeople(organization, work);
}

function checkPeople(organization: Organization, work: readonly Work[]): void {
	const builder = createPeople(organization.range);
	for (const row of organization.userRows()) builder.add(row);
	const people = builder.done();
	const byUser = Map.groupBy(work, ({user}) => user);
	expect(people.people).toHaveLength(byUser.size);
	for (const [index, person] of people.people.entries()) {
		const own = byUser.get(organization.users.findIndex(({id}) => id === person.userId)) ?? [];
		expect(people.total(index, 'billable_tokens')).toBeCloseTo(
			add(own, one => one.credits),
			4,
		);
		expect(people.total(index, 'tool_calls')).toBe(add(own, callsOf));
		expect(people.autonomy(index)).toBeCloseTo(add(own, callsOf) / add(own, one => one.turns), 9);
		expect(person.activeDays).toBe(new Set(own.map(({date}) => date)).size);
		for (const [day, date] of people.dates.entries()) {
			const known = work.some(one => one.date === date);
			const spent = add(
				own.filter(one => one.date === date),
				one => one.credits,
			);
			if (known) expect(people.credits(index, day)).toBeCloseTo(spent, 4);
			else expect(people.credits(index, day)).toBeUndefined();
		}
		const firstModels = [...Map.groupBy(own, ({date}) => date).values()].map(day => day[0]?.model);
		expect(people.traits(index).models).toEqual(countsOf(firstModels));
		expect(people.total(index, 'sessions')).toBe(add(own, one => one.sessions));
	}
	expect(people.activeCount).toBe(people.people.length);
	const largest = Math.max(
		0,
		...people.people.flatMap((_, index) => people.dates.map((__, day) => people.credits(index, day) ?? 0)),
	);
	expect(people.quarters.at(-1) ?? 0).toBe(largest);
	for (const by of [...personMeasures, 'autonomy_ratio', 'user_email', 'last_day', 'active_days'] as const) {
		const column = peopleColumns.find(({name}) => name === by);
		const keys = people.people.map((_, index) => {
			const key = column?.sortKey?.({people, index}) ?? column?.value({people, index});
			return typeof key === 'string' ? naturalKey(key) : key;
		});
		for (const isReversed of [false, true]) {
			const order = peopleRows(people, {order: by, isReversed, words: ''});
			// A stable sort by whatever compares two keys is the same order, however slow.
			const sign = isReversed ? -1 : 1;
			const slow = [...keys.keys()].sort((a, b) => {
				const [left, right] = [keys[a], keys[b]];
				if (left === undefined || right === undefined)
					return Number(left === undefined) - Number(right === undefined);
				return left === right ? 0 : left < right ? -sign : sign;
			});
			expect(order).toEqual(slow);
		}
	}

	const users = organization.users.map(listedUser);
	const {isKnown, personOf, isActive, unlisted} = membershipOf(users, people, organization.range);
	expect(isKnown).toBe(people.people.length > 0);
	const active = [...users.keys()].filter(isActive);
	expect(new Set(active.map(user => users[user]?.id))).toEqual(
		new Set(people.people.map(({userId}) => userId)),
	);
	for (const user of active) expect(people.people[personOf(user) ?? -1]?.userId).toBe(users[user]?.id);
	expect(unlisted?.size ?? 0).toBe(0);
}

function countsOf(words: readonly (string | undefined)[]): Map<string | undefined, number> {
	const counts = new Map<string | undefined, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}

describe('figures match an independent calculation', () => {
	test('for organizations of any seed', () => {
		fc.assert(fc.property(organizations, check), {numRuns: 10});
	});
});

test('counts tokens in a range without credits, whatever the days around it have', () => {
	const tokens = {input_tokens: 40, output_tokens: 2};
	const rows = [
		{date: '2026-03-01', billable_tokens: 7, ...tokens},
		{date: '2026-03-02', ...tokens},
		{date: '2026-03-03', billable_tokens: 7, ...tokens},
	];
	const day = {startDate: '2026-03-02', endDate: '2026-03-02'};
	expect(creditsOf(rows, day).tokens?.total.sum).toBe(42);
	expect(creditsOf(rows, {...day, endDate: '2026-03-03'}).tokens).toBeUndefined();
});

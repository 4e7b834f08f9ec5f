import {describe, expect, test} from 'vitest';
import {listedUser} from '../../../../src/domain/organization/user.ts';
import {addDays} from '../../../../src/domain/time.ts';
import {
	createAttribution,
	isArtifact,
	mergeServers,
	toolsOf,
} from '../../../../src/domain/usage/breakdowns.ts';
import {creditsOf} from '../../../../src/domain/usage/credits.ts';
import {createPeople} from '../../../../src/domain/usage/people.ts';
import {growthOfTotal, unusualDays} from '../../../../src/domain/usage/series.ts';
import {membershipOf} from '../../../../src/state/organization/joined-users.ts';
import {peopleRows} from '../../../../src/state/organization/people-columns.ts';

const range = {startDate: '2026-03-01', endDate: '2026-03-03'};

describe('unknown is not zero', () => {
	test('a missing day or field is unknown, while a zero is known', () => {
		const {trend, total} = creditsOf(
			[
				{date: '2026-03-01', billable_tokens: 0},
				{date: '2026-03-03', input_tokens: 5},
			],
			range,
		);
		expect(trend.map(({value}) => value)).toEqual([0, undefined, undefined]);
		expect(total).toEqual({sum: 0, known: 1, days: 3});
		expect(creditsOf([], range).total.sum).toBeUndefined();
	});

	test('compares periods by the means of their known days', () => {
		const now = {sum: 100, known: 10, days: 14};
		const before = {sum: 140, known: 14, days: 14};
		expect(growthOfTotal(now, before)).toBe(0);
		expect(growthOfTotal(now, {sum: undefined, known: 0, days: 14})).toBeUndefined();
		expect(growthOfTotal(now, {sum: 0, known: 14, days: 14})).toBeUndefined();
	});

	test('a person without a row rested on a known day, and is unknown on any other', () => {
		const people = createPeople(range);
		people.add({user_id: 'a', date: '2026-03-01', billable_tokens: 2});
		people.add({user_id: 'b', date: '2026-03-02', sessions: 1});
		const {credits} = people.done();
		expect([0, 1, 2].map(day => credits(0, day))).toEqual([2, 0, undefined]);
		expect(credits(1, 1)).toBeUndefined();
	});
});

test.each([
	[[3, 40], 0],
	[[3, 0.5], 1],
	[[0.25, 0.5], 2],
	[[0.123], 2],
])("credits of %j have as many decimal places as anyone's needs: %i", (credits, places) => {
	const people = createPeople(range);
	for (const [index, billable_tokens] of credits.entries())
		people.add({user_id: `u${index}`, date: '2026-03-01', billable_tokens});
	expect(people.done().creditPlaces).toBe(places);
});

describe('names', () => {
	test('reports what no name accounts for, and loses nothing', () => {
		const builder = createAttribution();
		builder.addDay(10, [
			{key: 'a', value: 4},
			{key: undefined, value: 3},
			{key: 'b', value: 1},
		]);
		builder.addDay(undefined, [{key: 'a', label: 'A', value: 2}]);
		const attribution = builder.done();
		expect(attribution).toMatchObject({total: 12, unattributed: 5});
		expect(attribution.entries.map(({label, value}) => [label, value])).toEqual([
			['A', 6],
			['b', 1],
		]);
	});

	test('a breakdown that exceeds its total says so', () => {
		const builder = createAttribution();
		builder.addDay(10, [{key: 'a', value: 14}]);
		expect(builder.done().unattributed).toBe(-4);
	});

	test('names a user without an e-mail by id, and one with a late e-mail by that', () => {
		const {users} = creditsOf(
			[
				{
					date: '2026-03-01',
					by_user: [
						{user_id: 'u1', billable_tokens: 1},
						{user_id: 'u2', billable_tokens: 2},
					],
				},
				{date: '2026-03-02', by_user: [{user_id: 'u1', user_email: 'one@example.org', billable_tokens: 9}]},
			],
			range,
		);
		expect(users.entries.map(({label, value}) => [label, value])).toEqual([
			['one@example.org', 10],
			['u2', 2],
		]);
	});

	test('merges servers by lower case and keeps their spellings', () => {
		expect(
			mergeServers([
				{server: 'GitHub', invocations: 2},
				{server: 'github', invocations: 5},
				{server: 'docs', invocations: 1},
				{invocations: 9},
			]),
		).toEqual([
			{
				name: 'github',
				invocations: 7,
				spellings: [
					{server: 'github', invocations: 5},
					{server: 'GitHub', invocations: 2},
				],
			},
			{name: 'docs', invocations: 1, spellings: [{server: 'docs', invocations: 1}]},
		]);
	});

	test.each(['Execute', 'mcp__tracker__search', 'github___create-issue', 'Überprüfen'])(
		'%s is a tool',
		name => expect(isArtifact(name)).toBe(false),
	);
	test.each([
		'',
		' ',
		'</invoke>',
		'Read"',
		'two\nlines',
		'x'.repeat(129),
		'one two three four five six seven',
	])('%j is an artifact', name => expect(isArtifact(name)).toBe(true));

	test("masks the secrets in a hook's command", () => {
		const {hooks} = toolsOf([
			{
				date: '2026-03-01',
				hooks_by_event: [{event: 'Stop', command: 'curl -H "Authorization: Bearer abcdefgh"', count: 1}],
			},
		]);
		expect(hooks.entries[0]?.key).toContain('***');
		expect(hooks.entries[0]?.key).not.toContain('abcdefgh');
	});
});

describe('people', () => {
	test('counts a repeated row once', () => {
		const builder = createPeople(range);
		for (let n = 0; n < 3; n++) builder.add({user_id: 'a', date: '2026-03-01', sessions: 2});
		builder.add({user_id: 'a', date: '2026-02-28', sessions: 50});
		builder.add({user_id: 'a', sessions: 50});
		const people = builder.done();
		expect(people.total(0, 'sessions')).toBe(2);
	});

	test('a single extreme day leaves the others distinguishable', () => {
		const builder = createPeople(range);
		const spent = [0, 1, 2, 3, 4, 5, 6, 1_000_000];
		for (const [user, billable_tokens] of spent.entries())
			builder.add({user_id: `u${user}`, date: '2026-03-01', billable_tokens});
		expect(builder.done().quarters).toEqual([2, 4, 6, 1_000_000]);
		const equal = createPeople(range);
		for (const user of ['a', 'b', 'c']) equal.add({user_id: user, date: '2026-03-01', billable_tokens: 7});
		expect(equal.done().quarters).toEqual([7]);
		expect(createPeople(range).done().quarters).toEqual([]);
	});

	test('unknown values come last in both directions', () => {
		const builder = createPeople(range);
		builder.add({user_id: 'none', date: '2026-03-01'});
		builder.add({user_id: 'one', date: '2026-03-01', sessions: 1});
		builder.add({user_id: 'two', date: '2026-03-01', sessions: 2});
		const people = builder.done();
		const order = (by: string, isReversed: boolean) => peopleRows(people, {order: by, isReversed, words: ''});
		expect(order('sessions', false)).toEqual([1, 2, 0]);
		expect(order('sessions', true)).toEqual([2, 1, 0]);
		expect(order('user_email', false)).toEqual([0, 1, 2]);
		expect(order('user_email', true)).toEqual([2, 1, 0]);
	});

	test('joins people with the listed users to find who is inactive and who is new', () => {
		const users = [
			{id: 'u1', email: 'One@example.org', createdAt: '2025-01-01T00:00:00Z'},
			{id: 'u2', createdAt: '2026-03-02T10:00:00Z', lastSignInAt: '2026-03-02T10:00:00Z'},
			{id: 'u3', createdAt: '2025-01-01T00:00:00Z'},
			{id: 'u4', createdAt: '2026-03-03T23:59:59.999Z', lastSignInAt: '2026-03-04T10:00:00Z'},
		].map(listedUser);
		const builder = createPeople(range);
		const day = {date: '2026-03-01', sessions: 1};
		builder.add({user_id: 'other', user_email: 'one@example.org', ...day});
		builder.add({user_id: 'left', ...day});
		builder.add({user_id: 'u2', date: '2026-03-01', sessions: 0});
		const people = builder.done();
		const joined = membershipOf(users, people, range);
		const idsOf = (has: (user: number) => boolean) =>
			users.flatMap(({id}, index) => (has(index) ? [id] : []));
		expect(idsOf(joined.isActive)).toEqual(['u1']);
		expect(joined.personOf(0)).toBe(0);
		expect(idsOf(joined.isNew)).toEqual(['u2', 'u4']);
		expect(joined.unlisted).toEqual(new Set([1]));
	});
});

describe('unusual values', () => {
	const weeks = (values: readonly number[]) =>
		values.map((value, index) => ({date: addDays('2026-02-02', 7 * index), value}));

	test('compares a day with the same weekday of earlier weeks', () => {
		const points = weeks([100, 104, 96, 101, 300]);
		expect(unusualDays(points, '2026-02-02')).toEqual(new Map([['2026-03-02', 'above']]));
		expect(unusualDays(points, '2026-03-03').size).toBe(0);
		expect(unusualDays(weeks([100, 104, 300]), '2026-02-02').size).toBe(0);
		expect(unusualDays(weeks([100, 100, 100, 100, 105]), '2026-02-02').size).toBe(0);
	});

	test("an unknown day isn't unusual", () => {
		const points = weeks([100, 104, 96, 101, 100]).map((point, index) =>
			index === 4 ? {...point, value: undefined} : point,
		);
		expect(unusualDays(points, '2026-02-02').size).toBe(0);
	});
});

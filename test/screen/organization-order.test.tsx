import {expect, test} from 'vitest';
import type {Reply} from '../support/fault-server.ts';
import {isRead, openOrganization, yesterday} from '../support/organization-screen.ts';
import {json} from '../support/replies.ts';
import {has} from '../support/screen.tsx';

const users = [
	{id: 'u-10', email: 'bo@example.org', firstName: 'cleo', createdAt: '2026-01-03T00:00:00Z'},
	{id: 'u-9', email: 'Ann@example.org', firstName: 'Dan', createdAt: '2026-01-02T00:00:00Z'},
	{id: 'u-2', email: 'cy@example.org', firstName: 'Bea', createdAt: '2026-01-04T00:00:00Z'},
].map((user, index) => ({...user, lastSignInAt: `2026-02-0${index + 1}T00:00:00Z`}));
const activity = [
	{user_id: 'u-10', billable_tokens: 5, sessions: 30, user_messages: 7, tool_calls: 8, autonomy_ratio: 3},
	{user_id: 'u-9', billable_tokens: 400, sessions: 2, user_messages: 70, tool_calls: 9, autonomy_ratio: 20},
].map(row => ({...row, date: yesterday, user_email: users.find(({id}) => id === row.user_id)?.email}));
const reports = [
	{repository: 'team/bravo', numerators: [2, 2, 0], branch: 'main', days: [3]},
	{repository: 'Team/Alpha', numerators: [2, 0, 0], branch: 'next', days: [1, 4]},
	{repository: 'team/charlie', numerators: [2, 2, 2], branch: 'Feature', days: [2, 5, 6]},
].flatMap(({repository, numerators, branch, days}) =>
	days.map((age, index) => ({
		reportId: `${repository} ${age}`,
		createdAt: Date.now() - age * 86_400_000,
		repoUrl: `https://host.example/${repository}.git`,
		branch,
		report: Object.fromEntries(
			numerators.map((numerator, at) => [
				`c${at}`,
				{numerator: index === 1 && at === 0 ? 0 : numerator, denominator: 2},
			]),
		),
	})),
);

const reply: Reply = (response, request) => {
	const {path, query} = request;
	const pagination = {hasMore: false, nextCursor: null};
	const data = path.endsWith('analytics/users') ? activity : [];
	const listed = query.startAfter === undefined ? reports : [];
	return json({users, pagination, reports: listed, data, meta: {}})(response, request);
};

/** Those names that rows have, from the top. */
const namesIn = (rows: readonly string[], names: readonly string[]) =>
	rows.flatMap(row => names.filter(name => row.includes(name)));

const home = '\x1b[H';

test.each([
	[
		'users',
		['7'],
		[
			['USER', 'Ann@ bo@ cy@'],
			['LAST SIGN-IN', 'cy@ Ann@ bo@'],
			['LAST ACTIVE', 'bo@ Ann@ cy@'],
			['CREDITS', 'Ann@ bo@ cy@'],
			['SESSIONS', 'bo@ Ann@ cy@'],
			['DAYS', 'bo@ Ann@ cy@'],
			['JOINED', 'cy@ bo@ Ann@'],
			['NAME', 'cy@ bo@ Ann@'],
			['ID', 'cy@ Ann@ bo@'],
		],
	],
	[
		'people',
		['4', 'p'],
		[
			['USER', 'Ann@ bo@'],
			['CREDITS', 'Ann@ bo@'],
			['SESSIONS', 'bo@ Ann@'],
		],
	],
	[
		'readiness',
		['5'],
		[
			['REPOSITORY', 'Alpha bravo charlie'],
			['PASS', 'charlie bravo Alpha'],
			['AGE', 'bravo charlie Alpha'],
			['CHANGE', 'charlie Alpha bravo'],
			['BRANCH', 'charlie bravo Alpha'],
			['REPORTS', 'charlie Alpha bravo'],
		],
	],
] as const)('%s are ordered by each column', async (_, keys, columns) => {
	const {screen} = await openOrganization(keys[0], reply, {columns: 200});
	await screen.press(...keys.slice(1));
	await screen.until(isRead);
	for (const [index, [title, names]] of columns.entries()) {
		await screen.press('s', home, ...Array<string>(index).fill('j'), '\r');
		const rows = await screen.until(has(new RegExp(`${title}[▲▼]`)));
		const wanted = names.split(' ');
		expect(namesIn(rows, wanted), title).toEqual(wanted);
	}
});

test('a list with an order of its own says so', async () => {
	const {screen} = await openOrganization('5', reply);
	await screen.until(isRead);
	await screen.press('\t', 's');
	await screen.until(has('The order of this list is fixed'));
});

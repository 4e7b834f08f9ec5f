import {expect, test} from 'vitest';
import {openOrganization} from '../support/organization-screen.ts';
import {json} from '../support/replies.ts';
import {has} from '../support/screen.tsx';

const changes = [
	{
		revision: 1,
		settings: {telemetry: true},
		user: {email: 'a@example.org'},
		updatedAt: '2026-03-02T08:00:00Z',
	},
];
const reports = [
	{
		reportId: 'r-1',
		createdAt: 1,
		repoUrl: 'https://example.org/repo',
		apps: {},
		report: {lint: {numerator: 1, denominator: 1, rationale: 'yes'}},
	},
];

test.each([
	[
		'6',
		['Enter open', '/ filter', 'Tab current', 'r refresh', 'x export', '? keys', 'q quit'],
		'Tab history',
	],
	[
		'5',
		['Enter open', '/ filter', 'Tab criteria', 'r refresh', 'x export', '? keys', 'q quit'],
		'Tab reports',
	],
])('at 80 columns, the footer of view %s names its keys, and where Tab leads', async (key, hints, back) => {
	const pagination = {hasMore: false, nextCursor: null};
	const {screen} = await openOrganization(
		key,
		(response, request) =>
			json({changes, pagination, reports: request.query.startAfter ? [] : reports})(response, request),
		{columns: 80, rows: 24},
	);
	const seen = await screen.until(has('read 0s ago'));
	expect(seen.at(-1)?.trim()).toBe(hints.join('   '));
	await screen.press('\t');
	expect((await screen.until(has(back))).at(-1)).toContain('x export');
});

test.each([
	[
		'6',
		'No organization here; your own settings are in the configuration file',
		'Tab current   r refresh   Ctrl+P commands   ? keys   q quit',
	],
	['5', 'No readiness reports', 'Tab criteria   r refresh   Ctrl+P commands   ? keys   q quit'],
])(
	'the footer of view %s with nothing in it offers neither a filter nor an export',
	async (key, none, hints) => {
		const pagination = {hasMore: false, nextCursor: null};
		const {screen} = await openOrganization(key, json({changes: [], reports: [], pagination}));
		const seen = await screen.until(has('read 0s ago', none));
		expect(seen.at(-1)?.trim()).toBe(hints);
	},
);

test('at 120 columns, the footer of the users names the export, and one word for their groups', async () => {
	const {screen} = await openOrganization('7', json({users: [{id: 'u', email: 'a@example.org'}]}));
	const rows = await screen.until(has('a@example.org'));
	expect(rows.at(-1)).toContain('f group   ');
	expect(rows.at(-1)).toContain('x export   ');
});

test('the footer of a report offers an older one only where there is one', async () => {
	const older = {...reports[0], reportId: 'r-0', createdAt: undefined};
	const {screen} = await openOrganization(
		'5',
		(response, request) =>
			json({
				reports: request.query.startAfter
					? []
					: [...reports, older, {...reports[0], reportId: 'r-2', repoUrl: 'https://example.org/single'}],
			})(response, request),
		{columns: 80, rows: 24},
	);
	await screen.until(has('example.org/single'));
	await screen.press('/', 'repo', '\r', '\r');
	const newest = await screen.until(has('Criteria', 'example.org/repo'));
	expect(newest.at(-1)).toContain('← older');
	await screen.press('\x1b[D');
	const oldest = await screen.until(has('report 2 of 2'));
	expect(oldest.at(-1)).not.toContain('older');
});

import {expect, test} from 'vitest';
import {endless, maxRss, numbers, readElsewhere} from '../support/endless-organization.ts';
import type {Reply} from '../support/fault-server.ts';
import {json} from '../support/replies.ts';

test('reads the first hundred thousand of an endless list of users', async () => {
	const users = endless('users', number => ({id: `user-${number}`, email: `user-${number}@example.org`}));
	const {count, note, rssMb, requests} = await readElsewhere(users, 'users');
	expect({count, note, requests}).toEqual({
		count: 100_000,
		note: 'first 100,000 users shown; the service has more',
		requests: 1001,
	});
	expect(rssMb).toBeLessThan(maxRss);
});

test('reads as many users of the largest size as there is room for', async () => {
	const metadata = {about: 'x'.repeat(60_000)};
	const {count, note, rssMb} = await readElsewhere(
		endless('users', number => ({id: `user-${number}`, metadata})),
		'users',
	);
	expect(count).toBeGreaterThan(1000);
	expect(count).toBeLessThan(1120);
	expect(note).toMatch(/^first 1,\d+ users shown; the service has more$/);
	expect(rssMb).toBeLessThan(maxRss);
});

test('ends an endless history of settings', async () => {
	const changes = endless('changes', revision => ({
		revision: 1_000_000 - revision,
		settings: {
			commandAllowlist: numbers(revision, 500).map(number => `command number ${number}`),
			sessionRetentionDays: revision,
		},
	}));
	const {count, note, rssMb} = await readElsewhere(changes, 'controls');
	expect(count).toBeGreaterThan(1000);
	expect(note).toMatch(/^first [\d,]+ revisions shown; the service has more$/);
	expect(rssMb).toBeLessThan(maxRss);
});

test('ends an endless list of readiness reports', async () => {
	let number = 0;
	const reports: Reply = (response, request) => {
		const report = Object.fromEntries(
			numbers(0, 50).map(id => [
				`criterion-${id}`,
				{numerator: 1, denominator: 2, rationale: 'why '.repeat(50)},
			]),
		);
		const page = numbers(number, 50).map(id => ({
			reportId: `r-${id}`,
			createdAt: 1.7e12 - id,
			repoUrl: `https://example.org/${id % 9}`,
			report,
		}));
		number += 50;
		json({reports: page})(response, request);
	};
	const {note, rssMb, requests} = await readElsewhere(reports, 'readiness');
	expect(requests).toBeLessThan(100);
	expect(note).toMatch(/^first [\d,]+ readiness reports shown; the service has more$/);
	expect(rssMb).toBeLessThan(maxRss);
});

test('lists the largest of too many users and tools per day, and says so', async () => {
	const reply: Reply = (response, request) => {
		const {startDate = '', endDate = ''} = request.query;
		const inside = ['2026-01-14', '2026-01-15', '2026-01-16'].filter(
			date => date >= startDate && date <= endDate,
		);
		const data = inside.map(date => ({
			date,
			billable_tokens: 1e9,
			by_user: request.path.endsWith('/tokens')
				? numbers(0, 60_000).map(number => ({user_id: `${date}-${number}`, billable_tokens: number}))
				: [],
			tool_calls: 1e9,
			by_tool: numbers(0, 20_000).map(number => ({tool: `tool-${number}`, invocations: number})),
		}));
		return json({data, meta: {}})(response, request);
	};
	const {note, problem, rssMb} = await readElsewhere(reply, 'usage');
	expect(problem).toBeUndefined();
	expect(note).toContain("by_user: only each day's largest entries are listed");
	expect(note).toContain("by_tool: only each day's largest entries are listed");
	expect(note).toContain('there are more names than can be listed');
	expect(rssMb).toBeLessThan(maxRss);
});

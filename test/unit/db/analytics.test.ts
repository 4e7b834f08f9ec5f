import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import {type AnalyticsTable, memoryAnalytics} from '../../../src/db/analytics.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import type {UserRow} from '../../../src/domain/organization/analytics.ts';
import {temporaryFolder} from '../../support/local-service.ts';

const range = {startDate: '2026-03-01', endDate: '2026-03-03'};
const reading = {readAt: 1000, finalUntil: '2026-03-02'};

function open(): {analytics: AnalyticsTable; file: string} {
	const file = join(temporaryFolder(), 'kept.db');
	const database = openDatabase({file});
	onTestFinished(() => database.close());
	return {analytics: database.analytics, file};
}

test('a day without a row is final, too; days after the last final one stay open', async () => {
	const {analytics} = open();
	const row = {date: '2026-03-01', tool_calls: 5, unheard_of: {kept: [1, 'x']}};
	await analytics.put('tools', range, [row], reading);
	expect([...analytics.rows('tools', range)]).toEqual([row]);
	expect([...analytics.finalDays('tools', range)]).toEqual(['2026-03-01', '2026-03-02']);
	expect([...analytics.finalDays('tokens', range)]).toEqual([]);
	expect(analytics.readAt('tools', range)).toBe(1000);
});

test('stored data is as old as the days that can still change', async () => {
	const {analytics} = open();
	await analytics.put('tools', range, [], reading);
	const last = {startDate: '2026-03-03', endDate: '2026-03-03'};
	await analytics.put('tools', last, [], {...reading, readAt: 5000});
	expect(analytics.readAt('tools', range)).toBe(5000);
	expect(analytics.readAt('tools', {...range, endDate: '2026-03-02'})).toBe(1000);
	expect(analytics.readAt('tools', {...range, endDate: '2026-03-04'})).toBeUndefined();
});

test('a day whose row can no longer be read is unknown', async () => {
	const {analytics, file} = open();
	await analytics.put('tools', range, [{date: '2026-03-01'}, {date: '2026-03-02', tool_calls: 1}], reading);
	const other = new DatabaseSync(file);
	other.exec("UPDATE analytics_days SET body = x'7b' WHERE day = '2026-03-01'");
	other.close();
	expect([...analytics.rows('tools', range)]).toEqual([{date: '2026-03-02', tool_calls: 1}]);
});

test("returns user rows in full, with what the contract doesn't name", async () => {
	const {analytics} = open();
	const rows: UserRow[] = [
		{user_id: 'u1', date: '2026-03-01', sessions: 0, billable_tokens: 0.5, languages: ['Go'], extra: {a: 1}},
		{user_id: 'u2', user_email: 'two@example.org', date: '2026-03-01'},
		{user_id: 'u1', date: '2026-03-03', sessions: 2, primary_model: 'model-x', hooks: 3},
	];
	await analytics.putUsers(range, [{user_id: 'u1', date: '2026-03-01'}, ...rows], reading);
	expect([...analytics.users(range)]).toEqual(rows);
	const last = {startDate: '2026-03-03', endDate: '2026-03-03'};
	await analytics.putUsers(last, [{user_id: 'u1', date: '2026-03-03', sessions: 4}], reading);
	expect([...analytics.users({...range, startDate: '2026-03-02'})]).toEqual([
		{user_id: 'u1', date: '2026-03-03', sessions: 4},
	]);
});

test("returns each of a day's many users once", async () => {
	const analytics = memoryAnalytics();
	const rows = Array.from({length: 1201}, (_, index) => ({
		user_id: `u${String(index).padStart(4, '0')}`,
		date: '2026-03-02',
		sessions: index,
	}));
	await analytics.putUsers(range, rows, reading);
	expect([...analytics.users(range)]).toEqual(rows);
});

test('forgets the data of another organization', async () => {
	const {analytics} = open();
	expect(analytics.setOrganization('one')).toBe(false);
	await analytics.put('tools', range, [{date: '2026-03-01'}], reading);
	expect(analytics.setOrganization('one')).toBe(false);
	expect([...analytics.rows('tools', range)]).toHaveLength(1);
	expect(analytics.setOrganization('two')).toBe(true);
	expect([...analytics.rows('tools', range)]).toEqual([]);
});

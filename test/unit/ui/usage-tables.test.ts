import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Organization, Work} from '../../../src/demo/organization.ts';
import type {ExportCell, ExportTable} from '../../../src/domain/export-table.ts';
import {clientsOf, outputOf, toolsOf} from '../../../src/domain/usage/breakdowns.ts';
import {creditsOf} from '../../../src/domain/usage/credits.ts';
import type {DayRange} from '../../../src/domain/usage/range.ts';
import {pointsByDay} from '../../../src/state/organization/day-columns.ts';
import type {UsagePeriod} from '../../../src/state/organization/organization.ts';
import {autonomyTab} from '../../../src/ui/organization/autonomy-tab.ts';
import {creditsTab} from '../../../src/ui/organization/credits-tab.ts';
import {outputTab} from '../../../src/ui/organization/output-tab.ts';
import {type TabSpec, tabTables} from '../../../src/ui/organization/usage-tab.ts';
import {createOrganization} from '../../support/organization.ts';

const range = {startDate: '2026-03-02', endDate: '2026-03-15'};
const organizations = fc
	.record({
		users: fc.integer({min: 1, max: 12}),
		seed: fc.nat(1000),
		missing: fc.constantFrom(0, 0.3),
		unattributed: fc.constantFrom(0, 0.2),
	})
	.map(options => createOrganization({...options, range}));

/** All that was done on the days that the service tells. */
const reported = ({work, missing}: Organization) => work.filter(({date}) => !missing.has(date));
const sum = (work: readonly Work[], pick: (one: Work) => number) =>
	work.reduce((all, one) => all + pick(one), 0);

type Told = Pick<Organization, 'tokens' | 'activity' | 'productivity' | 'tools'>;

/** The export of a tab of the Usage view. */
function tablesOf(tab: TabSpec, organization: Partial<Told>, days: DayRange = range): ExportTable[] {
	const rows = {
		tokens: organization.tokens?.() ?? [],
		activity: organization.activity?.() ?? [],
		productivity: organization.productivity?.() ?? [],
		tools: organization.tools?.() ?? [],
	};
	const now: UsagePeriod = {
		range: days,
		days: pointsByDay(rows, days),
		credits: creditsOf(rows.tokens, days),
		clients: clientsOf(rows.activity, days),
		output: outputOf(rows.productivity),
		tools: toolsOf(rows.tools),
	};
	return tabTables(tab, {now});
}

function tableRows(tables: readonly ExportTable[], name: string): Record<string, ExportCell>[] {
	const found = tables.find(one => one.name === name);
	if (!found) throw new Error(`no table ${name}`);
	return [...found.cells()].map(cells => Object.fromEntries(found.columns.map((key, i) => [key, cells[i]])));
}
const figureOf = (tables: readonly ExportTable[], figure: string) =>
	tableRows(tables, 'totals').find(({measure}) => measure === figure)?.value;

function holding(check: (organization: Organization) => void): void {
	fc.assert(fc.property(organizations, check), {numRuns: 25});
}

describe('tables add up to the work done', () => {
	test('tokens and costs by day, by model and by user, where there are no credits', () => {
		const model = (model_id: string, input: number, output: number) =>
			({model_id, input_tokens: input, output_tokens: output, cost_usd: input / 1000}) as const;
		const byModel = [model('small', 1234, 42), model('large', 3000, 58)];
		const day = {input_tokens: 4234, output_tokens: 100, cost_usd: 4.234};
		const date = range.startDate;
		const user = {user_id: 'me', ...day, by_model: byModel};
		const rows = {tokens: () => [{date, ...day, by_model: byModel, by_user: [user]}]};
		const tables = tablesOf(creditsTab, rows);
		const [first] = tableRows(tables, 'tokens by day');
		expect(first).toMatchObject({date, input_tokens: 4234, output_tokens: 100, cost_usd: 4.234});
		expect(tableRows(tables, 'tokens by model')).toMatchObject([
			{model_id: 'large', tokens: 3058, input_tokens: 3000, output_tokens: 58, cost_usd: 3},
			{model_id: 'small', tokens: 1276, input_tokens: 1234, output_tokens: 42, cost_usd: 1.234},
		]);
		expect(tableRows(tables, 'tokens by user')).toMatchObject([{user_id: 'me', tokens: 4334}]);
		expect(tables.map(({name}) => name)).not.toContain('by model');
		const totals = tableRows(tables, 'totals').map(({measure, value}) => [measure, value]);
		expect(totals).toContainEqual(['tokens', 4334]);
		expect(totals).toContainEqual(['cost_usd', 4.234]);
		expect(totals.map(([measure]) => measure)).not.toContain('billable_tokens');
	});

	test('what a session costs', () =>
		holding(organization => {
			const work = reported(organization);
			const made = tablesOf(outputTab, organization);
			const sessions = sum(work, one => one.sessions);
			if (sessions > 0)
				expect(figureOf(made, 'credits_per_session')).toBeCloseTo(
					sum(work, one => one.credits) / sessions,
					6,
				);
			expect(figureOf(made, 'credits_per_pull_request')).toBeUndefined();
		}));
});

const calls = [
	{date: '2026-03-02', tool_calls: 10, autonomy_ratio_avg: 10},
	{date: '2026-03-03', tool_calls: 198, autonomy_ratio_avg: 2},
	{date: '2026-03-04', tool_calls: 5},
];

test.each([
	['user turns', [{user_messages: 1}, {user_messages: 99}]],
	['calls, without any activity', []],
])('weighs calls per turn by %s', (_, turns) => {
	const activity = () => turns.map((row, index) => ({date: `2026-03-0${2 + index}`, ...row}));
	const tables = tablesOf(autonomyTab, {tools: () => calls, activity});
	expect(figureOf(tables, 'autonomy_ratio_avg')).toBeCloseTo(2.08, 9);
});

test('weighs each level by calls; a level that no day reports is unknown', () => {
	const days = [
		{date: '2026-03-02', tool_calls: 30, tool_autonomy_level_ratio: {auto_high: 0.5, auto_low: 0.5}},
		{date: '2026-03-03', tool_calls: 10, tool_autonomy_level_ratio: {auto_high: 0.1, auto_low: 0.9}},
		{date: '2026-03-04', tool_calls: 1000},
	];
	const levels = tableRows(tablesOf(autonomyTab, {tools: () => days}), 'by level');
	expect(levels.map(({share, known_days}) => [share, known_days])).toEqual([
		[0.4, 2],
		[undefined, 0],
		[0.6, 2],
		[undefined, 0],
	]);
});

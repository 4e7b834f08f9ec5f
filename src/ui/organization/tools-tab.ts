import {createExportTable} from '../../domain/export-table.ts';
import type {ToolUse} from '../../domain/usage/breakdowns.ts';
import {pointsOf} from '../../state/organization/day-columns.ts';
import type {UsagePeriod} from '../../state/organization/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {barList} from '../../text/charts/bar-list.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {breakdown, sharedLabels} from './bar-sections.ts';
import {dimLines} from './page.ts';
import {meanOfDays, type TabBlock, type TabSpec, toTenths} from './usage-tab.ts';

const maxRows = 50;
const onTheRight = {side: 'right', maxRows, labelColumns} as const;

/** The Tools tab: usage of tools, MCP servers, skills, commands and hooks. */
export const toolsTab: TabSpec = {
	name: 'tools',
	figures: [
		{key: 'tool_calls', label: safe`tool calls`, showsChange: true},
		{
			key: 'mean_mcp_users',
			label: safe`MCP users per day (mean)`,
			value: meanOfDays('mcp_users_with_mcp'),
			format: toTenths,
		},
		{
			key: 'mean_web_users',
			label: safe`web users per day (mean)`,
			value: meanOfDays('web_users'),
			format: toTenths,
		},
	],
	charts: period => [
		{
			kind: 'bars',
			unit: safe`tool calls`,
			combine: 'sum',
			series: [[safe`tool calls`, pointsOf(period, 'tool_calls')]],
		},
	],
	chartHeight: 0.24,
	sections: [
		breakdown({
			side: 'left',
			title: safe`Tools`,
			of: ({tools}) => tools.tools,
			table: () => ['tools', 'tool', 'invocations'],
			maxRows,
			footer: ({tools}, width) => artifactLines(tools, width),
		}),
		{
			side: 'right',
			title: safe`MCP servers`,
			lines: ({now}, block) => serverLines(now, block),
			table: ({tools}) =>
				createExportTable(
					'MCP servers',
					[
						{name: 'server', value: ({name}) => name},
						'invocations',
						{name: 'spellings', value: ({spellings}) => spellings.map(({server}) => server).join(' ')},
					],
					tools.servers,
				),
		},
		breakdown({
			...onTheRight,
			title: safe`Skills`,
			of: ({tools}) => tools.skills,
			table: () => ['skills', 'name', 'count'],
		}),
		breakdown({
			...onTheRight,
			title: safe`Slash commands`,
			of: ({tools}) => tools.slashCommands,
			table: () => ['slash commands', 'name', 'count'],
		}),
		breakdown({
			...onTheRight,
			title: safe`Hooks`,
			of: ({tools}) => tools.hooks,
			table: () => ['hooks', 'hook', 'count'],
		}),
	],
};

/** Counts the malformed names that the service reports as tools. */
function artifactLines({artifacts}: ToolUse, width: number): Line[] {
	if (artifacts.size === 0) return [];
	const calls = [...artifacts.values()].reduce((a, b) => a + b, 0);
	const words = safe`unrecognized: ${artifacts.size} malformed names, ${exactNumber(calls)} calls`;
	return dimLines(words, width);
}

/** Width of the labels of the lists on the right. */
function labelColumns({tools}: UsagePeriod): number {
	return sharedLabels(
		tools.skills.entries,
		tools.slashCommands.entries,
		tools.hooks.entries,
		tools.servers.map(({name}) => ({label: `${name} ≈`})),
	);
}

/** One row per server; a server reported in several spellings is marked, and its spellings are listed. */
function serverLines(period: UsagePeriod, block: TabBlock): Line[] {
	const shown = period.tools.servers.slice(0, maxRows);
	const lines = barList(
		shown.map(({name, invocations, spellings}) => ({
			label: cleanLine(name, 60),
			value: invocations,
			mark: spellings.length > 1 ? safe`≈` : undefined,
		})),
		{...block, labelColumns: labelColumns(period)},
	);
	const merged = shown.filter(({spellings}) => spellings.length > 1);
	if (merged.length === 0) return lines;
	const names = merged.map(({spellings}) => spellings.map(({server}) => server).join(' + ')).join(', ');
	return [...lines, ...dimLines(safe`≈ merged: ${cleanLine(names, 200)}`, block.width)];
}

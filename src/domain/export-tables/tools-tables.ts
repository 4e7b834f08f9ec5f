import {compareTotals} from '../usage/comparison.ts';
import type {ToolUse} from '../usage/tools.ts';
import {createExportTable, type ExportTable} from './export-table.ts';
import {nameColumn, rankedTable, tableByDay, totalsTable} from './usage-tables.ts';

/** Tables of the tools tab: tools, MCP servers (merged case-insensitively), skills, commands and hooks. */
export function toolsTables(use: ToolUse, before: ToolUse | undefined): ExportTable[] {
	const change = compareTotals(use.calls.total, before?.calls.total).change;
	return [
		tableByDay('by day', [
			['tool_calls', use.calls.trend],
			['mcp_users_with_mcp', use.mcpUsers],
			['web_users', use.webUsers],
			['skills_invocations', use.trends.skills],
			['slash_commands_invocations', use.trends.slashCommands],
			['hooks_invocations', use.trends.hooks],
		]),
		rankedTable('tools', use.tools, [nameColumn('tool')], 'invocations'),
		createExportTable(
			'MCP servers',
			[
				{name: 'server', value: ({name}) => name},
				{name: 'invocations', value: ({invocations}) => invocations},
				{name: 'spellings', value: ({spellings}) => spellings.map(({server}) => server).join(' ')},
			],
			use.servers,
			({name, invocations, spellings}) => ({server: name, invocations, quarterdeck: {spellings}}),
		),
		rankedTable('skills', use.skills, [nameColumn('name')], 'count'),
		rankedTable('slash commands', use.slashCommands, [nameColumn('name')], 'count'),
		rankedTable('hooks', use.hooks, [nameColumn('hook')], 'count'),
		totalsTable(
			[
				['tool_calls', use.calls.total.sum, before?.calls.total.sum],
				['mean_mcp_users', use.meanMcpUsers, before?.meanMcpUsers],
				['mean_web_users', use.meanWebUsers, before?.meanWebUsers],
			],
			name => (name === 'tool_calls' ? change : undefined),
		),
	];
}

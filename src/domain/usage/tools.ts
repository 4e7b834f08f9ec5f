import {maskText} from '../masking.ts';
import type {ServerCount, ToolRow} from '../organization/analytics.ts';
import {type Attribution, createAttribution, type Part} from './attribution.ts';
import {type McpServer, mergeServers} from './mcp-servers.ts';
import type {DayRange} from './range.ts';
import {type DayPoint, known, meanOf, seriesOf, type Total, totalOf} from './series.ts';
import {isArtifact, unrecognized} from './tool-names.ts';

/** Which tools were used. Counts are calls. */
export type ToolUse = {
	readonly calls: {readonly trend: readonly DayPoint[]; readonly total: Total};
	/** Names that are parsing artifacts are combined as `unrecognized` and still count in the total. */
	readonly tools: Attribution;
	/** The artifacts and their counts, for inspection. */
	readonly artifacts: ReadonlyMap<string, number>;
	readonly servers: readonly McpServer[];
	/** Number of days that reported their servers. */
	readonly serverDays: number;
	/** Mean daily users of MCP servers over known days; users are never summed over days. */
	readonly meanMcpUsers: number | undefined;
	readonly mcpUsers: readonly DayPoint[];
	/** Mean daily users of the web interface. */
	readonly meanWebUsers: number | undefined;
	readonly webUsers: readonly DayPoint[];
	readonly skills: Attribution;
	readonly slashCommands: Attribution;
	/** Keys combine event, matcher and command; secrets in commands are masked. */
	readonly hooks: Attribution;
	/** Invocations by day. */
	readonly trends: Readonly<Record<'skills' | 'slashCommands' | 'hooks', readonly DayPoint[]>>;
};

export function toolsOf(rows: Iterable<ToolRow>, range: DayRange): ToolUse {
	const days = [...rows];
	const tools = createAttribution();
	const skills = createAttribution();
	const slashCommands = createAttribution();
	const hooks = createAttribution();
	const artifacts = new Map<string, number>();
	const servers: ServerCount[] = [];
	for (const row of days) {
		tools.addDay(row.tool_calls, toolParts(row));
		for (const {tool = '', invocations} of row.by_tool ?? [])
			if (isArtifact(tool)) artifacts.set(tool, (artifacts.get(tool) ?? 0) + (known(invocations) ?? 0));
		for (const server of row.mcp_by_server ?? []) servers.push(server);
		skills.addDay(row.skills_invocations, row.skills_by_name?.map(named));
		slashCommands.addDay(row.slash_commands_invocations, row.slash_commands_by_name?.map(named));
		hooks.addDay(
			row.hooks_invocations,
			row.hooks_by_event?.map(({event, matcher, command, count}) => ({
				key: [event, matcher, command && maskText(command)].filter(Boolean).join(' '),
				value: count,
			})),
		);
	}
	const calls = seriesOf(days, range, row => row.tool_calls);
	const mcpUsers = seriesOf(days, range, row => row.mcp_users_with_mcp);
	const webUsers = seriesOf(days, range, row => row.web_users);
	return {
		calls: {trend: calls, total: totalOf(calls)},
		tools: tools.done(),
		artifacts,
		servers: mergeServers(servers),
		serverDays: days.filter(row => row.mcp_by_server !== undefined).length,
		mcpUsers,
		meanMcpUsers: meanOf(mcpUsers),
		webUsers,
		meanWebUsers: meanOf(webUsers),
		trends: {
			skills: seriesOf(days, range, row => row.skills_invocations),
			slashCommands: seriesOf(days, range, row => row.slash_commands_invocations),
			hooks: seriesOf(days, range, row => row.hooks_invocations),
		},
		skills: skills.done(),
		slashCommands: slashCommands.done(),
		hooks: hooks.done(),
	};
}

/** The tool breakdown of a day; parsing artifacts are combined into one entry. */
export function toolParts({by_tool: parts}: ToolRow): Part[] | undefined {
	return parts?.map(({tool = '', invocations}) => ({
		key: isArtifact(tool) ? unrecognized : tool,
		value: invocations,
	}));
}

function named({name, count}: {readonly name?: string; readonly count?: number}) {
	return {key: name, value: count};
}

import {maskText} from '../masking.ts';
import type {ServerCount, ToolRow} from '../organization/analytics.ts';
import {createAttribution, type Part} from './attribution.ts';
import type {DayRange} from './range.ts';
import {finite, meanOf, seriesOf, totalOf} from './series.ts';

/** Which tools were used. Counts are calls. */
export type ToolUse = ReturnType<typeof toolsOf>;

export function toolsOf(rows: Iterable<ToolRow>, range: DayRange) {
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
			if (isArtifact(tool)) artifacts.set(tool, (artifacts.get(tool) ?? 0) + (finite(invocations) ?? 0));
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
	return {
		calls: {trend: calls, total: totalOf(calls)},
		/** Names that are parsing artifacts are combined as `unrecognized` and still count in the total. */
		tools: tools.done(),
		/** The artifacts and their counts, for inspection. */
		artifacts: artifacts as ReadonlyMap<string, number>,
		servers: mergeServers(servers),
		/** Number of days that reported their servers. */
		serverDays: days.filter(row => row.mcp_by_server !== undefined).length,
		/** Mean daily users of MCP servers over known days; users are never summed over days. */
		meanMcpUsers: meanOf(seriesOf(days, range, row => row.mcp_users_with_mcp)),
		/** And of the web interface. */
		meanWebUsers: meanOf(seriesOf(days, range, row => row.web_users)),
		skills: skills.done(),
		slashCommands: slashCommands.done(),
		/** Keys combine event, matcher and command; secrets in commands are masked. */
		hooks: hooks.done(),
	};
}

/** The tool breakdown of a day; parsing artifacts are combined into one entry. */
function toolParts({by_tool: parts}: ToolRow): Part[] | undefined {
	return parts?.map(({tool = '', invocations}) => ({
		key: isArtifact(tool) ? unrecognized : tool,
		value: invocations,
	}));
}

function named({name, count}: {readonly name?: string; readonly count?: number}) {
	return {key: name, value: count};
}

/** Letters, digits and the punctuation used in tool names, with single inner spaces. */
const toolName = /^[\p{L}\p{N}_@$][\p{L}\p{N}_@$.:/#+*-]*(?: [\p{L}\p{N}_@$.:/#+*-]+){0,5}$/u;
const maxNameLength = 128;

/** The entry that collects unrecognized names. */
export const unrecognized = 'unrecognized';

/**
 * Whether a name is a fragment of a tool call rather than a tool's name. Some of the service's entries are
 * such parsing artifacts: markup, quotes, brackets, line feeds, whole sentences.
 */
export function isArtifact(name: string): boolean {
	return name.length > maxNameLength || !toolName.test(name);
}

/** An MCP server reported under one or more spellings that differ only in case. */
type McpServer = {
	/** The most used spelling. */
	readonly name: string;
	readonly invocations: number;
	/**
	 * All spellings, most used first. More than one means the service counted them separately; the raw view
	 * shows them.
	 */
	readonly spellings: readonly {readonly server: string; readonly invocations: number}[];
};

/**
 * Merges names that differ only in case (the service reports some twice), most used first. Skips entries
 * without a name.
 */
export function mergeServers(counts: Iterable<ServerCount>): McpServer[] {
	const merged = new Map<string, Map<string, number>>();
	for (const {server, invocations} of counts) {
		if (!server || invocations === undefined || !Number.isFinite(invocations)) continue;
		const spellings = merged.get(server.toLowerCase()) ?? new Map<string, number>();
		merged.set(server.toLowerCase(), spellings);
		spellings.set(server, (spellings.get(server) ?? 0) + invocations);
	}
	return [...merged.values()]
		.map(spellings => {
			const ordered = [...spellings]
				.map(([server, invocations]) => ({server, invocations}))
				.sort((a, b) => b.invocations - a.invocations || (a.server < b.server ? -1 : 1));
			return {
				name: ordered[0]?.server ?? '',
				invocations: ordered.reduce((sum, {invocations}) => sum + invocations, 0),
				spellings: ordered,
			};
		})
		.sort((a, b) => b.invocations - a.invocations || (a.name < b.name ? -1 : 1));
}

import {maskText} from '../masking.ts';
import type {NameCount, ServerCount, ToolRow} from '../organization/analytics.ts';
import {attributionOf} from './attribution.ts';
import {finite} from './series.ts';

/** Which tools were used. Counts are calls. */
export type ToolUse = ReturnType<typeof toolsOf>;

export function toolsOf(rows: readonly ToolRow[]) {
	const artifacts = new Map<string, number>();
	for (const {tool = '', invocations} of rows.flatMap(({by_tool = []}) => by_tool))
		if (isArtifact(tool)) artifacts.set(tool, (artifacts.get(tool) ?? 0) + (finite(invocations) ?? 0));
	const named = ({name, count}: NameCount) => ({key: name, value: count});
	return {
		/** Names that are parsing artifacts are combined as `unrecognized` and still count in the total. */
		tools: attributionOf(
			rows,
			row => row.tool_calls,
			row =>
				row.by_tool?.map(({tool = '', invocations}) => ({
					key: isArtifact(tool) ? unrecognized : tool,
					value: invocations,
				})),
		),
		artifacts: artifacts as ReadonlyMap<string, number>,
		servers: mergeServers(rows.flatMap(({mcp_by_server = []}) => mcp_by_server)),
		skills: attributionOf(
			rows,
			row => row.skills_invocations,
			row => row.skills_by_name?.map(named),
		),
		slashCommands: attributionOf(
			rows,
			row => row.slash_commands_invocations,
			row => row.slash_commands_by_name?.map(named),
		),
		/** Keys combine event, matcher and command; secrets in commands are masked. */
		hooks: attributionOf(
			rows,
			row => row.hooks_invocations,
			row =>
				row.hooks_by_event?.map(({event, matcher, command, count}) => ({
					key: [event, matcher, command && maskText(command)].filter(Boolean).join(' '),
					value: count,
				})),
		),
	};
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
	/** All spellings, most used first. */
	readonly spellings: readonly {readonly server: string; readonly invocations: number}[];
};

/** Merges names that differ only in case (the service reports some twice), most used first. */
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

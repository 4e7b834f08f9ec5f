import {maskText} from '../masking.ts';
import {
	type ActivityRow,
	filesOf,
	type NameCount,
	type ProductivityRow,
	type ServerCount,
	type ToolRow,
} from '../organization/analytics.ts';
import type {DayRange} from './range.ts';
import {finite, meanOf, seriesOf} from './series.ts';

/** One entry of a breakdown. `share` is its fraction of the total, absent if the total is zero. */
export type Ranked = {
	readonly key: string;
	readonly label: string;
	readonly value: number;
	readonly share: number | undefined;
};

/** A total and its breakdown by name, largest first. */
export type Attribution = {
	readonly total: number;
	readonly entries: readonly Ranked[];
	/**
	 * The part of the total not attributed to any name, since a breakdown need not sum to its total. Negative
	 * if the names sum to more.
	 */
	readonly unattributed: number;
};

type Part = {
	readonly key: string | undefined;
	readonly label?: string | undefined;
	readonly value: number | undefined;
};

/** Maximum number of names, five times those of the largest known organization: later ones are unattributed. */
const maxNames = 100_000;

function attributionOf<Row>(
	rows: Iterable<Row>,
	totalOf: (row: Row) => number | undefined,
	partsOf: (row: Row) => Iterable<Part> | undefined,
): Attribution {
	const attribution = createAttribution();
	for (const row of rows) attribution.addDay(totalOf(row), partsOf(row));
	return attribution.done();
}

/** Accumulates a breakdown day by day. */
export function createAttribution() {
	const values = new Map<string, number>();
	const labels = new Map<string, string>();
	let sum = 0;
	return {
		/** Adds one day: its total and its parts, if any. A day without a known total counts as the sum of its parts. */
		addDay(total: number | undefined, parts: Iterable<Part> | undefined): void {
			let named = 0;
			for (const {key, label, value} of parts ?? []) {
				if (value === undefined || !Number.isFinite(value)) continue;
				named += value;
				if (!key || (values.size >= maxNames && !values.has(key))) continue;
				values.set(key, (values.get(key) ?? 0) + value);
				if (label) labels.set(key, label);
			}
			sum += total !== undefined && Number.isFinite(total) ? total : named;
		},
		done(): Attribution {
			const entries = [...values]
				.map(([key, value]) => ({
					key,
					label: labels.get(key) ?? key,
					value,
					share: sum > 0 ? value / sum : undefined,
				}))
				.sort((a, b) => b.value - a.value || (a.key < b.key ? -1 : 1));
			const rest = sum - entries.reduce((named, {value}) => named + value, 0);
			// Floating-point residue is not a real unattributed amount.
			return {
				total: sum,
				entries,
				unattributed: Math.abs(rest) <= Math.abs(sum) * 1e-9 ? 0 : rest,
			};
		},
	};
}

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

/** The languages and extensions of all files that were created or edited. */
export type WorkOutput = ReturnType<typeof outputOf>;

export function outputOf(rows: readonly ProductivityRow[]) {
	return {
		languages: attributionOf(rows, filesOf, row =>
			row.by_language?.map(({language, count}) => ({key: language, value: count})),
		),
		extensions: attributionOf(rows, filesOf, row =>
			row.by_extension?.map(({extension, count}) => ({key: extension, value: count})),
		),
	};
}

type ClientUse = {
	readonly client: string;
	/** Active users of this client, mean of the known days. Never summed: a user active on two days is one user. */
	readonly meanDaily: number;
	/** Fraction of the mean of all daily users on the same days. */
	readonly share: number | undefined;
};

/**
 * Clients by mean daily users, largest first. A user of two clients counts in both. A day with a breakdown lists all its
 * clients: one that is not listed had no users.
 */
export function clientsOf(rows: readonly ActivityRow[], range: DayRange): readonly ClientUse[] {
	const withClients = rows.filter(row => row.daily_active_users_by_client !== undefined);
	const names = new Set(withClients.flatMap(row => Object.keys(row.daily_active_users_by_client ?? {})));
	const mean = meanOf(seriesOf(withClients, range, row => row.daily_active_users));
	return [...names]
		.map(client => {
			const countOf = ({daily_active_users_by_client: clients = {}}: ActivityRow) =>
				Object.hasOwn(clients, client) ? clients[client] : 0;
			const meanDaily = meanOf(seriesOf(withClients, range, countOf)) ?? 0;
			return {client, meanDaily, share: mean ? meanDaily / mean : undefined};
		})
		.sort((a, b) => b.meanDaily - a.meanDaily || (a.client < b.client ? -1 : 1));
}

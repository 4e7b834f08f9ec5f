import type {ServerCount} from '../organization/analytics.ts';

/** An MCP server reported under one or more spellings that differ only in case. */
export type McpServer = {
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

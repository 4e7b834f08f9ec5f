import type {Adoption} from './adoption.ts';
import {type Autonomy, autonomyLevels} from './autonomy.ts';
import type {Credits} from './credits.ts';
import type {Driver} from './drivers.ts';
import {type Breakdown, type Mover, moversBetween} from './movers.ts';
import type {WorkOutput} from './output.ts';
import type {DayPoint} from './series.ts';
import type {ToolUse} from './tools.ts';
import {type UnusualDay, unusualDays} from './unusual-days.ts';

/** The usage topics, each checked for anomalies. */
export const unusualTopics = ['credits', 'adoption', 'autonomy', 'output', 'tools'] as const;
export type UnusualTopic = (typeof unusualTopics)[number];

/** Daily measures checked for anomalies, by contract name. */
export type UnusualMeasure =
	| 'billable_tokens'
	| 'daily_active_users'
	| 'sessions'
	| 'messages'
	| 'autonomy_ratio_avg'
	| 'files_created'
	| 'files_edited'
	| 'git_commits'
	| 'git_prs_created'
	| 'tool_calls'
	| 'mcp_users_with_mcp';

/** What kind of thing a name refers to. */
export type NameKind =
	| 'model'
	| 'user'
	| 'client'
	| 'level'
	| 'language'
	| 'tool'
	| 'MCP server'
	| 'skill'
	| 'slash command'
	| 'hook';

export type DriverOf = Driver & {readonly of: NameKind};
export type UnusualDayOf = UnusualDay & {
	readonly measure: UnusualMeasure;
	/** What explains it, where the days have a breakdown and only a few names are responsible. */
	readonly drivers: readonly DriverOf[];
};
export type MoverOf = Mover & {readonly of: NameKind};

export type Unusual = {
	/** Most unusual first. */
	readonly days: readonly UnusualDayOf[];
	/** Grouped by kind, largest difference first. */
	readonly movers: readonly MoverOf[];
};

/** The figures of a period that are checked for anomalies. */
export type WatchedFigures = {
	readonly credits: Credits;
	readonly adoption: Adoption;
	readonly autonomy: Autonomy;
	readonly output: WorkOutput;
	readonly tools: ToolUse;
};

/** Maximum days reported per topic. */
const maxDays = 8;

type Watched = readonly [
	measure: UnusualMeasure,
	points: (figures: WatchedFigures) => readonly DayPoint[],
	isCount?: boolean,
];

/**
 * Excludes weekly and monthly active users, which consist mostly of earlier days, and percentiles, which
 * can't be averaged over days.
 */
const watched: Readonly<Record<UnusualTopic, readonly Watched[]>> = {
	credits: [['billable_tokens', ({credits}) => credits.trend]],
	adoption: [
		['daily_active_users', ({adoption}) => adoption.daily, true],
		['sessions', ({adoption}) => adoption.sessions, true],
		['messages', ({adoption}) => adoption.messages, true],
	],
	autonomy: [['autonomy_ratio_avg', ({autonomy}) => autonomy.trend]],
	output: [
		['files_created', ({output}) => output.filesCreated.trend, true],
		['files_edited', ({output}) => output.filesEdited.trend, true],
		['git_commits', ({output}) => output.commits.trend, true],
		['git_prs_created', ({output}) => output.pullRequests.trend, true],
	],
	tools: [
		['tool_calls', ({tools}) => tools.calls.trend, true],
		['mcp_users_with_mcp', ({tools}) => tools.mcpUsers, true],
	],
};

/** Unusual days of a topic from `from` on, compared with all figures, which may start earlier. */
export function unusualDaysOf(
	topic: UnusualTopic,
	figures: WatchedFigures,
	from: string,
): readonly Omit<UnusualDayOf, 'drivers'>[] {
	return watched[topic]
		.flatMap(([measure, points, isCount]) =>
			unusualDays(points(figures), from, isCount).map(day => ({...day, measure})),
		)
		.sort((a, b) => Math.abs(b.score) - Math.abs(a.score))
		.slice(0, maxDays);
}

const breakdowns: Readonly<
	Record<UnusualTopic, readonly (readonly [NameKind, (figures: WatchedFigures) => Breakdown])[]>
> = {
	credits: [
		['model', ({credits}) => credits.models],
		['user', ({credits}) => credits.users],
	],
	adoption: [['client', clientsOf]],
	autonomy: [['level', levelsOf]],
	output: [['language', ({output}) => output.languages]],
	tools: [
		['tool', ({tools}) => tools.tools],
		['MCP server', serversOf],
		['skill', ({tools}) => tools.skills],
		['slash command', ({tools}) => tools.slashCommands],
		['hook', ({tools}) => tools.hooks],
	],
};

/** Names in a topic that changed most since the previous period. */
export function moversOf(topic: UnusualTopic, now: WatchedFigures, before: WatchedFigures): MoverOf[] {
	return breakdowns[topic].flatMap(([of, breakdown]) =>
		moversBetween(breakdown(now), breakdown(before)).map(mover => ({...mover, of})),
	);
}

/** Client users are already a mean: they are never summed over days. */
function clientsOf({adoption: {clients, meanDaily}}: WatchedFigures): Breakdown {
	return {
		total: meanDaily ?? 0,
		entries: clients.map(({client, meanDaily: value}) => ({key: client, label: client, value})),
		days: clients.length > 0 ? 1 : 0,
	};
}

/** Fractions of all calls, which sum to 1. */
function levelsOf({autonomy: {levels}}: WatchedFigures): Breakdown {
	const entries = autonomyLevels.flatMap(level => {
		const {value} = levels[level];
		return value === undefined ? [] : [{key: level, label: level.replace('_', '-'), value}];
	});
	return {total: 1, entries: entries, days: entries.length > 0 ? 1 : 0};
}

function serversOf({tools: {servers, serverDays}}: WatchedFigures): Breakdown {
	return {
		total: servers.reduce((sum, {invocations}) => sum + invocations, 0),
		entries: servers.map(({name, invocations}) => ({
			key: name.toLowerCase(),
			label: name,
			value: invocations,
		})),
		days: serverDays,
	};
}

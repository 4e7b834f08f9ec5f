import type {Adoption} from './adoption.ts';
import type {Autonomy} from './autonomy.ts';
import type {Credits} from './credits.ts';
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

export type UnusualDayOf = UnusualDay & {readonly measure: UnusualMeasure};

/** The unusual days of each topic, most unusual first. */
export type Unusual = Readonly<Record<UnusualTopic, readonly UnusualDayOf[]>>;

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

/** Unusual days from `from` on, compared with all figures, which may start earlier. Yields between topics. */
export function* unusualDaysOf(figures: WatchedFigures, from: string): Generator<void, Unusual> {
	const found = {} as Record<UnusualTopic, readonly UnusualDayOf[]>;
	for (const topic of unusualTopics) {
		found[topic] = watched[topic]
			.flatMap(([measure, points, isCount]) =>
				unusualDays(points(figures), from, isCount).map(day => ({...day, measure})),
			)
			.sort((a, b) => Math.abs(b.score) - Math.abs(a.score))
			.slice(0, maxDays);
		yield;
	}
	return found;
}

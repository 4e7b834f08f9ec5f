import type {ActivityRow, ProductivityRow, TokenRow, ToolRow} from '../../domain/organization/analytics.ts';
import {autonomyLevels} from '../../domain/usage/autonomy.ts';
import {type DayRange, wholeMonthlyFrom, wholeWeeklyFrom} from '../../domain/usage/range.ts';
import {type DayPoint, seriesOf} from '../../domain/usage/series.ts';
import {type UnusualDay, unusualDays} from '../../domain/usage/unusual-days.ts';
import {safe} from '../../text/cells/safe.ts';
import type {Column} from '../rows/column.ts';
import type {UsagePeriod} from './organization.ts';
import type {UsageTab} from './organization-view-state.ts';

/**
 * A measure by day: a column of the command, of its `--csv`, and of the export of its tab. With a title, the tab's table
 * by day shows it, too.
 */
export type DayColumn<Row> = Omit<Column<Row>, 'value'> & {
	readonly value: (row: Row) => number | undefined;
	readonly tab: Exclude<UsageTab, 'people'>;
	/** Whether the period has it; by default always. */
	readonly isPresent?: (period: UsagePeriod) => boolean;
	/** Days far from the same weekday in earlier weeks are marked. Not for users of more than a day or percentiles. */
	readonly watched?: 'count' | 'ratio';
};

/** The rows of each command: one per day. */
export type UsageRows = {
	readonly tokens: TokenRow;
	readonly activity: ActivityRow;
	readonly productivity: ProductivityRow;
	readonly tools: ToolRow;
};

type DayColumns = {readonly [Family in keyof UsageRows]: readonly DayColumn<UsageRows[Family]>[]};

const number = {isNumber: true} as const;
const credits = {...number, tab: 'credits'} as const;
const adoption = {...number, tab: 'adoption'} as const;
const output = {...number, tab: 'output', watched: 'count'} as const;
const autonomy = {...number, tab: 'autonomy'} as const;
const tools = {...number, tab: 'tools'} as const;

/** Every measure by day, by the command that prints it, in the order of the command and of its tab. */
export const dayColumns: DayColumns = {
	tokens: [
		{
			...credits,
			name: 'billable_tokens',
			title: safe`CREDITS`,
			value: row => row.billable_tokens,
			isPresent: period => period.credits.tokens === undefined,
			watched: 'ratio',
		},
		{...credits, name: 'input_tokens', title: safe`INPUT`, value: row => row.input_tokens},
		{...credits, name: 'output_tokens', title: safe`OUTPUT`, value: row => row.output_tokens},
		{...credits, name: 'cache_read_tokens', title: safe`CACHE READS`, value: row => row.cache_read_tokens},
		{...credits, name: 'cache_write_tokens', title: safe`CACHE WRITES`, value: row => row.cache_write_tokens},
		{
			...credits,
			name: 'cost_usd',
			title: safe`COST (USD)`,
			value: row => row.cost_usd,
			isPresent: period => period.credits.cost.sum !== undefined,
		},
	],
	activity: [
		{
			...adoption,
			name: 'daily_active_users',
			title: safe`ACTIVE`,
			value: row => row.daily_active_users,
			watched: 'count',
		},
		// The first days of the history have no whole week or month before them, whatever the service reports.
		{
			...adoption,
			name: 'weekly_active_users',
			title: safe`WEEKLY`,
			value: row => (row.date < wholeWeeklyFrom ? undefined : row.weekly_active_users),
		},
		{
			...adoption,
			name: 'monthly_active_users',
			title: safe`MONTHLY`,
			value: row => (row.date < wholeMonthlyFrom ? undefined : row.monthly_active_users),
		},
		{
			...adoption,
			name: 'stickiness',
			value: stickinessOf,
		},
		{...adoption, name: 'sessions', title: safe`SESSIONS`, value: row => row.sessions, watched: 'count'},
		{...adoption, name: 'messages', title: safe`MESSAGES`, value: row => row.messages, watched: 'count'},
		{...adoption, name: 'user_messages', title: safe`TURNS`, value: row => row.user_messages},
	],
	productivity: [
		{...output, name: 'files_created', title: safe`FILES CREATED`, value: row => row.files_created},
		{...output, name: 'files_edited', title: safe`EDITED`, value: row => row.files_edited},
		{...output, name: 'git_commits', title: safe`COMMITS`, value: row => row.git_commits},
		{...output, name: 'git_prs_created', title: safe`PULL REQUESTS`, value: row => row.git_prs_created},
	],
	tools: [
		{...tools, name: 'tool_calls', title: safe`CALLS`, value: row => row.tool_calls, watched: 'count'},
		{
			...tools,
			name: 'mcp_users_with_mcp',
			title: safe`MCP USERS`,
			value: row => row.mcp_users_with_mcp,
			watched: 'count',
		},
		{...tools, name: 'web_users', title: safe`WEB USERS`, value: row => row.web_users},
		{...tools, name: 'skills_invocations', title: safe`SKILLS`, value: row => row.skills_invocations},
		{
			...tools,
			name: 'slash_commands_invocations',
			title: safe`COMMANDS`,
			value: row => row.slash_commands_invocations,
		},
		{...tools, name: 'hooks_invocations', title: safe`HOOKS`, value: row => row.hooks_invocations},
		{
			...autonomy,
			name: 'autonomy_ratio_avg',
			title: safe`CALLS/TURN`,
			value: row => row.autonomy_ratio_avg,
			watched: 'ratio',
		},
		{...autonomy, name: 'autonomy_ratio_p50', title: safe`MEDIAN`, value: row => row.autonomy_ratio_p50},
		{...autonomy, name: 'autonomy_ratio_p90', title: safe`90TH`, value: row => row.autonomy_ratio_p90},
		{
			...autonomy,
			name: 'tool_calls_per_session_avg',
			title: safe`CALLS/SESSION`,
			value: row => row.tool_calls_per_session_avg,
		},
		{
			...autonomy,
			name: 'user_turns_per_session_avg',
			title: safe`TURNS/SESSION`,
			value: row => row.user_turns_per_session_avg,
		},
		...autonomyLevels.map(
			(level): DayColumn<ToolRow> => ({
				...autonomy,
				name: level,
				value: row => row.tool_autonomy_level_ratio?.[level],
			}),
		),
	],
};

/** Daily divided by monthly active users of the same day, 0 to 1. */
function stickinessOf({date, daily_active_users: daily, monthly_active_users: monthly}: ActivityRow) {
	return date >= wholeMonthlyFrom && daily !== undefined && monthly ? daily / monthly : undefined;
}

/** The columns of a tab. */
export function columnsOfTab(tab: string): readonly DayColumn<never>[] {
	return Object.values(dayColumns).flatMap((columns: readonly DayColumn<never>[]) =>
		columns.filter(column => column.tab === tab),
	);
}

/** Whether no day of the period has any measure of the tab. */
export function isUnknown({days}: Pick<UsagePeriod, 'days'>, tab: UsageTab): boolean {
	return columnsOfTab(tab).every(({name}) => days.get(name)?.every(({value}) => value === undefined));
}

/** Each column's values by day, by its name. */
export type DayPoints = ReadonlyMap<string, readonly DayPoint[]>;

export function pointsByDay(
	rows: {readonly [Family in keyof UsageRows]: readonly UsageRows[Family][]},
	range: DayRange,
): DayPoints {
	const pointsOf = <Family extends keyof UsageRows>(family: Family) =>
		dayColumns[family].map(({name, value}) => [name, seriesOf(rows[family], range, value)] as const);
	return new Map((['tokens', 'activity', 'productivity', 'tools'] as const).flatMap(pointsOf));
}

/** The unusual days of the watched columns, by their names; from `from` on, which the points may start before. */
export type Unusual = ReadonlyMap<string, readonly UnusualDay[]>;

export function* unusualByColumn(points: DayPoints, from: string): Generator<void, Unusual> {
	const found = new Map<string, readonly UnusualDay[]>();
	for (const {name, watched} of Object.values(dayColumns).flat()) {
		if (watched) found.set(name, unusualDays(points.get(name) ?? [], from, watched === 'count'));
		yield;
	}
	return found;
}

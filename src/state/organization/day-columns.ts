import type {ExtraFields} from '../../domain/known.ts';
import {
	type ActivityRow,
	filesOf,
	type ProductivityRow,
	type TokenRow,
	type ToolRow,
} from '../../domain/organization/analytics.ts';
import {type DayRange, wholeMonthlyFrom, wholeWeeklyFrom} from '../../domain/usage/range.ts';
import {type DayPoint, seriesOf, type UnusualDays, unusualDays} from '../../domain/usage/series.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {Column} from '../rows/column.ts';
import type {UsagePeriod} from './organization.ts';
import type {UsageTab} from './organization-view-state.ts';

/** A measure by day: a column of the command, of its `--csv`, and of the export of its tab. */
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

/** Columns of the fields of a tab's rows. */
function columnsIn<Row extends ExtraFields>(tab: DayColumn<Row>['tab']) {
	return (name: string, title: Safe, more: Partial<DayColumn<Row>> = {}): DayColumn<Row> => ({
		tab,
		name,
		title,
		isNumber: true,
		value: row => (typeof row[name] === 'number' ? row[name] : undefined),
		...more,
	});
}
const credits = columnsIn<TokenRow>('credits');
const adoption = columnsIn<ActivityRow>('adoption');
const output = columnsIn<ProductivityRow>('output');
const tools = columnsIn<ToolRow>('tools');
const autonomy = columnsIn<ToolRow>('autonomy');

export const autonomyLevels = ['auto_high', 'auto_medium', 'auto_low', 'manual'] as const;

/** Every measure by day, by the command that prints it, in the order of the command and of its tab. */
export const dayColumns: DayColumns = {
	tokens: [
		credits('billable_tokens', safe`CREDITS`, {
			isPresent: period => period.credits.tokens === undefined,
			watched: 'ratio',
		}),
		credits('input_tokens', safe`INPUT`),
		credits('output_tokens', safe`OUTPUT`),
		credits('cache_read_tokens', safe`CACHE READS`),
		credits('cache_write_tokens', safe`CACHE WRITES`),
		credits('cost_usd', safe`COST (USD)`, {isPresent: period => hasAny(period, 'cost_usd')}),
	],
	activity: [
		adoption('daily_active_users', safe`ACTIVE`, {watched: 'count'}),
		// The first days of the history have no whole week or month before them, whatever the service reports.
		adoption('weekly_active_users', safe`WEEKLY`, {
			value: row => (row.date < wholeWeeklyFrom ? undefined : row.weekly_active_users),
		}),
		adoption('monthly_active_users', safe`MONTHLY`, {
			value: row => (row.date < wholeMonthlyFrom ? undefined : row.monthly_active_users),
		}),
		{tab: 'adoption', name: 'stickiness', isNumber: true, value: stickinessOf},
		adoption('sessions', safe`SESSIONS`, {watched: 'count'}),
		adoption('messages', safe`MESSAGES`, {watched: 'count'}),
		adoption('user_messages', safe`TURNS`),
	],
	productivity: [
		output('files_created', safe`FILES CREATED`, {watched: 'count'}),
		output('files_edited', safe`EDITED`, {watched: 'count'}),
		output('git_commits', safe`COMMITS`, {watched: 'count'}),
		output('git_prs_created', safe`PULL REQUESTS`, {watched: 'count'}),
	],
	tools: [
		tools('tool_calls', safe`CALLS`, {watched: 'count'}),
		tools('mcp_users_with_mcp', safe`MCP USERS`, {watched: 'count'}),
		tools('web_users', safe`WEB USERS`),
		tools('skills_invocations', safe`SKILLS`),
		tools('slash_commands_invocations', safe`COMMANDS`),
		tools('hooks_invocations', safe`HOOKS`),
		autonomy('autonomy_ratio_avg', safe`CALLS/TURN`, {watched: 'ratio'}),
		autonomy('autonomy_ratio_p50', safe`MEDIAN`),
		autonomy('autonomy_ratio_p90', safe`90TH`),
		autonomy('tool_calls_per_session_avg', safe`CALLS/SESSION`),
		autonomy('user_turns_per_session_avg', safe`TURNS/SESSION`),
		...autonomyLevels.map(
			(level): DayColumn<ToolRow> => ({
				tab: 'autonomy',
				name: level,
				isNumber: true,
				value: row => row.tool_autonomy_level_ratio?.[level],
			}),
		),
	],
};

/** Daily divided by monthly active users of the same day, 0 to 1. */
function stickinessOf({date, daily_active_users: daily, monthly_active_users: monthly}: ActivityRow) {
	return date >= wholeMonthlyFrom && daily !== undefined && monthly ? daily / monthly : undefined;
}

export function columnsOfTab(tab: string): readonly DayColumn<never>[] {
	return Object.values(dayColumns).flatMap((columns: readonly DayColumn<never>[]) =>
		columns.filter(column => column.tab === tab),
	);
}

/** Values of each column by day, by its name, and `files`: those created or edited. */
export type DayPoints = ReadonlyMap<string, readonly DayPoint[]>;

export function pointsByDay(
	rows: {readonly [Family in keyof UsageRows]: readonly UsageRows[Family][]},
	range: DayRange,
): DayPoints {
	const pointsOf = <Family extends keyof UsageRows>(family: Family) =>
		dayColumns[family].map(({name, value}) => [name, seriesOf(rows[family], range, value)] as const);
	const points = (['tokens', 'activity', 'productivity', 'tools'] as const).flatMap(pointsOf);
	return new Map([...points, ['files', seriesOf(rows.productivity, range, filesOf)]]);
}

export function pointsOf({days}: Pick<UsagePeriod, 'days'>, name: string): readonly DayPoint[] {
	return days.get(name) ?? [];
}

export function hasAny(period: UsagePeriod, name: string): boolean {
	return pointsOf(period, name).some(({value}) => value !== undefined);
}

/** Whether no day of the period has any measure of the tab. */
export function isUnknown(period: UsagePeriod, tab: UsageTab): boolean {
	return !columnsOfTab(tab).some(({name}) => hasAny(period, name));
}

/** The unusual days of the watched columns, by their names; from `from` on, which the points may start before. */
export type Unusual = ReadonlyMap<string, UnusualDays>;

export function* unusualByColumn(points: DayPoints, from: string): Generator<void, Unusual> {
	const found = new Map<string, UnusualDays>();
	for (const {name, watched} of Object.values(dayColumns).flat()) {
		if (watched) found.set(name, unusualDays(points.get(name) ?? [], from, watched === 'count'));
		yield;
	}
	return found;
}

import type {
	ActivityRow,
	ProductivityRow,
	TokenRow,
	ToolRow,
	UserRow,
} from '../../domain/organization/analytics.ts';
import {autonomyLevels} from '../../domain/usage/autonomy.ts';
import {personFigures} from '../../domain/usage/person-fields.ts';
import {safe} from '../../text/cells/safe.ts';
import type {OutputColumn} from '../output/print-rows.ts';

// Columns of the analytics rows. Tables show totals only; CSV and JSON include the breakdowns.

type Dated = {readonly date?: string};

const dateColumn: OutputColumn<Dated> = {name: 'date', title: safe`DATE (UTC)`, value: ({date}) => date};

function columnsOf<Row extends Dated>(names: readonly (keyof Row & string)[]): OutputColumn<Row>[] {
	return [
		dateColumn,
		...names.map(
			(name): OutputColumn<Row> => ({
				name,
				isNumber: true,
				value: row => (typeof row[name] === 'number' ? row[name] : undefined),
			}),
		),
	];
}

/** Fields with parts, each as JSON in one cell. */
function nestedColumns<Row>(names: readonly (keyof Row & string)[]): OutputColumn<Row>[] {
	return names.map(name => ({
		name,
		isOnlyCsv: true,
		value: row => (row[name] === undefined ? undefined : JSON.stringify(row[name])),
	}));
}

/** The organization that the service named beside the rows. */
export function organizationColumn(id: string | undefined): OutputColumn<unknown> {
	return {name: 'org_id', isOnlyCsv: true, value: () => id};
}

export const tokenColumns = [
	...columnsOf<TokenRow>([
		'billable_tokens',
		'input_tokens',
		'output_tokens',
		'cache_read_tokens',
		'cache_write_tokens',
	]),
	...nestedColumns<TokenRow>(['by_model', 'by_user']),
];

export const toolColumns: readonly OutputColumn<ToolRow>[] = [
	...columnsOf<ToolRow>([
		'tool_calls',
		'mcp_users_with_mcp',
		'skills_invocations',
		'slash_commands_invocations',
		'hooks_invocations',
		'web_users',
		'autonomy_ratio_avg',
		'autonomy_ratio_p50',
		'autonomy_ratio_p90',
		'tool_calls_per_session_avg',
		'user_turns_per_session_avg',
	]),
	...autonomyLevels.map(
		(level): OutputColumn<ToolRow> => ({
			name: level,
			isNumber: true,
			value: row => row.tool_autonomy_level_ratio?.[level],
		}),
	),
	...nestedColumns<ToolRow>([
		'by_tool',
		'mcp_by_server',
		'skills_by_name',
		'slash_commands_by_name',
		'hooks_by_event',
	]),
];

export const activityColumns = [
	...columnsOf<ActivityRow>([
		'daily_active_users',
		'weekly_active_users',
		'monthly_active_users',
		'sessions',
		'messages',
		'user_messages',
	]),
	...nestedColumns<ActivityRow>(['daily_active_users_by_client']),
];

export const productivityColumns = [
	...columnsOf<ProductivityRow>(['files_created', 'files_edited', 'git_commits', 'git_prs_created']),
	...nestedColumns<ProductivityRow>(['by_extension', 'by_language']),
];

export const userDayColumns: readonly OutputColumn<UserRow>[] = [
	dateColumn,
	{name: 'user_id', value: row => row.user_id},
	{name: 'user_email', value: row => row.user_email},
	...columnsOf<UserRow>(personFigures).slice(1),
	{name: 'primary_model', value: row => row.primary_model},
	{name: 'primary_model_tier', value: row => row.primary_model_tier},
	{name: 'delegation_level', value: row => row.delegation_level},
	{name: 'languages', value: row => row.languages?.join(' ')},
];

type GroupedRow = Dated & {readonly group_key?: string};

/** Columns of grouped rows: the date, the group and the few totals available when grouped. */
export function groupedColumns<Row extends GroupedRow>(
	names: readonly (keyof Row & string)[],
): OutputColumn<Row>[] {
	const [date, ...numbers] = columnsOf<Row>(names);
	return [...(date ? [date] : []), {name: 'group_key', value: row => row.group_key}, ...numbers];
}

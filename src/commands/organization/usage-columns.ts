import type {DayRows} from '../../db/analytics.ts';
import type {UserRow} from '../../domain/organization/analytics.ts';
import {personFigures} from '../../domain/usage/person-fields.ts';
import {type DayColumn, dayColumns} from '../../state/organization/day-columns.ts';
import {safe} from '../../text/cells/safe.ts';
import {type OutputColumn, outputColumns} from '../output/print-rows.ts';

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

/** The breakdowns of each command: only in CSV. */
const breakdowns: {readonly [Family in keyof DayRows]: readonly (keyof DayRows[Family] & string)[]} = {
	tokens: ['by_model', 'by_user'],
	tools: ['by_tool', 'mcp_by_server', 'skills_by_name', 'slash_commands_by_name', 'hooks_by_event'],
	activity: ['daily_active_users_by_client'],
	productivity: ['by_extension', 'by_language'],
};

/** The columns by day. One that only some services report is left out if no row has it. */
export function dailyColumns<Family extends keyof DayRows>(
	family: Family,
	rows: Iterable<DayRows[Family]>,
	now: number,
): OutputColumn<DayRows[Family]>[] {
	const all: readonly DayColumn<DayRows[Family]>[] = dayColumns[family];
	const reported = [...rows];
	const present = all.filter(
		({isPresent, value}) => !isPresent || reported.some(row => value(row) !== undefined),
	);
	return [
		dateColumn,
		...outputColumns(present, {now}),
		...nestedColumns<DayRows[Family]>(breakdowns[family]),
	];
}

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

import type {DayRows} from '../../db/analytics.ts';
import type {UserRow} from '../../domain/organization/analytics.ts';
import {personFigures} from '../../domain/usage/people.ts';
import {type DayColumn, dayColumns} from '../../state/organization/day-columns.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {type OutputColumn, outputColumns} from '../output/print-rows.ts';

// Columns of the analytics rows. Tables show totals only; CSV and JSON include the breakdowns.

const dateColumn = (today: string | undefined): OutputColumn<{readonly date?: string}> => ({
	name: 'date',
	title: safe`DATE (UTC)`,
	value: ({date}) => date,
	show: ({date = '-'}) => (date === today ? safe`today` : cleanLine(date)),
});

/** Fields of a row by name. One with parts is JSON in one cell. */
function fields<Row extends object>(
	names: readonly (keyof Row & string)[],
	more: Pick<OutputColumn<Row>, 'isNumber' | 'isOnlyCsv'> = {},
): OutputColumn<Row>[] {
	return names.map(name => ({
		...more,
		name,
		value(row) {
			const value: unknown = row[name];
			return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | undefined);
		},
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
	today: string | undefined,
): OutputColumn<DayRows[Family]>[] {
	const all: readonly DayColumn<DayRows[Family]>[] = dayColumns[family];
	const reported = [...rows];
	const present = all.filter(
		({isPresent, value}) => !isPresent || reported.some(row => value(row) !== undefined),
	);
	return [
		dateColumn(today),
		...outputColumns(present, {now}),
		...fields<DayRows[Family]>(breakdowns[family], {isOnlyCsv: true}),
	];
}

export const userDayColumns = (today: string | undefined): readonly OutputColumn<UserRow>[] => [
	dateColumn(today),
	...fields<UserRow>(['user_id', 'user_email']),
	...fields<UserRow>(personFigures, {isNumber: true}),
	...fields<UserRow>(['primary_model', 'primary_model_tier', 'delegation_level']),
	{name: 'languages', value: row => row.languages?.join(' ')},
];

export function groupedColumns<Row extends {readonly date?: string; readonly group_key?: string}>(
	names: readonly (keyof Row & string)[],
	today: string | undefined,
): OutputColumn<Row>[] {
	return [dateColumn(today), ...fields<Row>(['group_key']), ...fields<Row>(names, {isNumber: true})];
}

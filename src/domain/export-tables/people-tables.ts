import type {People} from '../usage/people.ts';
import {type PersonField, personFigures, personValue} from '../usage/person-fields.ts';
import {createExportTable, type ExportColumn, type ExportTable, type Rows} from './export-table.ts';

const identity = ['user_id', 'user_email'] as const;
const totals = [...personFigures, 'active_days'] as const;

/** Columns of people, given by index. */
function columnsOf(people: People, fields: readonly PersonField[]): ExportColumn<number>[] {
	return fields.map(name => ({name, value: index => personValue(people, index, name)}));
}

/** The daily credits of people, given by index in order. */
export function creditsByDayTable(people: People, rows: Rows<number>): ExportTable {
	const {dates} = people;
	return createExportTable(
		'credits by day',
		[
			...columnsOf(people, identity),
			...dates.map(
				(date, day): ExportColumn<number> => ({name: date, value: index => people.credits(index, day)}),
			),
		],
		rows,
		index => ({
			user_id: people.people[index]?.userId,
			user_email: people.people[index]?.email ?? null,
			by_date: Object.fromEntries(dates.map((date, day) => [date, people.credits(index, day) ?? null])),
		}),
	);
}

/**
 * Tables of one person: daily values, totals, and the number of days each model and autonomy level was the
 * primary one.
 */
export function personTables(
	people: People,
	index: number,
	byModel?: ReadonlyMap<string, number>,
): ExportTable[] {
	const {models, levels, tiers} = people.traits(index);
	const counted = (
		name: string,
		[key, count]: readonly [key: string, count: string],
		counts: ReadonlyMap<string, number>,
		details: readonly ExportColumn<{key: string}>[] = [],
	) =>
		createExportTable(
			name,
			[{name: key, value: row => row.key}, ...details, {name: count, value: row => row.count}],
			[...counts].map(([key, count]) => ({key, count})).sort((a, b) => b.count - a.count),
		);
	const measures = [...totals, 'languages'] as const;
	return [
		createExportTable(
			'by day',
			[
				{name: 'date', value: day => people.dates[day]},
				{name: 'billable_tokens', value: day => people.credits(index, day)},
			],
			[...people.dates.keys()],
		),
		createExportTable(
			'totals',
			[
				{name: 'measure', value: measure => measure},
				{name: 'value', value: measure => personValue(people, index, measure)},
			],
			measures,
		),
		counted('primary models', ['primary_model', 'days'], models, [
			{name: 'primary_model_tier', value: ({key}) => tiers.get(key)},
		]),
		counted('delegation', ['delegation_level', 'days'], levels),
		...(byModel ? [counted('credits by model', ['model_id', 'billable_tokens'], byModel)] : []),
	];
}

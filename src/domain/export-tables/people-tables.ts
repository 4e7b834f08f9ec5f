import {type People, personMeasures} from '../usage/people.ts';
import {createExportTable, type ExportColumn, type ExportTable, type Rows} from './export-table.ts';

/** Columns that identify a person, by index. */
function naming({people}: People): ExportColumn<number>[] {
	return [
		{name: 'user_id', value: index => people[index]?.userId},
		{name: 'user_email', value: index => people[index]?.email},
	];
}

/** Tables of people, given by index in order: totals per person, and their daily credits. */
export function peopleTables(people: People, rows: Rows<number>): ExportTable[] {
	const who = naming(people);
	const {dates} = people;
	return [
		createExportTable(
			'people',
			[
				...who,
				...personMeasures.map(
					(measure): ExportColumn<number> => ({name: measure, value: index => people.total(index, measure)}),
				),
				{name: 'autonomy_ratio', value: index => people.autonomy(index)},
				{name: 'active_days', value: index => people.people[index]?.activeDays},
				{name: 'last_day', value: index => people.people[index]?.lastDay},
				{name: 'primary_model', value: index => mostFrequent(people.traits(index).models)},
				{name: 'primary_model_tier', value: index => tierOf(people, index)},
				{name: 'delegation_level', value: index => mostFrequent(people.traits(index).levels)},
				{name: 'languages', value: index => [...people.traits(index).languages].join(' ') || undefined},
			],
			rows,
		),
		createExportTable(
			'credits by day',
			[
				...who,
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
		),
	];
}

/** The word used on the most days. */
function mostFrequent(days: ReadonlyMap<string, number>): string | undefined {
	return [...days].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function tierOf(people: People, index: number): string | undefined {
	const {models, tiers} = people.traits(index);
	return tiers.get(mostFrequent(models) ?? '');
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
	const {models, levels, languages, tiers} = people.traits(index);
	const counted = (name: string, field: string, counts: ReadonlyMap<string, number>) =>
		createExportTable(
			name,
			[
				{name: field, value: ([key]) => key},
				{name: 'days', value: ([, days]) => days},
			],
			[...counts].sort(([, a], [, b]) => b - a),
		);
	const totals: readonly (readonly [string, number | string | undefined])[] = [
		...personMeasures.map(measure => [measure, people.total(index, measure)] as const),
		['autonomy_ratio', people.autonomy(index)],
		['active_days', people.people[index]?.activeDays],
		['languages', [...languages].join(' ') || undefined],
	];
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
				{name: 'measure', value: ([measure]) => measure},
				{name: 'value', value: ([, value]) => value},
			],
			totals,
		),
		createExportTable(
			'primary models',
			[
				{name: 'primary_model', value: ([model]) => model},
				{name: 'primary_model_tier', value: ([model]) => tiers.get(model)},
				{name: 'days', value: ([, days]) => days},
			],
			[...models].sort(([, a], [, b]) => b - a),
		),
		counted('delegation', 'delegation_level', levels),
		...(byModel
			? [
					createExportTable(
						'credits by model',
						[
							{name: 'model_id', value: ([model]) => model},
							{name: 'billable_tokens', value: ([, value]) => value},
						],
						[...byModel].sort(([, a], [, b]) => b - a),
					),
				]
			: []),
	];
}

/** People with activity who are not users of the organization. */
export function unlistedTable(people: People, rows: Rows<number>): ExportTable {
	return createExportTable(
		'not among the users',
		[
			...naming(people),
			{name: 'last_day', value: index => people.people[index]?.lastDay},
			{name: 'billable_tokens', value: index => people.total(index, 'billable_tokens')},
		],
		rows,
	);
}

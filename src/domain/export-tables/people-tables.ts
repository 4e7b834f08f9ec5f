import {type People, personMeasures} from '../usage/people.ts';
import {createExportTable, type ExportColumn, type ExportTable, type Rows} from './export-table.ts';

/** Columns that identify a person, by index. */
function naming({people}: People): ExportColumn<number>[] {
	return [
		{name: 'user_id', value: index => people[index]?.userId},
		{name: 'user_email', value: index => people[index]?.email},
	];
}

/** A person's totals in the range. */
function totalColumns(people: People): ExportColumn<number>[] {
	return [
		...personMeasures.map(
			(measure): ExportColumn<number> => ({name: measure, value: index => people.total(index, measure)}),
		),
		{name: 'autonomy_ratio', value: index => people.autonomy(index)},
		{name: 'active_days', value: index => people.people[index]?.activeDays},
	];
}

/** Tables of people, given by index in order: totals per person, and their daily credits. */
export function peopleTables(people: People, rows: Rows<number>): ExportTable[] {
	const who = naming(people);
	const {dates} = people;
	const modelOf = (index: number) => byDays(people.traits(index).models)[0]?.key;
	return [
		createExportTable(
			'people',
			[
				...who,
				...totalColumns(people),
				{name: 'last_day', value: index => people.people[index]?.lastDay},
				{name: 'primary_model', value: modelOf},
				{name: 'primary_model_tier', value: index => people.traits(index).tiers.get(modelOf(index) ?? '')},
				{name: 'delegation_level', value: index => byDays(people.traits(index).levels)[0]?.key},
				{name: 'languages', value: index => languagesOf(people, index)},
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

function languagesOf(people: People, index: number): string | undefined {
	return [...people.traits(index).languages].join(' ') || undefined;
}

/** Counted names, most frequent first. */
function byDays(counts: ReadonlyMap<string, number>) {
	return [...counts].map(([key, count]) => ({key, count})).sort((a, b) => b.count - a.count);
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
			byDays(counts),
		);
	const totals = [
		...totalColumns(people).map(({name, value}) => ({measure: name, value: value(index)})),
		{measure: 'languages', value: languagesOf(people, index)},
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
		createExportTable('totals', ['measure', 'value'], totals),
		counted('primary models', ['primary_model', 'days'], models, [
			{name: 'primary_model_tier', value: ({key}) => tiers.get(key)},
		]),
		counted('delegation', ['delegation_level', 'days'], levels),
		...(byModel ? [counted('credits by model', ['model_id', 'billable_tokens'], byModel)] : []),
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

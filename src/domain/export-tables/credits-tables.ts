import {compareTotals} from '../usage/comparison.ts';
import type {Credits} from '../usage/credits.ts';
import {createExportTable, type ExportTable} from './export-table.ts';
import {nameColumn, rankedTable, tableByDay, totalsTable} from './usage-tables.ts';

const totals = [
	['billable_tokens', 'total'],
	['input_tokens', 'input'],
	['output_tokens', 'output'],
	['cache_read_tokens', 'cacheRead'],
	['cache_write_tokens', 'cacheWrite'],
] as const;

/** Tables of the credits tab: by day and model, by model, by user. */
export function creditsTables(credits: Credits, before: Credits | undefined): ExportTable[] {
	const changes = new Map<string, number | undefined>(
		totals.map(([name, key]) => [name, compareTotals(credits[key], before?.[key]).change]),
	);
	return [
		byDay(credits),
		rankedTable(
			'by model',
			credits.models,
			[
				nameColumn('model_id'),
				{name: 'model_tier', value: ({key}) => credits.modelTiers.get(key ?? '')},
				{name: 'input_tokens', value: ({key}) => credits.modelTokens.get(key ?? '')?.input},
				{name: 'output_tokens', value: ({key}) => credits.modelTokens.get(key ?? '')?.output},
			],
			'billable_tokens',
		),
		rankedTable(
			'by user',
			credits.users,
			[
				nameColumn('user_id'),
				{name: 'user_email', value: ({key, label}) => (label === key ? undefined : label)},
			],
			'billable_tokens',
		),
		totalsTable(
			totals.map(([name, key]) => [name, credits[key].sum, before?.[key].sum]),
			name => changes.get(name),
		),
		tableByDay('tokens by day', [
			['input_tokens', credits.trends.input],
			['output_tokens', credits.trends.output],
			['cache_read_tokens', credits.trends.cacheRead],
			['cache_write_tokens', credits.trends.cacheWrite],
		]),
		byUserAndModel(credits),
	];
}

/** Credits per user and model, in the users' ranking order. */
function byUserAndModel({users, userModels}: Credits): ExportTable {
	const rows = users.entries.flatMap(({key, label}) =>
		[...(userModels.get(key) ?? [])]
			.sort(([, a], [, b]) => b - a)
			.map(([model, value]) => ({key, email: label === key ? undefined : label, model, value})),
	);
	return createExportTable(
		'by user and model',
		[
			{name: 'user_id', value: ({key}) => key},
			{name: 'user_email', value: ({email}) => email},
			{name: 'model_id', value: ({model}) => model},
			{name: 'billable_tokens', value: ({value}) => value},
		],
		rows,
	);
}

/** One column per model, so that each row sums to its day. */
function byDay({trend, modelTrends}: Credits): ExportTable {
	const models = [...modelTrends];
	const rows = trend.map(({date, value}, index) => {
		const parts = models.map(([model, points]) => ({model, value: points[index]?.value}));
		const named = parts.reduce((sum, part) => sum + (part.value ?? 0), 0);
		return {date, value, parts, unattributed: value === undefined ? undefined : value - named};
	});
	return createExportTable(
		'by day',
		[
			{name: 'date', value: ({date}) => date},
			{name: 'billable_tokens', value: ({value}) => value},
			...models.map(([model], index) => ({
				name: model,
				value: (row: (typeof rows)[number]) =>
					row.value === undefined ? undefined : (row.parts[index]?.value ?? 0),
			})),
			{name: 'unattributed', value: ({unattributed}) => unattributed},
		],
		rows,
		({date, value, parts, unattributed}) => ({
			date,
			billable_tokens: value ?? null,
			by_model: parts
				.filter(part => part.value !== undefined)
				.map(part => ({model_id: part.model, billable_tokens: part.value})),
			quarterdeck: {unattributed: unattributed ?? null},
		}),
	);
}

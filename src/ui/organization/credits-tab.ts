import {createExportTable, type ExportColumn, type ExportTable} from '../../domain/export-table.ts';
import {type DayPoint, layersOf} from '../../domain/usage/series.ts';
import {columnsOfTab, hasAny} from '../../state/organization/day-columns.ts';
import type {UsagePeriod} from '../../state/organization/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {dollars, exactNumber} from '../../text/values/numbers.ts';
import {type Cell, tableLines} from '../../text/values/table.ts';
import {breakdown, type Part} from './bar-sections.ts';
import {daysTable, inShort, type TabSpec} from './usage-tab.ts';

/** Models with a layer of their own. "Others" and "unattributed" are the other two of the chart's six. */
const maxLayers = 4;
const maxModels = 12;
/** In one column, only the first users, to leave room for the rest; the People tab lists all. */
const maxNarrowUsers = 10;

const tokens = {format: inShort, isWideOnly: true};
const isInTokens = ({credits}: UsagePeriod) => credits.tokens !== undefined;
const hasCredits = (period: UsagePeriod) => !isInTokens(period);
const hasCost = (period: UsagePeriod) => hasAny(period, 'cost_usd');

const tokenDays = columnsOfTab('credits').filter(({name}) => name !== 'billable_tokens');

export const creditsTab: TabSpec = {
	name: 'credits',
	figures: [
		{
			key: 'billable_tokens',
			label: safe`credits`,
			value: ({credits}) => credits.total,
			showsChange: true,
			isPresent: hasCredits,
		},
		{
			key: 'tokens',
			label: safe`tokens`,
			value: ({credits}) => credits.tokens?.total,
			showsChange: true,
			isPresent: isInTokens,
		},
		{key: 'input_tokens', label: safe`input tokens`, ...tokens},
		{key: 'output_tokens', label: safe`output`, ...tokens},
		{key: 'cache_read_tokens', label: safe`cache reads`, ...tokens},
		{key: 'cache_write_tokens', label: safe`cache writes`, ...tokens},
		{key: 'cost_usd', label: safe`cost, as reported`, format: dollars, isPresent: hasCost},
	],
	charts: ({credits: {tokens: inTokens, ...credits}}) => [
		{
			kind: 'stack',
			unit: inTokens ? safe`tokens` : safe`credits`,
			combine: 'sum',
			isCredits: inTokens === undefined,
			series: layersOf((inTokens ?? credits).trend, (inTokens ?? credits).modelTrends, maxLayers).map(
				({kind, name, points}) => [kind === 'name' ? cleanLine(name, 30) : cleanLine(kind), points] as const,
			),
		},
	],
	chartHeight: 0.34,
	leftShare: 0.55,
	sections: [
		breakdown({
			side: 'right',
			title: safe`By model`,
			of: ({credits}) => (credits.tokens ?? credits).models,
			table: period =>
				isInTokens(period)
					? ['tokens by model', 'model_id', 'tokens']
					: ['by model', 'model_id', 'billable_tokens'],
			details(period) {
				const {modelTiers, modelTokens} = period.credits;
				const tier: ExportColumn<Part> = {name: 'model_tier', value: ({key = ''}) => modelTiers.get(key)};
				const modelCost: ExportColumn<Part> = {
					name: 'cost_usd',
					value: ({key = ''}) => modelTokens.get(key)?.cost_usd,
				};
				return [
					...(isInTokens(period) ? [] : [tier]),
					{name: 'input_tokens', value: ({key = ''}) => modelTokens.get(key)?.input_tokens},
					{name: 'output_tokens', value: ({key = ''}) => modelTokens.get(key)?.output_tokens},
					...(isInTokens(period) ? [modelCost] : []),
				];
			},
			maxRows: maxModels,
		}),
		breakdown({
			side: 'left',
			title: safe`By user`,
			of: ({credits}) => (credits.tokens ?? credits).users,
			table: period =>
				isInTokens(period)
					? ['tokens by user', 'user_id', 'tokens']
					: ['by user', 'user_id', 'billable_tokens'],
			details: () => [{name: 'user_email', value: ({key, label}) => (label === key ? undefined : label)}],
			maxNarrowRows: maxNarrowUsers,
			countsUsers: true,
		}),
		{side: 'right', title: safe`Models`, lines: ({now}, {width}) => tokenLines(now, width)},
	],
	dayTable: modelsByDay,
	moreTables: period => [daysTable('tokens by day', tokenDays, period), byUserAndModel(period)],
};

function tokenLines(period: UsagePeriod, width: number): Line[] {
	const {models, modelTokens, modelTiers, tokens} = period.credits;
	const rows = (tokens?.models ?? models).entries.slice(0, maxModels).flatMap(({key, label}): Cell[][] => {
		const {input_tokens, output_tokens, cost_usd} = modelTokens.get(key) ?? {};
		const tier = modelTiers.get(key);
		if (tier === undefined && input_tokens === undefined && output_tokens === undefined) return [];
		return [
			[
				{text: cleanLine(label, 60)},
				{text: cleanLine(tier ?? '-', 40), tone: 'dim'},
				{text: exactNumber(input_tokens)},
				{text: exactNumber(output_tokens)},
				{text: dollars(cost_usd)},
			],
		];
	});
	if (rows.length === 0) return [];
	const columns = [
		{title: safe`MODEL`, grow: true},
		{title: safe`TIER`, max: 12},
		{title: safe`INPUT TOKENS`, align: 'end' as const},
		{title: safe`OUTPUT TOKENS`, align: 'end' as const},
		{title: safe`COST`, align: 'end' as const},
	];
	// Columns in which nothing is known are left out.
	const used = [...columns.keys()].filter(at => rows.some(row => row[at]?.text !== '-'));
	const pick = <Value>(values: readonly Value[]) => used.flatMap(at => values[at] ?? []);
	return tableLines(pick(columns), rows.map(pick), {width});
}

function modelsByDay({credits}: UsagePeriod): ExportTable {
	const models = [...credits.modelTrends];
	return createExportTable(
		'by day',
		[
			'date',
			{name: 'billable_tokens', value: ({value}) => value},
			...models.map(([model]) => ({name: model, value: (day: ModelsOfDay) => day.parts.get(model)})),
			{
				name: 'unattributed',
				value: ({value, parts}) => value && value - [...parts.values()].reduce((sum, part) => sum + part, 0),
			},
		],
		credits.trend.map(({date, value}, day): ModelsOfDay => {
			// On a known day, a model without a value wasn't used.
			const known = value === undefined ? [] : models;
			return {date, value, parts: new Map(known.map(([model, points]) => [model, points[day]?.value ?? 0]))};
		}),
	);
}

type ModelsOfDay = DayPoint & {readonly parts: ReadonlyMap<string, number>};

/** Credits per user and model, in the users' ranking order. */
function byUserAndModel({credits}: UsagePeriod): ExportTable {
	const rows = credits.users.entries.flatMap(({key, label}) =>
		[...(credits.userModels.get(key) ?? [])]
			.sort(([, a], [, b]) => b - a)
			.map(([model, value]) => ({
				user_id: key,
				user_email: label === key ? undefined : label,
				model_id: model,
				billable_tokens: value,
			})),
	);
	return createExportTable(
		'by user and model',
		['user_id', 'user_email', 'model_id', 'billable_tokens'],
		rows,
	);
}

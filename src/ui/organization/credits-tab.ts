import {compareTotals} from '../../domain/usage/comparison.ts';
import type {Credits} from '../../domain/usage/credits.ts';
import {layersOf} from '../../domain/usage/layers.ts';
import type {UsageData} from '../../state/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {type Cell, tableLines} from '../../text/values/table.ts';
import {dayTable} from './day-table.ts';
import {type Page, type PageSize, section, textPage} from './page.ts';
import {tabBlocks} from './tab-blocks.ts';
import {dayStack} from './tab-charts.ts';
import {unusualElsewhere, unusualLines} from './unusual-lines.ts';
import {
	changeText,
	comparedRangeText,
	figure,
	figureLines,
	rankedBars,
	remarks,
	restText,
	unknownDays,
} from './usage-words.ts';

/** Models with their own layer; with "others" and "unattributed" they use up the chart's six. */
const maxLayers = 4;
const maxModels = 12;
const fewUsers = 10;
/** Width, in columns, from which the compared range is named. */
const minComparisonWidth = 60;

/** The Credits tab: usage by model and by user, its trend, and unusual days. */
export function creditsTab(data: UsageData, back: number, size: PageSize): Page {
	const {credits} = data.now;
	const {width} = size;
	const {isWide, left, right, beside, chart} = tabBlocks(size, 0.55);
	const compared = compareTotals(credits.total, data.before?.credits.total);
	const head: Line[] = [
		...figureLines(
			[
				[
					...figure(credits.total.sum, safe`credits  `),
					changeText(compared.change),
					...(width >= minComparisonWidth ? comparedRangeText(data.before?.range) : []),
				],
				...(isWide
					? [
							figure(credits.input.sum, safe`input tokens`, true),
							figure(credits.output.sum, safe`output`, true),
							figure(credits.cacheRead.sum, safe`from cache`, true),
							figure(credits.cacheWrite.sum, safe`to cache`, true),
						]
					: []),
			],
			width,
		),
		unknownDays(credits.trend),
		...dayStack(
			layersOf(credits.trend, credits.modelTrends, maxLayers).map(
				({kind, name, points}) => [kind === 'name' ? cleanLine(name, 30) : cleanLine(kind), points] as const,
			),
			safe`credits`,
			chart(0.34, back),
		),
		[],
	];
	// In one column, list only the first few users to leave room for the rest; the People tab lists all.
	const maxRows = isWide ? undefined : fewUsers;
	const users = section(
		safe`By user`,
		rankedBars(credits.users, {...size, width: left}, maxRows),
		remarks(
			safe`${credits.users.entries.length} ${credits.users.entries.length === 1 ? safe`user` : safe`users`}`,
			restText(credits.users, maxRows),
		),
		left,
	);
	const models = section(
		safe`By model`,
		rankedBars(credits.models, {...size, width: right}, maxModels),
		restText(credits.models, maxModels),
		right,
	);
	const unusual = [...unusualLines(data, 'credits', right), ...unusualElsewhere(data, 'credits', right)];
	return textPage([], head, [
		...(isWide
			? beside(users, [...models, ...unusual, ...tokenLines(credits, right)])
			: [...models, ...users, ...unusual, ...tokenLines(credits, right)]),
		...dayTable(
			[
				[safe`CREDITS`, credits.trend],
				[safe`INPUT`, credits.trends.input],
				[safe`OUTPUT`, credits.trends.output],
				[safe`FROM CACHE`, credits.trends.cacheRead],
				[safe`TO CACHE`, credits.trends.cacheWrite],
			],
			width,
		),
	]);
}

/** Tiers and raw tokens of the models that report them. */
function tokenLines({models, modelTokens, modelTiers}: Credits, width: number): Line[] {
	const listed = models.entries.slice(0, maxModels).flatMap(({key, label}) => {
		const tokens = modelTokens.get(key);
		const tier = modelTiers.get(key);
		const hasDetails = tier !== undefined || tokens?.input !== undefined || tokens?.output !== undefined;
		return hasDetails ? [{label, tier, ...tokens}] : [];
	});
	if (listed.length === 0) return [];
	const columns = [
		{title: safe`MODEL`, grow: true},
		{title: safe`TIER`, max: 12},
		{title: safe`INPUT TOKENS`, align: 'end' as const},
		{title: safe`OUTPUT TOKENS`, align: 'end' as const},
	];
	const rows = listed.map(({label, tier, input, output}): Cell[] => [
		{text: cleanLine(label, 60)},
		{text: cleanLine(tier ?? '-', 40), tone: 'dim'},
		{text: exactNumber(input)},
		{text: exactNumber(output)},
	]);
	return section(safe`Models`, tableLines(columns, rows, {width}));
}

import {compareTotals} from '../../domain/usage/comparison.ts';
import {layersOf} from '../../domain/usage/layers.ts';
import type {UsageData} from '../../state/organization.ts';
import {cleanLine} from '../../text/clean.ts';
import type {Line} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {type Page, type PageSize, section, textPage} from './page.ts';
import {tabBlocks} from './tab-blocks.ts';
import {dayStack} from './tab-charts.ts';
import {unusualElsewhere, unusualLines} from './unusual-lines.ts';
import {
	changeWords,
	figure,
	figureLines,
	rankedBars,
	remarks,
	restWords,
	than,
	unknownDays,
} from './usage-words.ts';

/** Models with a layer of their own: with the others and the unattributed they fill the kit's six. */
const mostLayers = 4;
const mostModels = 12;
const fewUsers = 10;
/** Columns from which on it is told what is compared. */
const leastComparison = 60;

/** What was used, by model and by user; whether it rises, and what is unusual. */
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
					changeWords(compared.change),
					...(width >= leastComparison ? than(data.before?.range) : []),
				],
				...(isWide
					? [
							figure(credits.input.sum, safe`input tokens`, true),
							figure(credits.output.sum, safe`output`, true),
							figure(credits.cacheRead.sum, safe`from cache`, true),
						]
					: []),
			],
			width,
		),
		unknownDays(credits.trend),
		...dayStack(
			layersOf(credits.trend, credits.modelTrends, mostLayers).map(
				({kind, name, points}) => [kind === 'name' ? cleanLine(name, 30) : cleanLine(kind), points] as const,
			),
			safe`credits`,
			chart(0.34, back),
		),
		[],
	];
	// Where all stands in one column, the first few users leave room for what else there is: the people tab has them all.
	const most = isWide ? undefined : fewUsers;
	const users = section(
		safe`By user`,
		rankedBars(credits.users, {...size, width: left}, most),
		remarks(
			safe`${credits.users.entries.length} ${credits.users.entries.length === 1 ? safe`user` : safe`users`}`,
			restWords(credits.users, most),
		),
		left,
	);
	const models = section(
		safe`By model`,
		rankedBars(credits.models, {...size, width: right}, mostModels),
		restWords(credits.models, mostModels),
		right,
	);
	const unusual = [...unusualLines(data, 'credits', right), ...unusualElsewhere(data, 'credits', right)];
	return textPage(
		[],
		head,
		isWide ? beside(users, [...models, ...unusual]) : [...models, ...users, ...unusual],
	);
}

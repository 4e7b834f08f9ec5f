import {compareTotals, growth} from '../../domain/usage/comparison.ts';
import type {Efficiency} from '../../domain/usage/efficiency.ts';
import type {OutputMeasure} from '../../domain/usage/output.ts';
import {dayCount} from '../../domain/usage/range.ts';
import type {UsageData, UsagePeriod} from '../../state/organization.ts';
import type {Line} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {type Cell, tableLines} from '../../text/values/table.ts';
import {dimLines, type Page, type PageSize, section, textPage} from './page.ts';
import {tabBlocks} from './tab-blocks.ts';
import {dayLines, dayStack} from './tab-charts.ts';
import {unusualLines} from './unusual-lines.ts';
import {
	changeText,
	figure,
	figureLines,
	rankedBars,
	restText,
	sharedLabels,
	unknownDays,
} from './usage-words.ts';

const maxNames = 20;

const costs = [
	['creditsPerSession', safe`credits per session`],
	['creditsPerUserMessage', safe`credits per user message`],
	['creditsPerFile', safe`credits per file`],
	['creditsPerCommit', safe`credits per commit`],
	['creditsPerPullRequest', safe`credits per pull request`],
	['cacheReadPerInput', safe`cached tokens per input token`],
	['outputPerInput', safe`output tokens per input token`],
] as const satisfies readonly (readonly [keyof Efficiency, Safe])[];

/** The Output tab: files, commits and pull requests, their languages, and their cost. */
export function outputTab(data: UsageData, back: number, size: PageSize): Page {
	const {now, before} = data;
	const {output} = now;
	const {width} = size;
	const {isWide, left, right, hasTwoCharts, beside, chart} = tabBlocks(size);
	const place = chart(hasTwoCharts ? 0.28 : 0.18, back, hasTwoCharts);
	const totalLine = (measure: OutputMeasure, past: OutputMeasure | undefined, name: Safe): Line => [
		...figure(measure.total.sum, safe`${name} `),
		changeText(compareTotals(measure.total, past?.total).change),
	];
	// Created and edited files can be added up; commits and pull requests can't be added to them.
	const files = dayStack(
		[
			[safe`edited`, output.filesEdited.trend],
			[safe`created`, output.filesCreated.trend],
		],
		safe`files`,
		place,
	);
	const commits = dayLines(
		safe`commits and pull requests`,
		[
			[safe`commits`, output.commits.trend],
			[safe`pull requests`, output.pullRequests.trend],
		],
		'sum',
		place,
	);
	const head: Line[] = [
		...figureLines(
			[
				totalLine(output.filesCreated, before?.output.filesCreated, safe`files created`),
				totalLine(output.filesEdited, before?.output.filesEdited, safe`edited`),
				totalLine(output.commits, before?.output.commits, safe`commits`),
				totalLine(output.pullRequests, before?.output.pullRequests, safe`pull requests`),
			],
			width,
		),
		[...unknownDays(output.filesEdited.trend)],
		...(hasTwoCharts ? beside(files, commits) : files),
		[],
	];
	const cost = section(
		safe`Efficiency`,
		costLines(now, before, left),
		safe`over days that have both values`,
		left,
	);
	const unusual = unusualLines(data, 'output', left);
	const labelColumns = sharedLabels(output.languages.entries, output.extensions.entries);
	const names = {...size, width: right, labelColumns};
	const made = [
		...section(
			safe`Languages`,
			rankedBars(output.languages, names, maxNames),
			restText(output.languages, maxNames),
			right,
		),
		...section(
			safe`Extensions`,
			rankedBars(output.extensions, names, maxNames),
			restText(output.extensions, maxNames),
			right,
		),
	];
	return textPage([], head, [
		...(hasTwoCharts ? [] : [...commits, []]),
		...(isWide ? beside([...cost, ...unusual], made) : [...cost, ...made, ...unusual]),
	]);
}

function costLines({efficiency}: UsagePeriod, before: UsagePeriod | undefined, width: number): Line[] {
	const rows = costs.map(([key, name]): Cell[] => {
		const change = changeText(growth(efficiency[key].value, before?.efficiency[key].value));
		return [{text: name, tone: 'dim'}, {text: exactNumber(efficiency[key].value), tone: 'strong'}, change];
	});
	return [
		...tableLines([{title: safe``, grow: true}, {title: safe``, align: 'end'}, {title: safe``}], rows, {
			width,
			hasHeading: false,
		}),
		...(before ? dimLines(safe`Changes vs the previous ${dayCount(before.range)} days`, width) : []),
	];
}

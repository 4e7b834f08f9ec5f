import {autonomyLevels, type Percentile} from '../../domain/usage/autonomy.ts';
import {growth} from '../../domain/usage/comparison.ts';
import type {UsageData} from '../../state/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {type Cell, tableLines} from '../../text/values/table.ts';
import {dimLines, type Page, type PageSize, section, textPage} from './page.ts';
import {tabBlocks} from './tab-blocks.ts';
import {dayLines} from './tab-charts.ts';
import {unusualLines} from './unusual-lines.ts';
import {changeText, comparedRangeText, figure, figureLines, listBars, unknownDays} from './usage-words.ts';

/** The Autonomy tab: tool calls per user turn, and by autonomy level. */
export function autonomyTab(data: UsageData, back: number, size: PageSize): Page {
	const {now, before} = data;
	const {ratio, trend, median, ninetieth, toolCallsPerSession, turnsPerSession, levels} = now.autonomy;
	const {width} = size;
	const {isWide, left, right, beside, chart} = tabBlocks(size);
	const head: Line[] = [
		...figureLines(
			[
				[
					...figure(ratio.value, safe`tool calls per user turn  `),
					changeText(growth(ratio.value, before?.autonomy.ratio.value)),
					...(isWide ? comparedRangeText(before?.range) : []),
				],
				figure(toolCallsPerSession.value, safe`per session`),
				figure(turnsPerSession.value, safe`turns per session`),
			],
			width,
		),
		unknownDays(trend),
		...dayLines(
			safe`tool calls per user turn`,
			[
				[safe`mean`, trend],
				[safe`median`, median.trend],
				[safe`90th percentile`, ninetieth.trend],
			],
			'last',
			chart(0.32, back),
		),
		[],
	];
	const byLevel = section(
		safe`By level`,
		listBars(
			autonomyLevels.map(level => ({
				label: cleanLine(level.replace('_', '-')),
				value: levels[level].value === undefined ? undefined : levels[level].value * 100,
			})),
			{...size, width: left},
		),
		safe`% of tool calls, weighted by each day's calls`,
		left,
	);
	const percentiles = section(safe`Percentiles`, [
		...tableLines(
			[
				{title: safe`PER USER TURN`},
				{title: safe`CALLS`, align: 'end'},
				{title: safe`ON`},
				{title: safe`LOWEST`, align: 'end'},
				{title: safe`HIGHEST`, align: 'end'},
			],
			[percentileRow(safe`median`, median), percentileRow(safe`90th`, ninetieth)],
			{width: left},
		),
		...dimLines(safe`Daily values: percentiles can't be averaged over days`, left),
	]);
	const unusual = unusualLines(data, 'autonomy', right);
	return textPage(
		[],
		head,
		isWide ? beside([...byLevel, ...percentiles], unusual) : [...byLevel, ...percentiles, ...unusual],
	);
}

function percentileRow(name: Safe, {latest, lowest, highest}: Percentile): Cell[] {
	return [
		{text: name},
		{text: exactNumber(latest?.value), tone: 'strong'},
		{text: latest ? cleanLine(latest.date) : safe`unknown`, tone: 'dim'},
		{text: exactNumber(lowest)},
		{text: exactNumber(highest)},
	];
}

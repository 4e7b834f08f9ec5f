import {autonomyLevels, type Percentile} from '../../domain/usage/autonomy.ts';
import {growth} from '../../domain/usage/comparison.ts';
import type {UsageData} from '../../state/organization.ts';
import {barList} from '../../text/charts/bar-list.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, span} from '../../text/line.ts';
import {exactNumber} from '../../text/numbers.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {than} from './credits-tab.ts';
import {beside, type Page, type PageSize, section, textPage} from './page.ts';
import {dayLines} from './tab-charts.ts';
import {changeWords, figure, figures, unknownDays} from './usage-words.ts';

const wide = 110;

/** How much is delegated: tool calls a user turn, and at which level. */
export function autonomyTab({now, before}: UsageData, back: number, {width, height}: PageSize): Page {
	const {ratio, trend, median, ninetieth, toolCallsPerSession, turnsPerSession, levels} = now.autonomy;
	const isWide = width >= wide;
	const left = isWide ? Math.floor(width / 2) : width;
	const place = {width: width - 2, height: Math.max(3, Math.min(14, Math.floor(height * 0.32))), back};
	const change = growth(ratio.value, before?.autonomy.ratio.value);
	const head: Line[] = [
		[
			...figures([
				[
					...figure(ratio.value, safe`tool calls a user turn  `),
					changeWords(change),
					...(isWide ? than(before?.range) : []),
				],
				figure(toolCallsPerSession.value, safe`a session`),
				figure(turnsPerSession.value, safe`turns a session`),
			]),
		],
		unknownDays(trend),
		...dayLines(
			[
				[safe`mean`, trend],
				[safe`median`, median.trend],
				[safe`90th percentile`, ninetieth.trend],
			],
			'last',
			place,
		),
		[],
	];
	const byLevel = section(
		safe`By level`,
		barList(
			autonomyLevels.map(level => ({
				label: cleanLine(level.replace('_', '-')),
				value: levels[level].value === undefined ? undefined : levels[level].value * 100,
			})),
			{width: left - 2},
		),
		safe`percent of tool calls, weighted by each day's calls`,
	);
	const percentiles = section(safe`Percentiles`, [
		percentileLine(safe`median`, median),
		percentileLine(safe`90th`, ninetieth),
		[span(safe`Of single days: percentiles of several days have no mean`, 'dim')],
	]);
	return textPage([], head, isWide ? beside(byLevel, percentiles, left) : [...byLevel, ...percentiles]);
}

function percentileLine(name: Safe, {latest, lowest, highest}: Percentile): Line {
	return [
		span(safe`${name}  `),
		span(exactNumber(latest?.value), 'strong'),
		span(
			safe` ${latest ? safe`on ${cleanLine(latest.date)}` : safe`unknown`}, from ${exactNumber(lowest)} to ${exactNumber(highest)}`,
			'dim',
		),
	];
}

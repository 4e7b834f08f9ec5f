import {compareTotals, growth} from '../../domain/usage/comparison.ts';
import type {Efficiency} from '../../domain/usage/efficiency.ts';
import type {OutputMeasure} from '../../domain/usage/output.ts';
import type {UsageData} from '../../state/organization.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {exactNumber} from '../../text/numbers.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {beside, type Page, type PageSize, section, textPage} from './page.ts';
import {dayStack} from './tab-charts.ts';
import {changeWords, figure, figures, rankedBars, restWords, unknownDays} from './usage-words.ts';

const wide = 110;

const costs = [
	['creditsPerSession', safe`credits a session`],
	['creditsPerUserMessage', safe`credits a user message`],
	['creditsPerFile', safe`credits a file`],
	['creditsPerCommit', safe`credits a commit`],
	['creditsPerPullRequest', safe`credits a pull request`],
	['cacheReadPerInput', safe`tokens from cache per input token`],
	['outputPerInput', safe`output tokens per input token`],
] as const satisfies readonly (readonly [keyof Efficiency, Safe])[];

/** What comes out, in which languages, and what it costs. */
export function outputTab({now, before}: UsageData, back: number, {width, height}: PageSize): Page {
	const {output, efficiency} = now;
	const isWide = width >= wide;
	const left = isWide ? Math.floor(width / 2) : width;
	const place = {width: width - 2, height: Math.max(3, Math.min(12, Math.floor(height * 0.28))), back};
	const told = (measure: OutputMeasure, past: OutputMeasure | undefined, name: Safe): Line => [
		...figure(measure.total.sum, safe`${name} `),
		changeWords(compareTotals(measure.total, past?.total).change),
	];
	const head: Line[] = [
		figures([
			told(output.filesCreated, before?.output.filesCreated, safe`files created`),
			told(output.filesEdited, before?.output.filesEdited, safe`edited`),
		]),
		[
			...figures([
				told(output.commits, before?.output.commits, safe`commits`),
				told(output.pullRequests, before?.output.pullRequests, safe`pull requests`),
			]),
		],
		unknownDays(output.filesEdited.trend),
		...dayStack(
			[
				[safe`files edited`, output.filesEdited.trend],
				[safe`created`, output.filesCreated.trend],
				[safe`commits`, output.commits.trend],
				[safe`pull requests`, output.pullRequests.trend],
			],
			safe`in all`,
			place,
		),
		[],
	];
	const cost = section(
		safe`Efficiency`,
		costs.map(
			([key, name]): Line => [
				span(pad(exactNumber(efficiency[key].value), 12, 'end'), 'strong'),
				span(safe`  ${pad(name, 34)}`, 'dim'),
				changeWords(growth(efficiency[key].value, before?.efficiency[key].value)),
			],
		),
		safe`each over the days that tell both sides`,
	);
	const column = isWide ? width - left : width;
	const made = [
		...section(safe`Languages`, rankedBars(output.languages, column, 20), restWords(output.languages, 20)),
		...section(safe`Extensions`, rankedBars(output.extensions, column, 20), restWords(output.extensions, 20)),
	];
	return textPage([], head, isWide ? beside(cost, made, left) : [...cost, ...made]);
}

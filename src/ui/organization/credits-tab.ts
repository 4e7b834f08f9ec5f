import {compareTotals} from '../../domain/usage/comparison.ts';
import type {Credits} from '../../domain/usage/credits.ts';
import {type DayRange, dayCount} from '../../domain/usage/range.ts';
import type {DayPoint} from '../../domain/usage/series.ts';
import type {UsageData} from '../../state/organization.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, span} from '../../text/line.ts';
import {exactNumber, signedPercent} from '../../text/numbers.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {beside, type Page, type PageSize, section, textPage} from './page.ts';
import {dayStack} from './tab-charts.ts';
import {changeWords, figure, figures, rankedBars, restWords, unknownDays} from './usage-words.ts';

const mostModels = 4;
const fewUsers = 10;
const wide = 110;

/** What was used, by model and by user; whether it rises, and what is unusual. */
export function creditsTab(data: UsageData, back: number, {width, height}: PageSize): Page {
	const {now, before} = data;
	const {credits} = now;
	const isWide = width >= wide;
	const left = isWide ? Math.floor(width * 0.6) : width;
	const place = {width: width - 2, height: Math.max(3, Math.min(16, Math.floor(height * 0.34))), back};
	const compared = compareTotals(credits.total, before?.credits.total);
	const head: Line[] = [
		[
			...figures([
				[...figure(credits.total.sum, safe`credits  `), changeWords(compared.change), ...than(before?.range)],
				...(isWide
					? [
							figure(credits.input.sum, safe`input tokens`, true),
							figure(credits.output.sum, safe`output`, true),
							figure(credits.cacheRead.sum, safe`read from cache`, true),
						]
					: []),
			]),
		],
		unknownDays(credits.trend),
		...dayStack(layersOf(credits), safe`credits`, place),
		[],
	];
	// Where all stands in one column, the first few users leave room for what else there is: the people tab has them all.
	const most = isWide ? undefined : fewUsers;
	const users = section(
		safe`By user`,
		rankedBars(credits.users, isWide ? left - 2 : width, most),
		joined(safe`${credits.users.entries.length} users`, restWords(credits.users, most)),
	);
	const models = section(
		safe`By model`,
		rankedBars(credits.models, isWide ? width - left : width, 12),
		restWords(credits.models, 12),
	);
	const unusual = unusualLines(data);
	return textPage(
		[],
		head,
		isWide ? beside(users, [...models, ...unusual], left) : [...models, ...users, ...unusual],
	);
}

/** Layers of the chart: the models used most, the others, and what no model is named for. */
function layersOf({trend, models, modelTrends}: Credits): (readonly [Safe, readonly DayPoint[]])[] {
	const all = models.entries.map(
		({key, label}) => [cleanLine(label, 30), modelTrends.get(key) ?? []] as const,
	);
	const rest = all.slice(mostModels).map(([, points]) => points);
	const sum = (lists: readonly (readonly DayPoint[])[], index: number) =>
		lists.reduce<number>((whole, points) => whole + (points[index]?.value ?? 0), 0);
	const isTold = (index: number) => trend[index]?.value !== undefined;
	const told = (value: (index: number) => number) =>
		trend.map(({date}, index) => ({date, value: isTold(index) ? value(index) : undefined}));
	const lists = all.map(([, points]) => points);
	return [
		...all
			.slice(0, mostModels)
			.map(([label, points]) => [label, told(index => points[index]?.value ?? 0)] as const),
		...(rest.length > 0 ? [[safe`others`, told(index => sum(rest, index))] as const] : []),
		...(models.unattributed > 0 || all.length === 0
			? [
					[
						all.length === 0 ? safe`all models` : safe`unattributed`,
						told(index => Math.max(0, (trend[index]?.value ?? 0) - sum(lists, index))),
					] as const,
				]
			: []),
	];
}

/** Two remarks, of which there may be one. */
function joined(first: Safe, second: Safe): Safe {
	return second === '' ? first : safe`${first}, ${second}`;
}

/** `than in the 28 days before`. */
export function than(range: DayRange | undefined): Line {
	return range ? [span(safe` than in the ${dayCount(range)} days before`, 'dim')] : [];
}

function unusualLines({unusual, movers, before}: UsageData): Line[] {
	const days = unusual
		.slice(0, 5)
		.map(
			({date, value, usual}): Line => [
				span(value > usual ? safe`▲ ` : safe`▼ `, 'warn'),
				span(safe`${cleanLine(date)}  `),
				span(exactNumber(value), 'strong'),
				span(safe`  usual for its weekday ${exactNumber(usual)}`, 'dim'),
			],
		);
	const moved = movers
		.slice(0, 8)
		.map(
			({label, kind, now, before: was, change}): Line => [
				span(kind === 'up' || kind === 'new' ? safe`▲ ` : safe`▼ `, 'info'),
				span(safe`${cleanLine(label, 60)}  `),
				span(
					kind === 'new' || kind === 'gone'
						? safe`${kind === 'new' ? safe`new` : safe`gone`}`
						: signedPercent(change),
					'strong',
				),
				span(safe`  ${exactNumber(now)} after ${exactNumber(was)}`, 'dim'),
			],
		);
	const none: Line[] = [[span(safe`No day stands out from its weekday of the weeks before`, 'dim')]];
	const still: Line[] = [
		[
			span(
				before ? safe`No model or user moved much` : safe`The history does not reach back that far`,
				'dim',
			),
		],
	];
	return [
		...section(safe`Unusual days`, days.length > 0 ? days : none),
		...section(safe`Moved most`, moved.length > 0 ? moved : still),
	];
}

import {growth} from '../../domain/usage/comparison.ts';
import {weekdayMeans} from '../../domain/usage/weekdays.ts';
import type {UsageData} from '../../state/organization.ts';
import {barList} from '../../text/charts/bar-list.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, span} from '../../text/line.ts';
import {percent} from '../../text/numbers.ts';
import {safe} from '../../text/safe.ts';
import {than} from './credits-tab.ts';
import {beside, type Page, type PageSize, section, textPage} from './page.ts';
import {dayBars, dayLines} from './tab-charts.ts';
import {changeWords, figure, figures, unknownDays} from './usage-words.ts';

const wide = 110;

/** Who is active: by day, week and month, by client, on which weekdays. */
export function adoptionTab({now, before}: UsageData, back: number, {width, height}: PageSize): Page {
	const {daily, weekly, monthly, latest, meanDaily, clients} = now.adoption;
	const isWide = width >= wide;
	const left = isWide ? Math.floor(width / 2) : width;
	const place = {width: left - 2, height: Math.max(3, Math.min(14, Math.floor(height * 0.3))), back};
	const change = growth(meanDaily, before?.adoption.meanDaily);
	const both = [
		[safe`weekly`, weekly],
		[safe`monthly`, monthly],
	] as const;
	const charts = isWide
		? beside(dayBars(daily, safe`active users that day`, 'mean', place), dayLines(both, 'last', place), left)
		: dayLines([[safe`daily`, daily], ...both], 'last', place);
	const head: Line[] = [
		[
			...figures([
				[
					...figure(
						meanDaily === undefined ? undefined : Math.round(meanDaily * 10) / 10,
						safe`active a day (mean)  `,
					),
					changeWords(change),
					...(isWide ? than(before?.range) : []),
				],
				figure(latest.weekly?.value, safe`weekly`),
				figure(latest.monthly?.value, safe`monthly`),
				[span(percent(latest.stickiness?.value), 'strong'), span(safe` stickiness`, 'dim')],
			]),
		],
		unknownDays(daily),
		...charts,
		[],
	];
	const byClient = section(
		safe`By client`,
		barList(
			clients.map(({client, meanDaily: value, share}) => ({
				label: cleanLine(client, 40),
				value: Math.round(value * 100) / 100,
				share,
			})),
			{width: left - 2},
		),
		safe`mean users a day; who uses two counts in both`,
	);
	const weekdays = section(
		safe`By weekday (UTC)`,
		barList(
			weekdayMeans(daily).map(({weekday, mean}) => ({
				label: cleanLine(weekday),
				value: mean === undefined ? undefined : Math.round(mean * 100) / 100,
			})),
			{width: isWide ? width - left : width},
		),
		safe`mean users`,
	);
	return textPage([], head, isWide ? beside(byClient, weekdays, left) : [...byClient, ...weekdays]);
}

import {analyticsStart} from '../../domain/limits.ts';
import {growth} from '../../domain/usage/comparison.ts';
import type {Membership} from '../../domain/usage/membership.ts';
import {type DayRange, wholeMonthlyFrom, wholeWeeklyFrom} from '../../domain/usage/range.ts';
import {totalOf} from '../../domain/usage/series.ts';
import {weekdayMeans} from '../../domain/usage/weekdays.ts';
import type {KeyMap} from '../../keys/key-map.ts';
import type {UsageData} from '../../state/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {percent} from '../../text/values/numbers.ts';
import {dayTable} from './day-table.ts';
import {dimLines, type Page, type PageSize, section, textPage} from './page.ts';
import {tabBlocks} from './tab-blocks.ts';
import {dayBars, dayLines} from './tab-charts.ts';
import {unusualLines} from './unusual-lines.ts';
import {changeText, comparedRangeText, figure, figureLines, listBars, unknownDays} from './usage-words.ts';

/** The Adoption tab: active users by day, week, month, client and weekday, and who is inactive or new. */
export function adoptionTab(
	data: UsageData,
	back: number,
	size: PageSize,
	membership: Membership | undefined,
	label: KeyMap['label'],
): Page {
	const {now, before} = data;
	const {daily, weekly, monthly, latest, meanDaily, clients} = now.adoption;
	const {sessions, messages, userMessages} = now.adoption;
	const {width} = size;
	const {isWide, left, right, hasTwoCharts, beside, chart} = tabBlocks(size);
	const place = chart(hasTwoCharts ? 0.3 : 0.2, back, hasTwoCharts);
	const bars = dayBars(daily, safe`active users that day`, 'mean', place);
	const lines = dayLines(
		safe`active users`,
		[
			[safe`weekly`, weekly],
			[safe`monthly`, monthly],
		],
		'last',
		place,
	);
	const head: Line[] = [
		...figureLines(
			[
				[
					...figure(
						meanDaily === undefined ? undefined : Math.round(meanDaily * 10) / 10,
						safe`active per day (mean)  `,
					),
					changeText(growth(meanDaily, before?.adoption.meanDaily)),
					...(isWide ? comparedRangeText(before?.range) : []),
				],
				figure(latest.weekly?.value, safe`weekly`),
				figure(latest.monthly?.value, safe`monthly`),
				[span(percent(latest.stickiness?.value), 'strong'), span(safe` stickiness`, 'dim')],
				figure(totalOf(sessions).sum, safe`sessions`),
				figure(totalOf(messages).sum, safe`messages`),
				figure(totalOf(userMessages).sum, safe`of them users'`),
			],
			width,
		),
		unknownDays(daily),
		...historyLines(now.range, width),
		...(hasTwoCharts ? beside(bars, lines) : bars),
		[],
	];
	const byClient = section(
		safe`By client`,
		listBars(
			clients.map(({client, meanDaily: value, share}) => ({
				label: cleanLine(client, 40),
				value: Math.round(value * 100) / 100,
				share,
			})),
			{...size, width: left},
		),
		safe`mean users per day; users of two clients count in both`,
		left,
	);
	const weekdays = section(
		safe`By weekday (UTC)`,
		listBars(
			weekdayMeans(daily).map(({weekday, mean}) => ({
				label: cleanLine(weekday),
				value: mean === undefined ? undefined : Math.round(mean * 100) / 100,
			})),
			{...size, width: right},
		),
		safe`mean users`,
		right,
	);
	const unusual = unusualLines(data, 'adoption', right);
	const who = section(safe`People`, peopleLines(membership, left, label));
	return textPage([], head, [
		...(hasTwoCharts ? [] : [...lines, []]),
		...(isWide
			? beside([...byClient, ...who], [...weekdays, ...unusual])
			: [...byClient, ...weekdays, ...who, ...unusual]),
		...dayTable(
			[
				[safe`ACTIVE`, daily],
				[safe`WEEKLY`, weekly],
				[safe`MONTHLY`, monthly],
				[safe`SESSIONS`, sessions],
				[safe`MESSAGES`, messages],
				[safe`USERS'`, userMessages],
			],
			width,
		),
	]);
}

/** Explains why weekly and monthly active users are missing for the first recorded days. */
function historyLines({startDate}: DayRange, width: number): Line[] {
	if (startDate >= wholeMonthlyFrom) return [];
	const weekly = cleanLine(wholeWeeklyFrom);
	const monthly = cleanLine(wholeMonthlyFrom);
	return dimLines(
		safe`The history starts on ${cleanLine(analyticsStart)}: weekly active users are complete from ${weekly}, monthly from ${monthly}`,
		width,
	);
}

/** Inactive and new people; known once this range's people and the users have been read. */
function peopleLines(membership: Membership | undefined, width: number, label: KeyMap['label']): Line[] {
	const [people, group] = [label('tab-people'), label('people-group')];
	if (!membership)
		return dimLines(
			safe`${people} lists who was active; ${group} switches to inactive and new people`,
			width,
		);
	const {inactive, joined, unlisted} = membership;
	return [
		...figureLines(
			[
				figure(inactive.length, safe`inactive`),
				figure(joined.length, safe`new`),
				figure(unlisted.length, safe`not in the user list`),
			],
			width,
		),
		...dimLines(safe`${people}, then ${group}, lists their names`, width),
	];
}

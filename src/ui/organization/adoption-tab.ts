import {createExportTable} from '../../domain/export-tables/export-table.ts';
import {analyticsStart} from '../../domain/limits.ts';
import {wholeMonthlyFrom, wholeWeeklyFrom} from '../../domain/usage/range.ts';
import {totalOf} from '../../domain/usage/series.ts';
import {weekdayMeans} from '../../domain/usage/weekdays.ts';
import type {UsagePeriod} from '../../state/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {percent} from '../../text/values/numbers.ts';
import {dimLines, figure, figureLines} from './page.ts';
import {listBars} from './tab-blocks.ts';
import {unusualLines} from './unusual-lines.ts';
import {type TabBlock, type TabSpec, toTenths} from './usage-tab.ts';

/** The Adoption tab: active users by day, week, month, client and weekday, and who is inactive or new. */
export const adoptionTab: TabSpec = {
	// Active users are never summed over days: their figures are the mean, and the last known day.
	figures: [
		{
			key: 'mean_daily_active_users',
			label: safe`active per day (mean)`,
			value: ({adoption}) => adoption.meanDaily,
			format: toTenths,
			showsChange: true,
		},
		{key: 'weekly_active_users', label: safe`weekly`, value: ({adoption}) => adoption.latest.weekly?.value},
		{
			key: 'monthly_active_users',
			label: safe`monthly`,
			value: ({adoption}) => adoption.latest.monthly?.value,
		},
		{
			key: 'stickiness',
			label: safe`stickiness`,
			value: ({adoption}) => adoption.latest.stickiness?.value,
			format: percent,
		},
		{key: 'sessions', label: safe`sessions`, value: ({adoption}) => totalOf(adoption.sessions).sum},
		{key: 'messages', label: safe`messages`, value: ({adoption}) => totalOf(adoption.messages).sum},
		{
			key: 'user_messages',
			label: safe`user turns`,
			value: ({adoption}) => totalOf(adoption.userMessages).sum,
		},
	],
	days: [
		{key: 'daily_active_users', title: safe`ACTIVE`, points: ({adoption}) => adoption.daily},
		{key: 'weekly_active_users', title: safe`WEEKLY`, points: ({adoption}) => adoption.weekly},
		{key: 'monthly_active_users', title: safe`MONTHLY`, points: ({adoption}) => adoption.monthly},
		{key: 'stickiness', points: ({adoption}) => adoption.stickiness},
		{key: 'sessions', title: safe`SESSIONS`, points: ({adoption}) => adoption.sessions},
		{key: 'messages', title: safe`MESSAGES`, points: ({adoption}) => adoption.messages},
		{key: 'user_messages', title: safe`TURNS`, points: ({adoption}) => adoption.userMessages},
	],
	charts: ({adoption}) => [
		{
			kind: 'bars',
			unit: safe`active users that day`,
			combine: 'mean',
			series: [[safe`active users`, adoption.daily]],
		},
		{
			kind: 'lines',
			unit: safe`active users`,
			combine: 'last',
			series: [
				[safe`weekly`, adoption.weekly],
				[safe`monthly`, adoption.monthly],
			],
		},
	],
	chartHeight: {alone: 0.2, beside: 0.3},
	remarks: historyLines,
	sections: [
		{
			side: 'left',
			title: safe`By client`,
			remark: safe`mean users per day; users of two clients count in both`,
			lines: ({now}, block) =>
				listBars(
					now.adoption.clients.map(({client, meanDaily, share}) => ({
						label: cleanLine(client, 40),
						value: toHundredths(meanDaily),
						share,
					})),
					block,
				),
			table: ({adoption}) =>
				createExportTable(
					'by client',
					['client', {name: 'mean_daily_active_users', value: ({meanDaily}) => meanDaily}, 'share'],
					adoption.clients,
				),
		},
		{
			side: 'right',
			title: safe`By weekday (UTC)`,
			remark: safe`mean users`,
			lines: ({now}, block) =>
				listBars(
					weekdayMeans(now.adoption.daily).map(({weekday, mean}) => ({
						label: cleanLine(weekday),
						value: mean === undefined ? undefined : toHundredths(mean),
					})),
					block,
				),
			table: ({adoption}) =>
				createExportTable(
					'by weekday',
					[
						'weekday',
						{name: 'mean_daily_active_users', value: ({mean}) => mean},
						{name: 'known_days', value: ({knownDays}) => knownDays},
					],
					weekdayMeans(adoption.daily),
				),
		},
		{side: 'left', title: safe`People`, lines: (_, block) => peopleLines(block)},
		{side: 'right', lines: (data, {width}) => unusualLines(data, 'adoption', width)},
	],
};

function toHundredths(value: number): number {
	return Math.round(value * 100) / 100;
}

/** Explains why weekly and monthly active users are missing for the first recorded days. */
function historyLines({range: {startDate}}: UsagePeriod, width: number): Line[] {
	if (startDate >= wholeMonthlyFrom) return [];
	const weekly = cleanLine(wholeWeeklyFrom);
	const monthly = cleanLine(wholeMonthlyFrom);
	return dimLines(
		safe`The history starts on ${cleanLine(analyticsStart)}: weekly active users are complete from ${weekly}, monthly from ${monthly}`,
		width,
	);
}

/** Inactive and new people; known once this range's people and the users have been read. */
function peopleLines({membership, width, label}: TabBlock): Line[] {
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

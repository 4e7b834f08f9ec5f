import {analyticsStart} from '../../domain/limits.ts';
import {wholeMonthlyFrom, wholeWeeklyFrom} from '../../domain/usage/range.ts';
import {pointsOf} from '../../state/organization/day-columns.ts';
import type {UsagePeriod} from '../../state/organization/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {percent} from '../../text/values/numbers.ts';
import {bars} from './bar-sections.ts';
import {dimLines} from './page.ts';
import {lastOfDays, meanOfDays, type TabSpec, toTenths} from './usage-tab.ts';

/** The Adoption tab: active users by day, week, month and client. */
export const adoptionTab: TabSpec = {
	name: 'adoption',
	// Active users are never summed over days: their figures are the mean, and the last known day.
	figures: [
		{
			key: 'mean_daily_active_users',
			label: safe`daily active users (mean)`,
			value: meanOfDays('daily_active_users'),
			format: toTenths,
			showsChange: true,
		},
		{key: 'weekly_active_users', label: safe`weekly`, value: lastOfDays('weekly_active_users')},
		{key: 'monthly_active_users', label: safe`monthly`, value: lastOfDays('monthly_active_users')},
		{key: 'stickiness', label: safe`stickiness`, value: lastOfDays('stickiness'), format: percent},
		{key: 'sessions', label: safe`sessions`},
		{key: 'messages', label: safe`messages`},
		{key: 'user_messages', label: safe`user turns`},
	],
	charts: period => [
		{
			kind: 'bars',
			unit: safe`active users that day`,
			combine: 'mean',
			series: [[safe`active users`, pointsOf(period, 'daily_active_users')]],
		},
		{
			kind: 'lines',
			unit: safe`active users`,
			combine: 'last',
			series: [
				[safe`weekly`, pointsOf(period, 'weekly_active_users')],
				[safe`monthly`, pointsOf(period, 'monthly_active_users')],
			],
		},
	],
	chartHeight: 0.2,
	remarks: historyLines,
	sections: [
		bars({
			side: 'left',
			title: safe`By client`,
			remark: () => safe`mean daily users; users of several clients count for each`,
			rows: ({clients}) => clients,
			bar: ({client, meanDaily, share}) => ({
				label: cleanLine(client, 40),
				value: toHundredths(meanDaily),
				share,
			}),
			tableName: 'by client',
			columns: ['client', {name: 'mean_daily_active_users', value: ({meanDaily}) => meanDaily}, 'share'],
		}),
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
	const words = safe`The history starts on ${cleanLine(analyticsStart)}: weekly active users are complete from ${weekly}, monthly from ${monthly}`;
	return dimLines(words, width);
}

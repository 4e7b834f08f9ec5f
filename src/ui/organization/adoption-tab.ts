import {analyticsStart} from '../../domain/limits.ts';
import {wholeMonthlyFrom, wholeWeeklyFrom} from '../../domain/usage/range.ts';
import {weekdayMeans} from '../../domain/usage/series.ts';
import {pointsOf} from '../../state/organization/day-columns.ts';
import type {UsagePeriod} from '../../state/organization/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {percent} from '../../text/values/numbers.ts';
import {dimLines, figure, figureLines} from './page.ts';
import {strings} from './strings.ts';
import {bars, lastOfDays, meanOfDays, type TabBlock, type TabSpec, toTenths} from './usage-tab.ts';

const text = strings.adoption;

/** The Adoption tab: active users by day, week, month, client and weekday, and who is inactive or new. */
export const adoptionTab: TabSpec = {
	name: 'adoption',
	// Active users are never summed over days: their figures are the mean, and the last known day.
	figures: [
		{
			key: 'mean_daily_active_users',
			label: text.meanDaily,
			value: meanOfDays('daily_active_users'),
			format: toTenths,
			showsChange: true,
		},
		{key: 'weekly_active_users', label: text.weekly, value: lastOfDays('weekly_active_users')},
		{key: 'monthly_active_users', label: text.monthly, value: lastOfDays('monthly_active_users')},
		{key: 'stickiness', label: text.stickiness, value: lastOfDays('stickiness'), format: percent},
		{key: 'sessions', label: text.sessions},
		{key: 'messages', label: text.messages},
		{key: 'user_messages', label: text.userTurns},
	],
	charts: period => [
		{
			kind: 'bars',
			unit: text.activeThatDay,
			combine: 'mean',
			series: [[text.activeUsers, pointsOf(period, 'daily_active_users')]],
		},
		{
			kind: 'lines',
			unit: text.activeUsers,
			combine: 'last',
			series: [
				[text.weekly, pointsOf(period, 'weekly_active_users')],
				[text.monthly, pointsOf(period, 'monthly_active_users')],
			],
		},
	],
	chartHeight: {alone: 0.2, beside: 0.3},
	remarks: historyLines,
	sections: [
		bars({
			side: 'left',
			title: text.byClient,
			remark: () => text.byClientNote,
			rows: ({clients}) => clients,
			bar: ({client, meanDaily, share}) => ({
				label: cleanLine(client, 40),
				value: toHundredths(meanDaily),
				share,
			}),
			tableName: 'by client',
			columns: ['client', {name: 'mean_daily_active_users', value: ({meanDaily}) => meanDaily}, 'share'],
		}),
		bars({
			side: 'right',
			title: text.byWeekday,
			remark: () => text.byWeekdayNote,
			rows: period => weekdayMeans(pointsOf(period, 'daily_active_users')),
			bar: ({weekday, mean}) => ({
				label: cleanLine(weekday),
				value: mean === undefined ? undefined : toHundredths(mean),
			}),
			tableName: 'by weekday',
			columns: [
				'weekday',
				{name: 'mean_daily_active_users', value: ({mean}) => mean},
				{name: 'known_days', value: ({knownDays}) => knownDays},
			],
		}),
		{side: 'left', title: text.people, lines: (_, block) => peopleLines(block)},
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
	return dimLines(text.history(cleanLine(analyticsStart), weekly, monthly), width);
}

/** Inactive and new people; known once this range's people and the users have been read. */
function peopleLines({membership, width, label}: TabBlock): Line[] {
	const [people, group] = [label('tab-people'), label('people-group')];
	if (!membership) return dimLines(text.groupsUnknown(people, group), width);
	const {inactive, joined, unlisted} = membership;
	return [
		...figureLines(
			[
				figure(inactive?.length, strings.people.inactive),
				figure(joined.length, strings.people.new),
				figure(unlisted?.length, strings.people.unlisted),
			],
			width,
		),
		...dimLines(text.groupsKnown(people, group), width),
	];
}

import type {Adoption} from '../usage/adoption.ts';
import {totalOf} from '../usage/series.ts';
import {weekdayMeans} from '../usage/weekdays.ts';
import {createExportTable, type ExportTable} from './export-table.ts';
import {tableByDay, totalsTable} from './usage-tables.ts';

const snake = (name: 'sessions' | 'messages' | 'userMessages') =>
	name === 'userMessages' ? 'user_messages' : name;

/**
 * Tables of the adoption tab. Active users are never summed over days: totals are the mean and the last known
 * day.
 */
export function adoptionTables(adoption: Adoption, before: Adoption | undefined): ExportTable[] {
	const {daily, weekly, monthly, stickiness, clients} = adoption;
	const latest = (name: 'weekly' | 'monthly' | 'stickiness') =>
		[adoption.latest[name]?.value, before?.latest[name]?.value] as const;
	return [
		tableByDay('by day', [
			['daily_active_users', daily],
			['weekly_active_users', weekly],
			['monthly_active_users', monthly],
			['stickiness', stickiness],
			['sessions', adoption.sessions],
			['messages', adoption.messages],
			['user_messages', adoption.userMessages],
		]),
		createExportTable(
			'by client',
			[
				{name: 'client', value: ({client}) => client},
				{name: 'mean_daily_active_users', value: ({meanDaily}) => meanDaily},
				{name: 'share', value: ({share}) => share},
			],
			clients,
		),
		createExportTable(
			'by weekday',
			[
				{name: 'weekday', value: ({weekday}) => weekday},
				{name: 'mean_daily_active_users', value: ({mean}) => mean},
				{name: 'known_days', value: ({knownDays}) => knownDays},
			],
			weekdayMeans(daily),
		),
		totalsTable([
			['mean_daily_active_users', adoption.meanDaily, before?.meanDaily],
			['weekly_active_users', ...latest('weekly')],
			['monthly_active_users', ...latest('monthly')],
			['stickiness', ...latest('stickiness')],
			...(['sessions', 'messages', 'userMessages'] as const).map(
				name => [snake(name), totalOf(adoption[name]).sum, before && totalOf(before[name]).sum] as const,
			),
		]),
	];
}

import {type DayPoint, ratioOf, weightedMean} from '../../domain/usage/series.ts';
import {autonomyLevels, pointsOf} from '../../state/organization/day-columns.ts';
import type {UsagePeriod} from '../../state/organization/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {bars} from './bar-sections.ts';
import type {TabSpec} from './usage-tab.ts';

/** The Autonomy tab: tool calls per user turn, and by autonomy level. */
export const autonomyTab: TabSpec = {
	name: 'autonomy',
	// Percentiles apply to single days: they are no figures.
	figures: [
		{
			key: 'autonomy_ratio_avg',
			label: safe`tool calls per user turn`,
			value: period => weightedMean(pointsOf(period, 'autonomy_ratio_avg'), turnsByDay(period)).value,
			showsChange: true,
		},
		{
			key: 'tool_calls_per_session_avg',
			label: safe`per session`,
			value: period => meanBy(period, 'tool_calls_per_session_avg', 'sessions').value,
		},
		{
			key: 'user_turns_per_session_avg',
			label: safe`turns per session`,
			value: period => meanBy(period, 'user_turns_per_session_avg', 'sessions').value,
		},
	],
	charts: period => [
		{
			kind: 'lines',
			unit: safe`tool calls per user turn`,
			combine: 'last',
			series: [
				[safe`mean`, pointsOf(period, 'autonomy_ratio_avg')],
				[safe`median`, pointsOf(period, 'autonomy_ratio_p50')],
				[safe`90th percentile`, pointsOf(period, 'autonomy_ratio_p90')],
			],
		},
	],
	chartHeight: 0.32,
	sections: [
		bars({
			side: 'left',
			title: safe`By level`,
			remark: () => safe`% of tool calls, weighted by each day's calls`,
			rows: period => autonomyLevels.map(level => ({level, ...meanBy(period, level, 'tool_calls')})),
			bar: ({level, value}) => ({
				label: cleanLine(level.replace('_', '-')),
				value: value === undefined ? undefined : value * 100,
			}),
			tableName: 'by level',
			columns: [
				'level',
				{name: 'share', value: ({value}) => value},
				{name: 'known_days', value: ({days}) => days},
			],
		}),
	],
};

function meanBy(period: UsagePeriod, measure: string, weight: string) {
	return weightedMean(pointsOf(period, measure), pointsOf(period, weight));
}

/** User turns of each day: from the activity, otherwise calls divided by their mean per turn. */
function turnsByDay(period: UsagePeriod): readonly DayPoint[] {
	const calls = pointsOf(period, 'tool_calls');
	const ratios = pointsOf(period, 'autonomy_ratio_avg');
	return pointsOf(period, 'user_messages').map(({date, value}, day) => ({
		date,
		value: value ?? ratioOf(calls.slice(day, day + 1), ratios.slice(day, day + 1)).value,
	}));
}

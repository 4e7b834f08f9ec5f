import type {ActivityRow, ToolRow} from '../organization/analytics.ts';
import type {DayRange} from './range.ts';
import {ratioOf, weightedMean} from './ratio.ts';
import {type DayPoint, finite, latestOf, seriesOf} from './series.ts';

export const autonomyLevels = ['auto_high', 'auto_medium', 'auto_low', 'manual'] as const;
type AutonomyLevel = (typeof autonomyLevels)[number];

/** A percentile by day. Percentiles can't be averaged over days. */
export type Percentile = ReturnType<typeof percentileOf>;

/** How autonomously agents work. Ratios are tool calls per user turn. */
export type Autonomy = ReturnType<typeof autonomyOf>;

/** Computes autonomy. `activity` provides the weights: user turns and sessions of the same days. */
export function autonomyOf(rows: Iterable<ToolRow>, activity: Iterable<ActivityRow>, range: DayRange) {
	const days = [...rows].filter(({date}) => date >= range.startDate && date <= range.endDate);
	const weights = new Map([...activity].map(row => [row.date, row]));
	const bySessions = (pick: (row: ToolRow) => number | undefined) =>
		weightedMean(days.map(row => ({value: finite(pick(row)), weight: weights.get(row.date)?.sessions})));
	const level = (name: AutonomyLevel) =>
		ratioOf(
			days.map(({tool_autonomy_level_ratio: ratios, tool_calls: calls}) => {
				const share = finite(ratios?.[name]);
				const isKnown = share !== undefined && calls !== undefined;
				return {numerator: isKnown ? share * calls : undefined, denominator: calls};
			}),
		);
	return {
		/** Mean of the daily values, weighted by user turns. */
		ratio: weightedMean(
			days.map(row => ({value: finite(row.autonomy_ratio_avg), weight: turnsOf(row, weights.get(row.date))})),
		),
		trend: seriesOf(days, range, row => row.autonomy_ratio_avg),
		median: percentileOf(seriesOf(days, range, row => row.autonomy_ratio_p50)),
		ninetieth: percentileOf(seriesOf(days, range, row => row.autonomy_ratio_p90)),
		/** Weighted by sessions. */
		toolCallsPerSession: bySessions(row => row.tool_calls_per_session_avg),
		turnsPerSession: bySessions(row => row.user_turns_per_session_avg),
		/** Fractions of tool calls at each level, weighted by each day's calls. */
		levels: byLevel(level),
	};
}

/** User turns of a day: from the activity data, otherwise calls divided by their mean per turn. */
function turnsOf(row: ToolRow, activity: ActivityRow | undefined): number | undefined {
	const userMessages = finite(activity?.user_messages);
	if (userMessages !== undefined) return userMessages;
	const {tool_calls: calls, autonomy_ratio_avg: ratio} = row;
	return calls !== undefined && ratio ? calls / ratio : undefined;
}

function byLevel<T>(pick: (level: AutonomyLevel) => T) {
	return Object.fromEntries(autonomyLevels.map(level => [level, pick(level)])) as Record<AutonomyLevel, T>;
}

function percentileOf(trend: readonly DayPoint[]) {
	const values = trend.flatMap(({value}) => (value === undefined ? [] : [value]));
	return {
		trend,
		latest: latestOf(trend),
		lowest: values.length === 0 ? undefined : values.reduce((a, b) => Math.min(a, b)),
		highest: values.length === 0 ? undefined : values.reduce((a, b) => Math.max(a, b)),
	};
}

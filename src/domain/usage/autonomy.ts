import type {ActivityRow, ToolRow} from '../organization/analytics.ts';
import type {DayRange} from './range.ts';
import {type Ratio, ratioOf, weightedMean} from './ratio.ts';
import {type DayPoint, known, latestOf, seriesOf} from './series.ts';

export const autonomyLevels = ['auto_high', 'auto_medium', 'auto_low', 'manual'] as const;
export type AutonomyLevel = (typeof autonomyLevels)[number];

/** A percentile by day. Percentiles can't be averaged over days. */
export type Percentile = {
	readonly trend: readonly DayPoint[];
	readonly latest: {date: string; value: number} | undefined;
	readonly lowest: number | undefined;
	readonly highest: number | undefined;
};

/** How autonomously agents work. Ratios are tool calls per user turn. */
export type Autonomy = {
	/** Mean of the daily values, weighted by user turns. */
	readonly ratio: Ratio;
	readonly trend: readonly DayPoint[];
	readonly median: Percentile;
	readonly ninetieth: Percentile;
	/** Weighted by sessions. */
	readonly toolCallsPerSession: Ratio;
	readonly turnsPerSession: Ratio;
	/** Fractions of tool calls at each level, weighted by each day's calls. */
	readonly levels: Readonly<Record<AutonomyLevel, Ratio>>;
	/** Daily means and fractions. */
	readonly sessionTrends: Readonly<Record<'toolCalls' | 'turns', readonly DayPoint[]>>;
	readonly levelTrends: Readonly<Record<AutonomyLevel, readonly DayPoint[]>>;
};

/** Computes autonomy. `activity` provides the weights: user turns and sessions of the same days. */
export function autonomyOf(
	rows: Iterable<ToolRow>,
	activity: Iterable<ActivityRow>,
	range: DayRange,
): Autonomy {
	const days = [...rows].filter(({date}) => date >= range.startDate && date <= range.endDate);
	const weights = new Map([...activity].map(row => [row.date, row]));
	const bySessions = (pick: (row: ToolRow) => number | undefined) =>
		weightedMean(days.map(row => ({value: known(pick(row)), weight: weights.get(row.date)?.sessions})));
	const level = (name: AutonomyLevel) =>
		ratioOf(
			days.map(({tool_autonomy_level_ratio: ratios, tool_calls: calls}) => {
				const share = known(ratios?.[name]);
				const isKnown = share !== undefined && calls !== undefined;
				return {numerator: isKnown ? share * calls : undefined, denominator: calls};
			}),
		);
	const levelTrend = (name: AutonomyLevel) =>
		seriesOf(days, range, row => row.tool_autonomy_level_ratio?.[name]);
	return {
		ratio: weightedMean(
			days.map(row => ({value: known(row.autonomy_ratio_avg), weight: turnsOf(row, weights.get(row.date))})),
		),
		trend: seriesOf(days, range, row => row.autonomy_ratio_avg),
		median: percentileOf(seriesOf(days, range, row => row.autonomy_ratio_p50)),
		ninetieth: percentileOf(seriesOf(days, range, row => row.autonomy_ratio_p90)),
		toolCallsPerSession: bySessions(row => row.tool_calls_per_session_avg),
		turnsPerSession: bySessions(row => row.user_turns_per_session_avg),
		levels: {
			auto_high: level('auto_high'),
			auto_medium: level('auto_medium'),
			auto_low: level('auto_low'),
			manual: level('manual'),
		},
		sessionTrends: {
			toolCalls: seriesOf(days, range, row => row.tool_calls_per_session_avg),
			turns: seriesOf(days, range, row => row.user_turns_per_session_avg),
		},
		levelTrends: {
			auto_high: levelTrend('auto_high'),
			auto_medium: levelTrend('auto_medium'),
			auto_low: levelTrend('auto_low'),
			manual: levelTrend('manual'),
		},
	};
}

/** User turns of a day: from the activity data, otherwise calls divided by their mean per turn. */
function turnsOf(row: ToolRow, activity: ActivityRow | undefined): number | undefined {
	const userMessages = known(activity?.user_messages);
	if (userMessages !== undefined) return userMessages;
	const {tool_calls: calls, autonomy_ratio_avg: ratio} = row;
	return calls !== undefined && ratio ? calls / ratio : undefined;
}

function percentileOf(trend: readonly DayPoint[]): Percentile {
	const values = trend.flatMap(({value}) => (value === undefined ? [] : [value]));
	return {
		trend,
		latest: latestOf(trend),
		lowest: values.length === 0 ? undefined : values.reduce((a, b) => Math.min(a, b)),
		highest: values.length === 0 ? undefined : values.reduce((a, b) => Math.max(a, b)),
	};
}

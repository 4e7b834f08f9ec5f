import {type Autonomy, autonomyLevels} from '../usage/autonomy.ts';
import {type Sheet, sheetOf} from './sheet.ts';
import {daySheet, totalsSheet} from './usage-sheets.ts';

/** What the autonomy tab shows. Percentiles belong to their day: they have no total. */
export function autonomySheets(autonomy: Autonomy, before: Autonomy | undefined): Sheet[] {
	const {trend, median, ninetieth, levels} = autonomy;
	return [
		daySheet('by day', [
			['autonomy_ratio_avg', trend],
			['autonomy_ratio_p50', median.trend],
			['autonomy_ratio_p90', ninetieth.trend],
			['tool_calls_per_session_avg', autonomy.sessionTrends.toolCalls],
			['user_turns_per_session_avg', autonomy.sessionTrends.turns],
			...autonomyLevels.map(level => [level, autonomy.levelTrends[level]] as const),
		]),
		sheetOf(
			'by level',
			[
				{name: 'level', value: level => level},
				{name: 'share', value: level => levels[level].value},
				{name: 'known_days', value: level => levels[level].days},
			],
			autonomyLevels,
		),
		totalsSheet([
			['autonomy_ratio_avg', autonomy.ratio.value, before?.ratio.value],
			['tool_calls_per_session_avg', autonomy.toolCallsPerSession.value, before?.toolCallsPerSession.value],
			['user_turns_per_session_avg', autonomy.turnsPerSession.value, before?.turnsPerSession.value],
		]),
	];
}

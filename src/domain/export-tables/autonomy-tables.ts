import {type Autonomy, autonomyLevels} from '../usage/autonomy.ts';
import {createExportTable, type ExportTable} from './export-table.ts';
import {tableByDay, totalsTable} from './usage-tables.ts';

/** Tables of the autonomy tab. Percentiles apply to single days and have no total. */
export function autonomyTables(autonomy: Autonomy, before: Autonomy | undefined): ExportTable[] {
	const {trend, median, ninetieth, levels} = autonomy;
	return [
		tableByDay('by day', [
			['autonomy_ratio_avg', trend],
			['autonomy_ratio_p50', median.trend],
			['autonomy_ratio_p90', ninetieth.trend],
			['tool_calls_per_session_avg', autonomy.sessionTrends.toolCalls],
			['user_turns_per_session_avg', autonomy.sessionTrends.turns],
			...autonomyLevels.map(level => [level, autonomy.levelTrends[level]] as const),
		]),
		createExportTable(
			'by level',
			[
				{name: 'level', value: level => level},
				{name: 'share', value: level => levels[level].value},
				{name: 'known_days', value: level => levels[level].days},
			],
			autonomyLevels,
		),
		totalsTable([
			['autonomy_ratio_avg', autonomy.ratio.value, before?.ratio.value],
			['tool_calls_per_session_avg', autonomy.toolCallsPerSession.value, before?.toolCallsPerSession.value],
			['user_turns_per_session_avg', autonomy.turnsPerSession.value, before?.turnsPerSession.value],
		]),
	];
}

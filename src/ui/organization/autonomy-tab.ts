import {createExportTable} from '../../domain/export-tables/export-table.ts';
import {autonomyLevels, type Percentile} from '../../domain/usage/autonomy.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {type Cell, tableLines} from '../../text/values/table.ts';
import {dimLines} from './page.ts';
import {strings} from './strings.ts';
import {listBars} from './tab-blocks.ts';
import type {TabSpec} from './usage-tab.ts';

const text = strings.autonomy;

/** The Autonomy tab: tool calls per user turn, and by autonomy level. */
export const autonomyTab: TabSpec = {
	name: 'autonomy',
	// Percentiles apply to single days: they are no figures.
	figures: [
		{
			key: 'autonomy_ratio_avg',
			label: text.callsPerTurn,
			value: ({autonomy}) => autonomy.ratio.value,
			showsChange: true,
		},
		{
			key: 'tool_calls_per_session_avg',
			label: text.perSession,
			value: ({autonomy}) => autonomy.toolCallsPerSession.value,
		},
		{
			key: 'user_turns_per_session_avg',
			label: text.turnsPerSession,
			value: ({autonomy}) => autonomy.turnsPerSession.value,
		},
	],
	charts: ({autonomy: {trend, median, ninetieth}}) => [
		{
			kind: 'lines',
			unit: text.callsPerTurn,
			combine: 'last',
			series: [
				[text.mean, trend],
				[text.median, median.trend],
				[text.ninetieth, ninetieth.trend],
			],
		},
	],
	chartHeight: {alone: 0.32},
	sections: [
		{
			side: 'left',
			title: text.byLevel,
			remark: () => text.byLevelNote,
			lines: ({now: {autonomy}}, block) =>
				listBars(
					autonomyLevels.map(level => {
						const {value} = autonomy.levels[level];
						return {
							label: cleanLine(level.replace('_', '-')),
							value: value === undefined ? undefined : value * 100,
						};
					}),
					block,
				),
			table: ({autonomy: {levels}}) =>
				createExportTable(
					'by level',
					[
						{name: 'level', value: level => level},
						{name: 'share', value: level => levels[level].value},
						{name: 'known_days', value: level => levels[level].days},
					],
					autonomyLevels,
				),
		},
		{
			side: 'left',
			title: text.percentiles,
			lines: ({now: {autonomy}}, {width}) => [
				...tableLines(
					[
						{title: text.columns[0]},
						{title: text.columns[1], align: 'end'},
						{title: text.columns[2]},
						{title: text.columns[3], align: 'end'},
						{title: text.columns[4], align: 'end'},
					],
					[
						percentileRow(text.rows.median, autonomy.median),
						percentileRow(text.rows.ninetieth, autonomy.ninetieth),
					],
					{width},
				),
				...dimLines(text.percentilesNote, width),
			],
		},
	],
};

function percentileRow(name: Safe, {latest, lowest, highest}: Percentile): Cell[] {
	return [
		{text: name},
		{text: exactNumber(latest?.value), tone: 'strong'},
		{text: latest ? cleanLine(latest.date) : strings.unknown, tone: 'dim'},
		{text: exactNumber(lowest)},
		{text: exactNumber(highest)},
	];
}

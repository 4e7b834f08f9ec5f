import type {Unusual} from '../usage/unusual.ts';
import {createExportTable, type ExportTable} from './export-table.ts';

/** Tables of a tab's anomalies: unusual days, and the users or items that changed most. */
export function unusualTables({days, movers}: Unusual): ExportTable[] {
	return [
		createExportTable(
			'unusual days',
			[
				{name: 'date', value: ({date}) => date},
				{name: 'measure', value: ({measure}) => measure},
				{name: 'value', value: ({value}) => value},
				{name: 'usual', value: ({usual}) => usual},
				{name: 'score', value: ({score}) => score},
				{name: 'behind_it', value: ({drivers}) => drivers.map(({label}) => label).join(' ')},
			],
			days,
			({drivers, ...day}) => ({...day, behind_it: drivers}),
		),
		createExportTable(
			'moved most',
			[
				{name: 'of', value: ({of}) => of},
				{name: 'key', value: ({key}) => key},
				{name: 'label', value: ({label}) => label},
				{name: 'kind', value: ({kind}) => kind},
				{name: 'mean_day', value: ({now}) => now},
				{name: 'mean_day_before', value: ({before: was}) => was},
				{name: 'change', value: ({change}) => change},
			],
			movers,
		),
	];
}

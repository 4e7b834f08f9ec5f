import {adoptionTables} from '../../domain/export-tables/adoption-tables.ts';
import {autonomyTables} from '../../domain/export-tables/autonomy-tables.ts';
import {creditsTables} from '../../domain/export-tables/credits-tables.ts';
import type {ExportPage, ExportTable} from '../../domain/export-tables/export-table.ts';
import {outputTables} from '../../domain/export-tables/output-tables.ts';
import {toolsTables} from '../../domain/export-tables/tools-tables.ts';
import {unusualTables} from '../../domain/export-tables/unusual-tables.ts';
import {withFact} from '../../domain/export-tables/usage-tables.ts';
import type {UsageData} from '../../state/organization.ts';
import type {UsageTab} from '../../state/organization-reading.ts';

type Tab = Exclude<UsageTab, 'people'>;

const tables: Readonly<Record<Tab, (data: UsageData) => ExportTable[]>> = {
	credits: ({now, before}) => creditsTables(now.credits, before?.credits),
	adoption: ({now, before}) => adoptionTables(now.adoption, before?.adoption),
	autonomy: ({now, before}) => autonomyTables(now.autonomy, before?.autonomy),
	output: ({now, before}) => outputTables(now, before),
	tools: ({now, before}) => toolsTables(now.tools, before?.tools),
};

/** Export data of a usage tab. */
export function tabData(tab: Tab, data: UsageData): ExportPage {
	const {now, before, organizationId} = data;
	const own = tables[tab](data).map(table =>
		organizationId !== undefined && table.name === 'totals'
			? withFact(table, 'org_id', organizationId)
			: table,
	);
	return {
		name: `usage-${tab}`,
		range: now.range,
		...(organizationId !== undefined && {organizationId}),
		facts: {
			view: 'usage',
			tab,
			...(before && {compared_with: {start_date: before.range.startDate, end_date: before.range.endDate}}),
		},
		tables: [...own, ...unusualTables(data.unusual[tab])],
	};
}

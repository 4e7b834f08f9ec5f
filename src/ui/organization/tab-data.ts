import {adoptionSheets} from '../../domain/sheets/adoption-sheets.ts';
import {autonomySheets} from '../../domain/sheets/autonomy-sheets.ts';
import {creditsSheets} from '../../domain/sheets/credits-sheets.ts';
import {outputSheets} from '../../domain/sheets/output-sheets.ts';
import type {PageData, Sheet} from '../../domain/sheets/sheet.ts';
import {toolsSheets} from '../../domain/sheets/tools-sheets.ts';
import {unusualSheets} from '../../domain/sheets/unusual-sheets.ts';
import {withFact} from '../../domain/sheets/usage-sheets.ts';
import type {UsageData} from '../../state/organization.ts';
import type {UsageTab} from '../../state/organization-reading.ts';

type Tab = Exclude<UsageTab, 'people'>;

const sheets: Readonly<Record<Tab, (data: UsageData) => Sheet[]>> = {
	credits: ({now, before}) => creditsSheets(now.credits, before?.credits),
	adoption: ({now, before}) => adoptionSheets(now.adoption, before?.adoption),
	autonomy: ({now, before}) => autonomySheets(now.autonomy, before?.autonomy),
	output: ({now, before}) => outputSheets(now, before),
	tools: ({now, before}) => toolsSheets(now.tools, before?.tools),
};

/** What a tab of usage shows, as data. */
export function tabData(tab: Tab, data: UsageData): PageData {
	const {now, before, organizationId} = data;
	const own = sheets[tab](data).map(sheet =>
		organizationId !== undefined && sheet.name === 'totals'
			? withFact(sheet, 'org_id', organizationId)
			: sheet,
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
		sheets: [...own, ...unusualSheets(data.unusual[tab])],
	};
}

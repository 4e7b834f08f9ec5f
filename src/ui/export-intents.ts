import {exportToClipboard} from '../actions/export-page.ts';
import {notify} from '../actions/notify.ts';
import type {ExportPage} from '../domain/export-tables/export-table.ts';
import {chosenRange, lastDayAt} from '../domain/usage/range.ts';
import {openFormDialog} from './dialogs/form/open-form-dialog.ts';
import {strings} from './strings.ts';
import type {AppParts, Parts} from './use-app.ts';

/** Intents that export or copy the page, or choose its days. */
export const exportIntents = {
	'export-page'(parts: AppParts) {
		const data = shownData(parts);
		if (data) openFormDialog(parts, {name: 'export', data, folder: process.cwd()});
	},
	'copy-page'(parts: AppParts) {
		const data = shownData(parts);
		if (!data) return;
		const [table] = data.tables;
		// On a list page, copy only the cursor's table: the others can be a thousand times as long.
		const isList = parts.screen.page?.idOf !== undefined || data.tables.length === 1;
		void exportToClipboard(parts.actions, {data, format: 'csv', ...(isList && table && {table})});
	},
	'free-range'(parts: AppParts) {
		const {clock, stores} = parts.actions;
		const {skew = 0} = stores.connection.getState();
		const lastDay = lastDayAt(clock.now() + skew);
		const range = chosenRange(parts.view.getState().organization.range, lastDay);
		openFormDialog(parts, {name: 'days', range, lastDay});
	},
};

/** The export data of the page on screen; notifies the user when there is none. */
function shownData({screen, actions}: Parts<'screen' | 'actions'>): ExportPage | undefined {
	const data = screen.page?.data?.();
	if (data && data.tables.length > 0) return data;
	notify(actions, 'info', strings.organization.nothingToExport);
	return undefined;
}

import {pagesOf} from '../../api/pages.ts';
import {pageLimit} from '../../domain/limits.ts';
import {
	differencesOf,
	isAbout,
	type RevisionDifference,
	settingsInForce,
} from '../../domain/organization/controls.ts';
import {
	type ControlRow,
	controlColumns,
	controlRows,
	differenceObject,
	inForceObject,
	settingColumns,
	withChangesTo,
} from '../../state/organization/control-columns.ts';
import type {CommandContext} from '../cli/context.ts';
import type {ExitCode} from '../cli/errors.ts';
import {keepItems, printPages} from '../output/print-pages.ts';
import {checkFormat, createRowFormatter, outputColumns} from '../output/print-rows.ts';
import {strings} from './strings.ts';

/** Prints changes to the organization's settings, newest first, with author and time. */
export async function controls(context: CommandContext): Promise<ExitCode> {
	const {flags, output, wiring, clock, signal} = context;
	checkFormat(context);
	const setting = flags.text('setting');
	const parts = await wiring();
	const service = await parts.connect();
	// A record may omit settings, so each revision may be compared with any older one.
	const {items: history, ...kept} = keepItems(
		pagesOf(service.controls.history, {limit: pageLimit.max}, {signal}),
	);
	const list = {what: 'revisions', ...kept};
	if (flags.is('in-force'))
		return printPages(context, {
			...list,
			lastRows: () => settingsInForce(differencesOf(history)).filter(one => isAbout(one, setting ?? '')),
			none: parts.isEmbedded ? strings.controls.embedded : strings.controls.noSettings,
			linesOf: createRowFormatter(context, {
				columns: outputColumns(settingColumns, {now: clock.now()}),
				objectOf: inForceObject,
			}),
			noMatches: setting === undefined ? undefined : strings.controls.noneContains(setting),
		});
	const objects = createRowFormatter(context, {columns: [], objectOf: differenceObject});
	const rows = createRowFormatter(context, {
		columns: outputColumns(controlColumns, {now: clock.now()}),
		objectOf: (row: ControlRow) => row,
	});
	return printPages(context, {
		...list,
		lastRows: () => withChangesTo(setting, differencesOf(history)),
		none: parts.isEmbedded ? strings.controls.embedded : strings.controls.none,
		linesOf: (differences: readonly RevisionDifference[]) =>
			output.isJson ? objects(differences) : rows(controlRows(differences)),
		noMatches: setting === undefined ? undefined : strings.controls.noneChanged(setting),
	});
}

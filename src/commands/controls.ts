import {differencesOf, isAbout, type RevisionDifference} from '../domain/controls-difference.ts';
import {
	type ControlRow,
	controlColumns,
	controlRows,
	differenceObject,
} from '../domain/sheets/controls-sheets.ts';
import {collect, completeness} from './collect.ts';
import type {CommandContext} from './context.ts';
import type {ExitCode} from './exit-codes.ts';
import {checkFormat, printObjects, printSheet, type SheetColumn} from './sheet.ts';

/** What changed in the organization's settings, who changed it and when, newest first; with `--setting` that alone. */
export async function controls(context: CommandContext): Promise<ExitCode> {
	const {flags, output, wiring} = context;
	checkFormat(context);
	const setting = flags.text('setting');
	const service = await (await wiring()).connect();
	// A difference needs the revision before: the whole history is read.
	const history = await collect(context, 'revisions', service.controls.history, change => change.revision);
	const differences = differencesOf(history.items).flatMap(difference => about(difference, setting));
	if (output.isJson) printObjects(context, differences.map(differenceObject));
	else printSheet(context, {columns, rows: controlRows(differences)});
	return completeness(context, history);
}

function about(difference: RevisionDifference, setting: string | undefined): RevisionDifference[] {
	if (setting === undefined) return [difference];
	const changes = difference.changes.filter(change => isAbout(change, setting));
	return changes.length > 0 ? [{...difference, changes}] : [];
}

const columns: readonly SheetColumn<ControlRow>[] = controlColumns.map(column => ({
	...column,
	...(column.name === 'revision' && {isNumber: true}),
	...((column.name === 'before' || column.name === 'after') && {grow: true}),
}));

import type {ControlChange} from '../domain/controls.ts';
import {
	differencesOf,
	isAbout,
	type RevisionDifference,
	type SettingChange,
} from '../domain/controls-difference.ts';
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
	if (output.isJson) printObjects(context, differences.map(differenceJson));
	else {
		const rows = differences.flatMap(({change, changes}) =>
			(changes.length > 0 ? changes : [undefined]).map(one => ({change, one})),
		);
		printSheet(context, {columns, rows});
	}
	return completeness(context, history);
}

function about(difference: RevisionDifference, setting: string | undefined): RevisionDifference[] {
	if (setting === undefined) return [difference];
	const changes = difference.changes.filter(change => isAbout(change, setting));
	return changes.length > 0 ? [{...difference, changes}] : [];
}

type ControlRow = {readonly change: ControlChange; readonly one: SettingChange | undefined};

const columns: readonly SheetColumn<ControlRow>[] = [
	{name: 'revision', isNumber: true, value: ({change}) => change.revision},
	{name: 'updated_at', value: ({change}) => change.updatedAt},
	{name: 'user', value: ({change: {user}}) => user?.email ?? user?.name ?? user?.id},
	{name: 'setting', value: ({one}) => one?.path.join('.')},
	{name: 'change', value: ({one}) => (one ? one.kind : 'nothing')},
	{name: 'before', grow: true, value: ({one}) => valueText(one?.before)},
	{name: 'after', grow: true, value: ({one}) => valueText(one?.after)},
];

function valueText(value: unknown): string | undefined {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function differenceJson({change, isFirstKnown, changes}: RevisionDifference): object {
	return {...change, quarterdeck: {isFirstKnown, changes}};
}

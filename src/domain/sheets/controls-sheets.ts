import type {ControlChange} from '../controls.ts';
import type {RevisionDifference, SettingChange} from '../controls-difference.ts';
import {type DataColumn, type Sheet, sheetOf} from './sheet.ts';

/** One setting that a revision changed; none for a revision that changed nothing. */
export type ControlRow = {readonly change: ControlChange; readonly one: SettingChange | undefined};

/** Columns of changes, a row a setting. */
export const controlColumns = [
	{name: 'revision', value: ({change}) => change.revision},
	{name: 'updated_at', value: ({change}) => change.updatedAt},
	{name: 'user', value: ({change: {user}}) => user?.email ?? user?.name ?? user?.id},
	{name: 'setting', value: ({one}) => one?.path.join('.')},
	{name: 'change', value: ({one}) => (one ? one.kind : 'nothing')},
	{name: 'before', value: ({one}) => valueText(one?.before)},
	{name: 'after', value: ({one}) => valueText(one?.after)},
] as const satisfies readonly DataColumn<ControlRow>[];

export function controlRows(differences: readonly RevisionDifference[]): ControlRow[] {
	return differences.flatMap(({change, changes}) =>
		(changes.length > 0 ? changes : [undefined]).map(one => ({change, one})),
	);
}

/** A revision with all the contract says of it, and what it changed. */
export function differenceObject({change, isFirstKnown, changes}: RevisionDifference): object {
	return {...change, quarterdeck: {isFirstKnown, changes}};
}

/** Revisions in the order that is given: a row each, and a row for each setting they changed. */
export function controlsSheets(differences: readonly RevisionDifference[]): Sheet[] {
	return [
		sheetOf('changes', controlColumns, controlRows(differences)),
		sheetOf(
			'revisions',
			[
				{name: 'revision', value: ({change}) => change.revision},
				{name: 'updated_at', value: ({change}) => change.updatedAt},
				{name: 'user', value: ({change: {user}}) => user?.email ?? user?.name ?? user?.id},
				{name: 'settings', value: ({changes}) => changes.map(({path}) => path.join('.')).join(' ')},
			],
			differences,
			differenceObject,
		),
	];
}

function valueText(value: unknown): string | undefined {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

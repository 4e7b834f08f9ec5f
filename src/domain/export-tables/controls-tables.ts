import type {ControlChange, RevisionDifference, SettingChange} from '../organization/controls.ts';
import type {SettingInForce} from '../organization/settings-in-force.ts';
import {unreadableOf} from '../unreadable.ts';
import {createExportTable, type ExportColumn, type ExportTable} from './export-table.ts';

/** One setting changed by a revision; `setting` is undefined if the revision changed nothing. */
export type ControlRow = {readonly change: ControlChange; readonly setting: SettingChange | undefined};

/** Columns of the changes table, one row per setting. */
export const controlColumns = [
	{name: 'revision', value: ({change}) => change.revision},
	{name: 'updated_at', value: ({change}) => change.updatedAt},
	{name: 'user', value: ({change}) => whoOf(change)},
	{name: 'user_id', value: ({change}) => change.user?.id},
	{name: 'setting', value: ({setting}) => setting?.path.join('.')},
	{name: 'change', value: ({setting}) => (setting ? kindText(setting.kind) : 'nothing')},
	{name: 'before', value: ({setting}) => valueText(setting?.before)},
	{name: 'after', value: ({setting}) => valueText(setting?.after)},
] as const satisfies readonly ExportColumn<ControlRow>[];

export function controlRows(differences: readonly RevisionDifference[]): ControlRow[] {
	return differences.flatMap(({change, changes}) =>
		(changes.length > 0 ? changes : [undefined]).map(setting => ({change, setting})),
	);
}

/** A revision with all contract fields and its changes. */
export function differenceObject({change, isFirstKnown, changes}: RevisionDifference): object {
	return {...change, quarterdeck: {isFirstKnown, changes, ...unreadableOf(change)}};
}

/** Tables of revisions in the given order: one row per revision, and one row per changed setting. */
export function controlsTables(differences: readonly RevisionDifference[]): ExportTable[] {
	return [
		createExportTable('changes', controlColumns, controlRows(differences)),
		createExportTable(
			'revisions',
			[
				{name: 'revision', value: ({change}) => change.revision},
				{name: 'updated_at', value: ({change}) => change.updatedAt},
				{name: 'user', value: ({change}) => whoOf(change)},
				{name: 'user_id', value: ({change: {user}}) => user?.id},
				{name: 'user_name', value: ({change: {user}}) => user?.name},
				{name: 'settings', value: ({changes}) => changes.map(({path}) => path.join('.')).join(' ')},
			],
			differences,
			differenceObject,
		),
	];
}

/** Describes a kind of change in words. */
export function kindText(kind: SettingChange['kind']): string {
	return kind === 'absent' ? 'not in this record' : kind;
}

/** Columns of the settings in force. */
export const inForceColumns = [
	{name: 'setting', value: ({path}) => path.join('.')},
	{name: 'value', value: ({value}) => valueText(value)},
	{name: 'is_default', value: ({isDefault = false}) => isDefault},
	{name: 'since', value: setting => sinceOf(setting)?.updatedAt},
	{name: 'since_revision', value: setting => sinceOf(setting)?.revision},
	{name: 'maybe_earlier', value: ({isSinceFirst}) => isSinceFirst},
	{name: 'user', value: setting => whoOf(sinceOf(setting))},
	{name: 'user_id', value: setting => sinceOf(setting)?.user?.id},
	{name: 'last_revision', value: ({lastIn, isDefault}) => (isDefault ? undefined : lastIn.revision)},
] as const satisfies readonly ExportColumn<SettingInForce>[];

/** The revision that introduced a value; undefined for a default. */
export function sinceOf({since, isDefault}: SettingInForce): ControlChange | undefined {
	return isDefault ? undefined : since;
}

/** A setting with its raw value, not formatted as text. */
export function inForceObject(setting: SettingInForce): object {
	const {path, value, isSinceFirst, lastIn, isDefault = false} = setting;
	const since = sinceOf(setting);
	return {
		setting: path.join('.'),
		value: value ?? null,
		is_default: isDefault,
		since: since?.updatedAt ?? null,
		since_revision: since?.revision ?? null,
		maybe_earlier: isSinceFirst,
		user: since?.user ?? null,
		last_revision: isDefault ? null : lastIn.revision,
	};
}

export function inForceTable(settings: readonly SettingInForce[]): ExportTable {
	return createExportTable('settings in force', inForceColumns, settings, inForceObject);
}

function valueText(value: unknown): string | undefined {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Who made a revision; the service may not say. */
export function whoOf(change: ControlChange | undefined): string | undefined {
	const {email, name, id} = change?.user ?? {};
	return email ?? name ?? id;
}

import {createExportTable, type ExportTable} from '../../domain/export-table.ts';
import {
	type ControlChange,
	isAbout,
	type RevisionDifference,
	type SettingChange,
	type SettingInForce,
} from '../../domain/organization/controls.ts';
import {instantOf, utcDayOf} from '../../domain/time.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {utcTime} from '../../text/values/times.ts';
import type {Column, TableContext} from '../rows/column.ts';

/** One setting changed by a revision; `setting` is undefined if the revision changed nothing. */
export type ControlRow = {readonly change: ControlChange; readonly setting: SettingChange | undefined};

/** Columns of the changes table, one row per setting. */
export const controlColumns: readonly Column<ControlRow>[] = [
	{name: 'revision', isNumber: true, value: ({change}) => change.revision},
	{name: 'updated_at', value: ({change}) => change.updatedAt},
	{name: 'user', value: ({change}) => whoOf(change)},
	{name: 'user_id', isOnlyCsv: true, value: ({change}) => change.user?.id},
	{name: 'setting', value: ({setting}) => setting?.path.join('.')},
	{name: 'change', value: ({setting}) => (setting ? kindText(setting.kind) : 'nothing')},
	{name: 'before', value: ({setting}) => valueText(setting?.before)},
	{name: 'after', value: ({setting}) => valueText(setting?.after)},
];

/** The revisions with only their changes to a setting, without those that have none; all if there is no setting. */
export function withChangesTo(
	setting: string | undefined,
	differences: readonly RevisionDifference[],
): readonly RevisionDifference[] {
	if (!setting) return differences;
	return differences
		.map(one => ({...one, changes: one.changes.filter(change => isAbout(change, setting))}))
		.filter(({changes}) => changes.length > 0);
}

export function controlRows(differences: readonly RevisionDifference[]): ControlRow[] {
	return differences.flatMap(({change, changes}) =>
		(changes.length > 0 ? changes : [undefined]).map(setting => ({change, setting})),
	);
}

export function differenceObject({change, isFirstKnown, changes}: RevisionDifference): object {
	return {...change, quarterdeck: {isFirstKnown, changes}};
}

export const revisionColumns: readonly Column<RevisionDifference>[] = [
	{
		name: 'revision',
		title: safe`REV`,
		value: ({change}) => change.revision,
		isNumber: true,
		size: {width: 5, rank: 0},
		cell: ({change}) => [span(safe`${change.revision}`, 'strong')],
	},
	{
		name: 'updated_at',
		title: safe`WHEN (UTC)`,
		value: ({change}) => change.updatedAt,
		// The narrowest screens show the date only.
		size: ({width}) => ({width: width < 60 ? 10 : 16, rank: 1}),
		cell: ({change}, _, width) => [
			span(cleanLine(utcTime(instantOf(change.updatedAt)).slice(0, width)), 'dim'),
		],
	},
	{
		name: 'user',
		title: safe`WHO`,
		value: ({change}) => whoOf(change),
		// One long email leaves room for the changes.
		size: ({width}, widest) => ({
			width: width < 100 ? 18 : 25,
			max: Math.min(widest, Math.floor(width / 4)),
			rank: 2,
			growAfter: 10,
		}),
		cell: ({change}) => [span(authorText(change))],
	},
	{name: 'user_id', value: ({change: {user}}) => user?.id},
	{name: 'user_name', value: ({change: {user}}) => user?.name},
	{
		name: 'settings',
		title: safe`WHAT`,
		value: ({changes}) => changes.map(({path}) => path.join('.')).join(' '),
		size: (_, widest) => ({width: 20, max: widest, rank: 0, growAfter: 10}),
		text: summaryOf,
		cell: difference => [span(summaryOf(difference), namesChanges(difference) ? 'text' : 'dim')],
	},
];

/** Whether the revision names the settings it changed. */
function namesChanges({changes, isFirstKnown}: RevisionDifference): boolean {
	return !isFirstKnown && changes.length > 0;
}

function summaryOf({changes: all, isFirstKnown}: RevisionDifference): Safe {
	if (isFirstKnown) return safe`first known revision: ${all.length} settings`;
	const changes = all.filter(({kind}) => kind !== 'absent');
	const absent = all.length - changes.length;
	const changed = changes.length === 0 ? safe`nothing` : cleanLine(settingsOf(changes), 300);
	return absent === 0 ? changed : safe`${changed} (${absent} not in this record)`;
}

/** The changed settings without duplicates, with the number of changed items when above one. */
function settingsOf(changes: readonly SettingChange[]): string {
	const byPath = Map.groupBy(changes, ({path}) => path.join('.'));
	return [...byPath].map(([path, {length}]) => (length > 1 ? `${path} (${length})` : path)).join(', ');
}

/** Tables of revisions in the given order: one row per revision, and one row per changed setting. */
export function controlsTables(differences: readonly RevisionDifference[]): ExportTable[] {
	return [
		createExportTable('changes', controlColumns, controlRows(differences)),
		createExportTable('revisions', revisionColumns, differences, differenceObject),
	];
}

export function kindText(kind: SettingChange['kind']): string {
	return kind === 'absent' ? 'not in this record' : kind;
}

/** `newest`: the newest revision. */
type SettingContext = TableContext & {readonly newest?: number | undefined};

export const settingColumns: readonly Column<SettingInForce, SettingContext>[] = [
	{
		name: 'setting',
		value: nameOf,
		size: ({width}, widest) => ({width: width < 100 ? 30 : 32, max: widest, rank: 0, growAfter: 10}),
		// The end of a path tells its settings apart.
		cell: (setting, _, width) => [span(cutMiddle(cleanLine(nameOf(setting)), width), 'strong')],
	},
	{
		name: 'value',
		value: ({value}) => valueText(value),
		size: ({width}, widest) => ({
			width: width < 100 ? 14 : 20,
			max: Math.min(60, widest),
			rank: 1,
			growAfter: 10,
		}),
		text: shownValue,
		cell: setting => [span(shownValue(setting))],
	},
	{name: 'is_default', isOnlyCsv: true, value: ({isDefault = false}) => isDefault},
	{
		name: 'since',
		title: safe`SINCE (UTC)`,
		value: setting => sinceOf(setting)?.updatedAt,
		size: ({width}) => ({width: width < 100 ? 11 : 21, rank: 2}),
		cell(setting, _, width) {
			const at = instantOf(sinceOf(setting)?.updatedAt);
			const day = cleanLine(at === undefined ? '-' : utcDayOf(at));
			return [span(setting.isSinceFirst && width > 11 ? safe`${day} or earlier` : day, 'dim')];
		},
	},
	{
		name: 'since_revision',
		title: safe`REV`,
		isNumber: true,
		value: setting => sinceOf(setting)?.revision,
		size: {width: 5, rank: 4},
		cell: setting => [span(cleanLine(String(sinceOf(setting)?.revision ?? '-')), 'dim')],
	},
	{name: 'maybe_earlier', isOnlyCsv: true, value: ({isSinceFirst}) => isSinceFirst},
	{
		name: 'user',
		title: safe`BY`,
		value: setting => whoOf(sinceOf(setting)),
		size: {width: 16, max: 25, rank: 3, growAfter: 10},
		cell: setting => [span(setting.isDefault ? safe`-` : authorText(setting.since), 'dim')],
	},
	{name: 'user_id', isOnlyCsv: true, value: setting => sinceOf(setting)?.user?.id},
	{
		name: 'last_revision',
		title: safe`LAST REV`,
		isNumber: true,
		value: ({lastIn, isDefault}) => (isDefault ? undefined : lastIn.revision),
		size: {width: 8, rank: 5},
		cell: ({lastIn, isDefault}, {newest}) => [
			isDefault
				? span(safe`-`, 'dim')
				: span(safe`${lastIn.revision}`, lastIn.revision === newest ? 'dim' : 'warn'),
		],
	},
];

export function nameOf({path}: SettingInForce): string {
	return path.join('.');
}

function shownValue({value, isSecret, isDefault}: SettingInForce): Safe {
	const text = cleanLine(valueText(value) || (value === '' ? '(empty text)' : '-'));
	if (isDefault) return safe`${text} (default)`;
	return isSecret ? safe`${text} (secrets hidden)` : text;
}

/** The revision that introduced a value; undefined for a default. */
function sinceOf({since, isDefault}: SettingInForce): ControlChange | undefined {
	return isDefault ? undefined : since;
}

/** A setting with its raw value, not formatted as text. */
export function inForceObject(setting: SettingInForce): object {
	const {value, isSinceFirst, lastIn, isDefault = false} = setting;
	const since = sinceOf(setting);
	return {
		setting: nameOf(setting),
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
	return createExportTable('settings in force', settingColumns, settings, inForceObject);
}

function valueText(value: unknown): string | undefined {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Who made a revision; the service may not say. */
function whoOf(change: ControlChange | undefined): string | undefined {
	const {email, name, id} = change?.user ?? {};
	return email ?? name ?? id;
}

export function authorText(change: ControlChange): Safe {
	return cleanLine(whoOf(change) ?? '(unknown)', 120);
}

import {controlsTables} from '../../domain/export-tables/controls-tables.ts';
import {isAbout, type RevisionDifference, type SettingChange} from '../../domain/organization/controls.ts';
import {instantOf} from '../../domain/time.ts';
import type {KeyMap} from '../../keys/key-map.ts';
import type {Organization} from '../../state/organization.ts';
import type {OrganizationReading} from '../../state/organization-reading.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {age, utcTime} from '../../text/values/times.ts';
import {figure, figureLines, filterWords, type Page, type PageSize} from './page.ts';
import {listPage, type PageColumn, widestOf} from './page-columns.ts';
import {authorText, revisionPage} from './revision-page.ts';
import {settingsPage} from './settings-page.ts';

/**
 * The Controls view: the revisions of the settings, newest first; the changes of one revision; or the current
 * settings.
 */
export function controlsPage(
	{controls: {data}}: Organization,
	reading: OrganizationReading,
	size: PageSize,
	now: number,
	label: KeyMap['label'],
): Page | undefined {
	if (!data) return undefined;
	const {opened, words, showsInForce} = reading;
	if (showsInForce) return settingsPage(data, reading, size, now, label);
	const setting = words.controls ?? '';
	const shown = setting === '' ? data : data.flatMap(difference => about(difference, setting));
	const open = shown.find(({change}) => String(change.revision) === opened.controls);
	if (open) return revisionPage(open, setting, size);
	return listPage({
		columns: columnsAt(data, now, size.width),
		rows: shown,
		width: size.width,
		idOf: ({change}) => String(change.revision),
		title: [span(safe`Controls`, 'heading'), ...filterWords(setting)],
		head: [
			...figureLines(
				[
					figure(shown.length, shown.length === 1 ? safe`revision` : safe`revisions`),
					[span(setting === '' ? safe`newest first` : safe`that changed this setting`, 'dim')],
					[span(safe`${label('controls-tab')} shows the current settings`, 'dim')],
				],
				size.width,
			),
			[],
		],
		data: () => ({
			name: 'controls',
			selection: {view: 'controls', setting},
			tables: controlsTables(shown),
		}),
		empty:
			data.length === 0
				? safe`The settings have never changed`
				: safe`No revision changed a matching setting`,
	});
}

function about(difference: RevisionDifference, setting: string): RevisionDifference[] {
	const changes = difference.changes.filter(change => isAbout(change, setting));
	return changes.length > 0 ? [{...difference, changes}] : [];
}

function columnsAt(
	all: readonly RevisionDifference[],
	now: number,
	width: number,
): readonly PageColumn<RevisionDifference>[] {
	const isNarrow = width < 100;
	// Cap the width, so one long email leaves room for the changes.
	const whoWidth = Math.min(widestOf(all, who), Math.floor(width / 5));
	// On the narrowest screens, the date only.
	const whenWidth = width < 60 ? 10 : 16;
	const columns: readonly PageColumn<RevisionDifference>[] = [
		{title: safe`REV`, width: 5, isNumber: true, cell: ({change}) => [safe`${change.revision}`, 'strong']},
		{
			title: safe`WHEN (UTC)`,
			width: whenWidth,
			cell: ({change}) => [cleanLine(utcTime(instantOf(change.updatedAt)).slice(0, whenWidth)), 'dim'],
		},
		{
			title: safe`WHO`,
			width: isNarrow ? 18 : 25,
			wanted: whoWidth,
			cell: difference => [who(difference)],
		},
		{
			title: safe`WHAT`,
			width: width < 60 ? 12 : 18,
			wanted: widestOf(all, whatOf),
			cell: difference => [whatOf(difference), namesChanges(difference) ? 'text' : 'dim'],
		},
		{
			title: safe`AGE`,
			width: 4,
			isNumber: true,
			cell: ({change}) => {
				const at = instantOf(change.updatedAt);
				return [age(at === undefined ? undefined : now - at), 'dim'];
			},
		},
	];
	// The date column makes the age redundant; the revision's page shows who changed it.
	const given = width < 60 ? ['WHO', 'AGE'] : isNarrow ? ['AGE'] : [];
	return columns.filter(({title}) => !given.includes(title));
}

/** Whether the revision names the settings it changed. */
function namesChanges({changes, isFirstKnown}: RevisionDifference): boolean {
	return !isFirstKnown && changes.length > 0;
}

function whatOf({changes: all, isFirstKnown}: RevisionDifference): Safe {
	if (isFirstKnown) return safe`first known revision: ${all.length} settings`;
	const changes = all.filter(({kind}) => kind !== 'absent');
	const absent = all.length - changes.length;
	const changed = changes.length === 0 ? safe`nothing` : cleanLine(settingsOf(changes), 300);
	return absent === 0 ? changed : safe`${changed} (${absent} not in this record)`;
}

/** The changed settings without duplicates, with the number of changed items when above one. */
function settingsOf(changes: readonly SettingChange[]): string {
	const counts = new Map<string, number>();
	for (const {path} of changes) counts.set(path.join('.'), (counts.get(path.join('.')) ?? 0) + 1);
	return [...counts].map(([path, count]) => (count > 1 ? `${path} (${count})` : path)).join(', ');
}

function who({change}: RevisionDifference): Safe {
	return authorText(change);
}

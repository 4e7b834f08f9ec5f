import {
	type ControlChange,
	type RevisionDifference,
	type SettingChange,
	type SettingInForce,
	settingsInForce,
} from '../../domain/organization/controls.ts';
import {instantOf} from '../../domain/time.ts';
import {
	authorText,
	controlsTables,
	inForceTable,
	kindText,
	nameOf,
	revisionColumns,
	settingColumns,
	withChangesTo,
} from '../../state/organization/control-columns.ts';
import type {Organization} from '../../state/organization/organization.ts';
import type {OrganizationViewState} from '../../state/organization/organization-view-state.ts';
import type {Column} from '../../state/rows/column.ts';
import {rememberEach} from '../../state/rows/remember.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, lineWidth, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {settingTree} from '../../text/values/setting-tree.ts';
import {age, utcTime} from '../../text/values/times.ts';
import {widestTexts} from '../kit/columns.ts';
import {
	counted,
	figure,
	figureHead,
	figureLines,
	listed,
	listPage,
	type Page,
	type PageContext,
	pageTitle,
	textPage,
} from './page.ts';
import {strings} from './strings.ts';

const currentSettings = safe`Current settings`;

/**
 * The Controls view: the revisions of the settings, newest first; the changes of one revision; or the current
 * settings.
 */
export function controlsPage(
	{controls: {data}}: Organization,
	viewState: OrganizationViewState,
	context: PageContext,
): Page | undefined {
	if (!data) return undefined;
	const {width, label, filter: setting = ''} = context;
	const {opened, showsInForce} = viewState;
	if (showsInForce) return settingsPage(data, viewState, context);
	const shown = withChangesTo(setting, data);
	const open = shown.find(({change}) => String(change.revision) === opened.controls);
	if (open) return revisionPage(open, setting, width);
	return listPage({
		// The date and the revision's page say how long ago it was.
		columns: width < 100 ? revisionColumns : [...revisionColumns, ageColumn],
		context,
		widest: widestOf(data),
		...listed(shown),
		idOf: ({change}) => String(change.revision),
		title: pageTitle('controls', {filter: setting}),
		head: figureHead(
			[
				figure(shown.length, counted(shown.length, safe`revision`, safe`revisions`)),
				[span(setting === '' ? safe`newest first` : safe`that changed this setting`, 'dim')],
				[span(safe`${label('controls-tab')} shows the current settings`, 'dim')],
			],
			width,
		),
		data: () => ({
			name: 'controls',
			selection: {view: 'controls', setting},
			tables: controlsTables(shown),
		}),
		empty:
			data.length > 0
				? safe`No revision changed a matching setting`
				: context.isEmbedded
					? safe`No organization here; your own settings are in the configuration file`
					: safe`No changes to the settings yet`,
	});
}

const widestOf = rememberEach((all: readonly RevisionDifference[]) => widestTexts(revisionColumns, all));

/** How long ago, where there is room. */
const ageColumn: Column<RevisionDifference> = {
	name: 'age',
	value: ({change}) => change.updatedAt,
	isNumber: true,
	size: {width: 4, rank: 3},
	cell({change}, {now}) {
		const at = instantOf(change.updatedAt);
		return [span(age(at === undefined ? undefined : now - at), 'dim')];
	},
};

const maxValueLength = 2000;
const maxRows = 40;
const maxValueWidth = 140;

const looks = {
	set: [safe`+`, 'good'],
	added: [safe`+`, 'good'],
	unset: [safe`-`, 'bad'],
	removed: [safe`-`, 'bad'],
	changed: [safe`~`, 'warn'],
	absent: [safe`?`, 'dim'],
} as const satisfies Record<SettingChange['kind'], readonly [Safe, Tone]>;

/** The changes of one revision by setting: author, time, old and new value. */
function revisionPage(difference: RevisionDifference, setting: string, width: number): Page {
	const {change, changes, isFirstKnown} = difference;
	const title = pageTitle('controls', {item: safe`revision ${change.revision}`, filter: setting});
	const head: Line[] = [
		...figureLines(
			[
				[span(authorText(change), 'strong')],
				[span(utcTime(instantOf(change.updatedAt)), 'dim')],
				...authorDetails(change),
				...changeCounts(changes),
			],
			width,
		),
		...(isFirstKnown
			? [[span(safe`First known revision: lists all of its settings, changed or not`, 'warn')]]
			: []),
		[],
	];
	// Fields missing from the record come last: they say nothing about changes.
	const ordered = changes.toSorted((a, b) => Number(a.kind === 'absent') - Number(b.kind === 'absent'));
	const bySetting = Map.groupBy(ordered, ({path}) => JSON.stringify(path));
	const lines = [...bySetting.values()].flatMap(ofSetting => settingLines(ofSetting, width));
	return {
		...textPage(title, head, lines.length > 0 ? lines : [[span(safe`No changes`, 'dim')]]),
		data: () => ({
			name: `controls-revision-${change.revision}`,
			selection: {view: 'controls', revision: change.revision, setting},
			tables: controlsTables([difference]),
		}),
	};
}

/** The number of changes and, separately, of fields missing from the record. */
function changeCounts(changes: readonly SettingChange[]): Line[] {
	const absent = changes.filter(({kind}) => kind === 'absent').length;
	const count = changes.length - absent;
	return [
		figure(count, counted(count, safe`change`, safe`changes`)),
		...(absent > 0 ? [figure(absent, safe`not in this record`)] : []),
	];
}

/** A setting's path, what happened to it, and its old and new value; list items are grouped under it. */
function settingLines(changes: readonly SettingChange[], width: number): Line[] {
	const kinds = [...new Set(changes.map(({kind}) => kind))];
	const [glyph, tone] = looks[kinds.length === 1 && kinds[0] ? kinds[0] : 'changed'];
	const count = (kind: SettingChange['kind']) => changes.filter(change => change.kind === kind).length;
	const kindTexts = kinds.map(kind =>
		changes.length === 1 ? kindText(kind) : `${count(kind)} ${kindText(kind)}`,
	);
	const heading: Line = [
		span(safe`${glyph} `, tone),
		span(cleanLine(changes[0]?.path.join(' › ') || '(all settings)', 300), 'strong'),
		span(safe`  ${cleanLine(kindTexts.join(', '))}`, tone),
	];
	const secret = span(safe`secret, value hidden`, 'dim');
	const isSecret = changes.some(change => change.isSecret);
	const isBeside = lineWidth(heading) + 2 + lineWidth([secret]) <= width;
	return [
		isSecret && isBeside ? [...heading, span(safe`  `), secret] : heading,
		...(isSecret && !isBeside ? [[span(safe`    `), secret]] : []),
		...changes.flatMap(({before, kind}) =>
			kind === 'absent'
				? valueLines(safe`last known:`, before, 'dim', width)
				: valueLines(safe`-`, before, 'bad', width),
		),
		...changes.flatMap(({after}) => valueLines(safe`+`, after, 'good', width)),
		[],
	];
}

function valueLines(sign: Safe, value: unknown, tone: Tone, width: number): Line[] {
	if (value === undefined) return [];
	const room = Math.max(8, Math.min(width - textWidth(sign) - 5, maxValueWidth));
	const tree = cleanText(settingTree(value), {maxLength: maxValueLength});
	return wrapText(tree, room, maxRows).map(
		(row, index): Line => [
			span(index === 0 ? safe`    ${sign} ` : pad(safe``, textWidth(sign) + 5), tone),
			span(row, tone),
		],
	);
}

const maxWholeLength = 100_000;

const inForceOf = rememberEach(settingsInForce);

/** The current value of each setting, since when and by whom; or one setting in full. */
function settingsPage(
	history: readonly RevisionDifference[],
	{opened}: OrganizationViewState,
	context: PageContext,
): Page {
	const {width, label, filter = ''} = context;
	const newest = history[0]?.change.revision;
	const words = filter.trim().toLowerCase();
	const all = inForceOf(history);
	const shown = all.filter(setting => nameOf(setting).toLowerCase().includes(words));
	const open = shown.find(setting => idOf(setting) === opened.controls);
	if (open) return settingPage(open, newest, context);
	return listPage({
		columns: settingColumns,
		context: {...context, newest},
		widest: widestTexts(settingColumns, all),
		...listed(shown),
		idOf,
		title: pageTitle('controls', {item: currentSettings, filter}),
		head: figureHead(
			[
				figure(all.length, counted(all.length, safe`setting`, safe`settings`), shown.length),
				[span(safe`newest known value of each`, 'dim')],
				[span(safe`${label('controls-tab')} shows the history`, 'dim')],
			],
			width,
		),
		data: () => ({
			name: 'controls-in-force',
			selection: {view: 'controls', tab: 'settings in force', setting: filter},
			tables: [inForceTable(shown)],
		}),
		empty: all.length === 0 ? safe`No settings yet` : strings.noMatches,
	});
}

/** An id of the setting that can't be mistaken for a revision's, which is a number. */
function idOf({path}: SettingInForce): string {
	return JSON.stringify(path);
}

/** The user's name and id, when the email is shown as the author. */
function authorDetails({user}: ControlChange): Line[] {
	const more = [user?.email && user.name, user?.id].filter(Boolean).join(', ');
	return more === '' || more === user?.email ? [] : [[span(cleanLine(more, 120), 'dim')]];
}

function settingPage(setting: SettingInForce, newest: number | undefined, {width, now}: PageContext): Page {
	const {path, value, since, isSinceFirst, lastIn, isSecret, isDefault} = setting;
	const at = instantOf(since.updatedAt);
	const origin = [
		[
			span(isSinceFirst ? safe`unchanged since revision ` : safe`set in revision `, 'dim'),
			span(safe`${since.revision}`, 'strong'),
			span(isSinceFirst ? safe` or earlier` : safe``, 'dim'),
		],
		[span(utcTime(at), 'strong'), span(safe` (${age(at === undefined ? undefined : now - at)} ago)`, 'dim')],
		[span(authorText(since), 'strong')],
		...authorDetails(since),
		...(lastIn.revision === newest
			? []
			: [[span(safe`not in the newest revision; last in revision ${lastIn.revision}`, 'warn')]]),
		...(isSecret ? [[span(safe`secrets are hidden`, 'dim')]] : []),
	];
	const head = figureHead(
		isDefault ? [[span(safe`never set: the default of the API`, 'dim')]] : origin,
		width,
	);
	const item = safe`${currentSettings} › ${cleanLine(path.join(' › '), 200)}`;
	return {
		...textPage(
			pageTitle('controls', {item}),
			head,
			wrapText(cleanText(settingTree(value), {maxLength: maxWholeLength}), width).map(row => [span(row)]),
		),
		data: () => ({
			name: `controls-${nameOf(setting)}`,
			selection: {view: 'controls', setting: nameOf(setting)},
			tables: [inForceTable([setting])],
		}),
	};
}

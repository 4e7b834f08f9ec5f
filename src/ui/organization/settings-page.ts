import type {ControlChange, RevisionDifference} from '../../domain/organization/controls.ts';
import {type SettingInForce, settingsInForce} from '../../domain/organization/settings-in-force.ts';
import {instantOf} from '../../domain/time.ts';
import {authorText, inForceTable, nameOf, settingColumns} from '../../state/organization/control-columns.ts';
import type {OrganizationViewState} from '../../state/organization/organization-view-state.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {settingTree} from '../../text/values/setting-tree.ts';
import {age, utcTime} from '../../text/values/times.ts';
import {widestTexts} from '../kit/columns.ts';
import {listPage} from './list-page.ts';
import {figure, figureHead, type Page, type PageContext, pageTitle, textPage} from './page.ts';
import {strings} from './strings.ts';

const text = strings.settings;

const maxValueLength = 100_000;

/** The current value of each setting, since when and by whom; or one setting in full. */
export function settingsPage(
	history: readonly RevisionDifference[],
	{opened}: OrganizationViewState,
	context: PageContext,
): Page {
	const {width, label, filter = ''} = context;
	const newest = history[0]?.change.revision;
	const words = filter.trim().toLowerCase();
	const all = settingsInForce(history);
	const shown = all.filter(setting => nameOf(setting).toLowerCase().includes(words));
	const open = shown.find(setting => idOf(setting) === opened.controls);
	if (open) return settingPage(open, newest, context);
	return listPage({
		columns: settingColumns,
		context: {...context, newest},
		widest: widestTexts(settingColumns, all),
		rows: shown,
		idOf,
		title: pageTitle('controls', {item: text.title, filter}),
		head: figureHead(
			[
				figure(shown.length, text.setting(shown.length)),
				[span(text.note, 'dim')],
				[span(text.showHistory(label('controls-tab')), 'dim')],
			],
			width,
		),
		data: () => ({
			name: 'controls-in-force',
			selection: {view: 'controls', tab: 'settings in force', setting: filter},
			tables: [inForceTable(shown)],
		}),
		empty: all.length === 0 ? text.empty : strings.noMatches,
	});
}

/** An id of the setting that can't be mistaken for a revision's, which is a number. */
function idOf({path}: SettingInForce): string {
	return JSON.stringify(path);
}

/** The user's name and id, when the email is shown as the author. */
export function authorDetails({user}: ControlChange): Line[] {
	const more = [user?.email && user.name, user?.id].filter(Boolean).join(', ');
	return more === '' || more === user?.email ? [] : [[span(cleanLine(more, 120), 'dim')]];
}

function settingPage(setting: SettingInForce, newest: number | undefined, {width, now}: PageContext): Page {
	const {path, value, since, isSinceFirst, lastIn, isSecret, isDefault} = setting;
	const at = instantOf(since.updatedAt);
	const origin = [
		[
			span(isSinceFirst ? text.unchangedSince : text.setIn, 'dim'),
			span(safe`${since.revision}`, 'strong'),
			span(isSinceFirst ? text.orEarlierRevision : safe``, 'dim'),
		],
		[
			span(utcTime(at), 'strong'),
			span(strings.report.ago(age(at === undefined ? undefined : now - at)), 'dim'),
		],
		[span(authorText(since), 'strong')],
		...authorDetails(since),
		...(lastIn.revision === newest ? [] : [[span(text.notNewest(lastIn.revision), 'warn')]]),
		...(isSecret ? [[span(text.secrets, 'dim')]] : []),
	];
	const head = figureHead(isDefault ? [[span(text.noRevision, 'dim')]] : origin, width);
	const item = safe`${text.title} › ${cleanLine(path.join(' › '), 200)}`;
	return {
		...textPage(
			pageTitle('controls', {item}),
			head,
			wrapText(cleanText(settingTree(value), {maxLength: maxValueLength}), width).map(row => [span(row)]),
		),
		data: () => ({
			name: `controls-${nameOf(setting)}`,
			selection: {view: 'controls', setting: nameOf(setting)},
			tables: [inForceTable([setting])],
		}),
	};
}

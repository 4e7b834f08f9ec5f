import {controlsTables, kindText, whoOf} from '../../domain/export-tables/controls-tables.ts';
import type {ControlChange, RevisionDifference, SettingChange} from '../../domain/organization/controls.ts';
import {instantOf} from '../../domain/time.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, lineWidth, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {settingTree} from '../../text/values/setting-tree.ts';
import {utcTime} from '../../text/values/times.ts';
import {figure, figureLines, filterWords, type Page, type PageSize, textPage} from './page.ts';

const maxValueLength = 2000;
const maxRows = 40;
const widest = 140;

const looks = {
	set: [safe`+`, 'good'],
	added: [safe`+`, 'good'],
	unset: [safe`-`, 'bad'],
	removed: [safe`-`, 'bad'],
	changed: [safe`~`, 'warn'],
	absent: [safe`?`, 'dim'],
} as const satisfies Record<SettingChange['kind'], readonly [Safe, Tone]>;

/** The changes of one revision by setting: author, time, old and new value. */
export function revisionPage(difference: RevisionDifference, setting: string, {width}: PageSize): Page {
	const {change, changes, isFirstKnown} = difference;
	const title: Line = [
		span(safe`Controls`, 'heading'),
		span(safe` › `, 'dim'),
		span(safe`revision ${change.revision}`, 'strong'),
		...filterWords(setting),
	];
	const head: Line[] = [
		...figureLines(
			[
				[span(authorText(change), 'strong')],
				[span(utcTime(instantOf(change.updatedAt)), 'dim')],
				...whoLines(difference),
				...changeFigures(changes),
			],
			width,
		),
		...(isFirstKnown
			? [[span(safe`First known revision: all of its settings, not what it changed`, 'warn')]]
			: []),
		[],
	];
	// Fields missing from the record come last: they say nothing about changes.
	const ordered = changes.toSorted((a, b) => Number(a.kind === 'absent') - Number(b.kind === 'absent'));
	const bySetting = Map.groupBy(ordered, ({path}) => JSON.stringify(path));
	const lines = [...bySetting.values()].flatMap(own => settingLines(own, width));
	return {
		...textPage(title, head, lines.length > 0 ? lines : [[span(safe`No changes`, 'dim')]]),
		data: () => ({
			name: `controls-revision-${change.revision}`,
			selection: {view: 'controls', revision: change.revision, setting},
			tables: controlsTables([difference]),
		}),
	};
}

/** The user's name and id, when the email is shown as the author. */
function whoLines({change: {user}}: RevisionDifference): Line[] {
	const more = [user?.email && user.name, user?.id].filter(Boolean).join(', ');
	return more === '' || more === user?.email ? [] : [[span(cleanLine(more, 120), 'dim')]];
}

/** The number of changes and, separately, of fields missing from the record. */
function changeFigures(changes: readonly SettingChange[]): Line[] {
	const absent = changes.filter(({kind}) => kind === 'absent').length;
	const count = changes.length - absent;
	return [
		figure(count, count === 1 ? safe`change` : safe`changes`),
		...(absent > 0 ? [figure(absent, safe`not in this record`)] : []),
	];
}

/** The author of a revision. */
export function authorText(change: ControlChange): Safe {
	return cleanLine(whoOf(change) ?? '(unknown)', 120);
}

/** A setting's path, what happened to it, and its old and new value; list items are grouped under it. */
function settingLines(changes: readonly SettingChange[], width: number): Line[] {
	const kinds = [...new Set(changes.map(({kind}) => kind))];
	const [glyph, tone] = looks[kinds.length === 1 && kinds[0] ? kinds[0] : 'changed'];
	const words =
		changes.length === 1
			? cleanLine(kindText(changes[0]?.kind ?? 'changed'))
			: cleanLine(
					kinds
						.map(kind => `${changes.filter(one => one.kind === kind).length} ${kindText(kind)}`)
						.join(', '),
				);
	const heading: Line = [
		span(safe`${glyph} `, tone),
		span(cleanLine(changes[0]?.path.join(' › ') || '(all settings)', 300), 'strong'),
		span(safe`  ${words}`, tone),
	];
	const secret = span(safe`a secret: its value is hidden`, 'dim');
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
	const room = Math.max(8, Math.min(width - textWidth(sign) - 5, widest));
	const text = cleanText(settingTree(value), {maxLength: maxValueLength});
	return wrapText(text, room, maxRows).map(
		(row, index): Line => [
			span(index === 0 ? safe`    ${sign} ` : pad(safe``, textWidth(sign) + 5), tone),
			span(row, tone),
		],
	);
}

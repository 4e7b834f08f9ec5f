import {keyLabel} from '../../keys/key-label.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {remember} from '../../state/rows/remember.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import {setView, type View} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, padLine, type Span, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapStart} from '../../text/cells/wrap.ts';
import type {KeyLayer} from '../input.ts';
import {bindingsOf} from '../keys/binding.ts';
import {type HelpEntry, type HelpGroup, helpGroups} from '../keys/help.ts';
import {inViewsAndWelcome} from '../keys/key-contexts.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {queryLine} from '../kit/text-field.tsx';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Layout, Rect} from '../layout.ts';
import {layoutNow} from '../layout-now.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog} from './list-layer.ts';
import {scrolledTextLayer, TextPane} from './scrolled-text.tsx';
import {strings} from './strings.ts';

const indent = 2;
/** Width of the key column, by the minimum width of an entry: the narrower it is, the more its description needs. */
const keyWidths = [
	{minWidth: 64, keyWidth: 20},
	{minWidth: 50, keyWidth: 17},
] as const;
const minKeyWidth = 13;
/** More rows than any binding has. */
const maxRows = 8;

/** Minimum width of each of several columns, and the blank columns between them. */
const minColumnWidth = 54;
const columnGap = 3;

/**
 * The help as rows of at most `width` columns: a heading per context, with keys on the left and their
 * descriptions beside them; contexts side by side where there is room. `palette` runs what has no key.
 */
function helpLines(groups: readonly HelpGroup[], width: number, palette: Safe): Line[] {
	const count = Math.max(1, Math.floor((width + columnGap) / (minColumnWidth + columnGap)));
	const each = Math.floor((width + columnGap) / count) - columnGap;
	const blocks = groups.map(group => [
		headingLine(group),
		...group.entries.flatMap(entry => entryLines(entry, group.isHere, each, palette)),
		[],
	]);
	const columns = inColumns(blocks, count);
	const rows = Array.from(
		{length: Math.max(0, ...columns.map(({length}) => length))},
		(_, row): Line =>
			columns.flatMap((column, index) => [
				...(index > 0 ? [span(pad(safe``, columnGap))] : []),
				...(index < columns.length - 1 ? padLine(column[row] ?? [], each) : (column[row] ?? [])),
			]),
	);
	return rows.slice(0, -1);
}

/** Arranges blocks, in their order, in at most `count` columns of about the same height. */
function inColumns(blocks: readonly Line[][], count: number): Line[][] {
	const sizes = blocks.map(({length}) => length);
	let height = Math.max(0, ...sizes, Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / count));
	for (;;) {
		const columns = filled(blocks, height);
		if (columns.length <= count) return columns;
		height++;
	}
}

/** Columns of at most `height` rows; a block stays whole. */
function filled(blocks: readonly Line[][], height: number): Line[][] {
	const columns: Line[][] = [];
	for (const block of blocks) {
		const last = columns.at(-1);
		if (last && last.length + block.length <= height) last.push(...block);
		else columns.push([...block]);
	}
	return columns;
}

function headingLine({title, isHere}: HelpGroup): Line {
	return [span(safe` ${cleanLine(title)}`, 'heading'), ...(isHere ? [span(safe`  here`, 'accent')] : [])];
}

function entryLines(
	{binding, keys, reason, isCustom}: HelpEntry,
	isHere: boolean,
	width: number,
	palette: Safe,
): Line[] {
	const {keyWidth} = keyWidths.find(({minWidth}) => width >= minWidth) ?? {keyWidth: minKeyWidth};
	const isEnabled = reason === undefined && keys.length > 0;
	const left = keys.length > 0 ? keyRows(keys, keyWidth - indent - 1) : [safe`in ${palette}`];
	const room = Math.max(8, width - keyWidth);
	const right: Span[] = [
		...rowsOf(cleanLine(binding.title), room, isHere && isEnabled ? undefined : 'dim'),
		// Pressing the key says all of it.
		...(reason === undefined ? [] : rowsOf(strings.disabled(cleanLine(reason)), room, 'warn', 2)),
		...(isCustom ? rowsOf(safe`custom key`, room, 'info') : []),
	];
	return Array.from({length: Math.max(left.length, right.length)}, (_, row): Line => {
		const words = right[row];
		return [
			span(pad(safe`  ${left[row] ?? safe``}`, keyWidth), isHere && isEnabled ? 'accent' : 'dim'),
			...(words ? [words] : []),
		];
	});
}

function rowsOf(text: Safe, room: number, tone: Tone | undefined, most = maxRows): Span[] {
	return wrapStart(text, room, most).map(row => span(row, tone));
}

/** Packs as many keys into each row as fit. A key label is never truncated; one too wide breaks after a plus. */
function keyRows(keys: readonly string[], room: number): Safe[] {
	const rows: Safe[] = [];
	for (const label of keys.flatMap(key => pieces(keyLabel(key), room))) {
		const last = rows.at(-1);
		const joined = last === undefined ? label : safe`${last} ${label}`;
		if (last !== undefined && textWidth(joined) <= room) rows[rows.length - 1] = joined;
		else rows.push(label);
	}
	return rows;
}

function pieces(label: Safe, room: number): readonly Safe[] {
	if (textWidth(label) <= room) return [label];
	return label.split(/(?<=\+)(?=.)/).map(piece => cleanLine(piece));
}

/** Three columns with descriptions of up to 50 columns. */
const maxWidth = 204;
/** Rows of the query and a blank row. */
const rowsAbove = 2;

function helpSize(layout: Layout) {
	const rect = dialogRect(layout, Math.min(maxWidth, layout.columns - 4), layout.rows);
	return {rect, height: Math.max(1, rect.height - 2 - rowsAbove)};
}

/** Caches the lines for the key and the frame after it. `groups` is the JSON of what they show. */
const rememberedLines = remember((groups: string, width: number, palette: Safe) =>
	helpLines(JSON.parse(groups) as HelpGroup[], width, palette),
);

/** The keys in the view or dialog under the help that match its query, in a pane at `rect`. */
function foundLines(parts: AppParts, query: string, view: View, lists: Lists, {width}: Rect): Line[] {
	const now = parts.input.now(parts, popDialog(view), lists);
	return rememberedLines(
		JSON.stringify(helpGroups(parts.keys, query, now)),
		width - 4,
		parts.keys.label('palette'),
	);
}

/** Every key, grouped by context and searchable. Focused contexts come first; a disabled key shows why. */
function HelpDialog({dialog, layout, lists, view}: DialogProps<'help'>) {
	const parts = useApp();
	const {rect, height} = helpSize(layout);
	const lines = foundLines(parts, dialog.query, view, lists, rect);
	const search = queryLine(safe` > `, dialog.query, strings.typeToSearch, rect.width - 2);
	useScreenCursor({x: rect.x + 1 + search.cursor, y: rect.y + 1});
	const none = lines.length > 0 ? [] : [{line: [span(safe`  ${strings.noMatches}`, 'dim')]}];
	const head = [{line: search.line}, {line: []}, ...none];
	return (
		<TextPane dialog={dialog} rect={rect} title={safe`Keys`} head={head} lines={lines} height={height} />
	);
}

/** Keys of the help: typing searches, the list keys scroll. */
function helpLayer(parts: AppParts, dialog: DialogOf<'help'>): KeyLayer {
	const {rect, height} = helpSize(layoutNow(parts));
	const {query} = dialog;
	const count = () => foundLines(parts, query, parts.view.getState(), listsNow(parts), rect).length;
	return scrolledTextLayer(parts, dialog, height, count, {
		query,
		typed: words => changeDialog(parts.view, 'help', now => ({...now, query: words, top: 0})),
	});
}

export const helpBindings = bindingsOf([
	{
		action: 'help',
		keys: ['?'],
		title: 'Keys',
		hint: 'keys',
		contexts: [...inViewsAndWelcome, 'diff'],
		run: parts => setView(parts.view, view => pushDialog(view, {kind: 'help', query: '', top: 0})),
	},
]);

export const helpDialog: DialogModule<'help'> = {Component: HelpDialog, layer: helpLayer};

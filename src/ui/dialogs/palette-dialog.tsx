import {useMemo} from 'react';
import {notify} from '../../actions/notify.ts';
import {keyLabel} from '../../keys/key-label.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {popDialog, pushDialog, withTop} from '../../state/view/dialogs.ts';
import {withCursor} from '../../state/view/shown-item.ts';
import {setView, type View, withPage, withRecent} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {fitLine, type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {joinSafe, type Safe, safe} from '../../text/cells/safe.ts';
import {wrapStart} from '../../text/cells/wrap.ts';
import {type Found, highlightedText} from '../../text/search/fuzzy.ts';
import {type BindingOf, bindingsOf} from '../keys/binding.ts';
import {inViewsAndWelcome} from '../keys/key-contexts.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Row} from '../kit/frame.ts';
import {listTop} from '../kit/list-window.ts';
import {Pane} from '../kit/pane.tsx';
import {moreBelow} from '../kit/strings.ts';
import {queryLine} from '../kit/text-field.tsx';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import {useRowsZone} from '../mouse/use-rows-zone.ts';
import {zoneOrder} from '../mouse/zones.ts';
import {openSession} from '../open-session.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer, topDialog} from './list-layer.ts';
import {type PaletteItem, paletteItems} from './palette-items.ts';
import {strings} from './strings.ts';

const text = strings.palette;

const maxWidth = 90;
const maxHeight = 24;
/** Rows of the query and a blank row above the list; below, a blank row and a note, or a note of two rows. */
const rowsAround = 4;

/** The command palette: every action, view, session and computer, by name. */
function PaletteDialog({dialog, layout, lists, view}: DialogProps<'palette'>) {
	const parts = useApp();
	const {query, index} = dialog;
	const found = useMemo(() => foundItems(parts, view, lists, query), [parts, view, lists, query]);
	const rect = dialogRect(
		layout,
		Math.min(maxWidth, layout.columns - 4),
		Math.min(maxHeight, layout.rows - 4),
	);
	const room = Math.max(1, rect.height - 2 - rowsAround);
	const top = listTop(0, index, room, found.length);
	// Minus borders, marker and a blank column at the right.
	const width = rect.width - 6;
	const list = found.slice(top, top + room).map(
		(one, at): Row => ({
			line: [marker(top + at === index), ...itemLine(one, width)],
			isSelected: top + at === index,
		}),
	);
	const move = (next: (from: number) => number) =>
		changeDialog(parts.view, 'palette', now => ({
			...now,
			index: Math.max(0, Math.min(found.length - 1, next(now.index))),
		}));
	useRowsZone({
		rect,
		order: zoneOrder.dialog,
		above: 3,
		top,
		shown: list.length,
		pick(at) {
			if (at === undefined) return;
			move(() => at);
			choose(parts, found[at]?.item);
		},
		wheel: rows => move(from => from + rows),
	});
	const search = queryLine(safe` > `, query, text.hint, rect.width - 2);
	useScreenCursor({x: rect.x + 1 + search.cursor, y: rect.y + 1});
	const noMatches: Row = {line: [span(safe`  ${strings.noMatches}`, 'dim')]};
	const rows = [...(list.length > 0 ? list : [noMatches]), ...blank(room - Math.max(1, list.length))];
	return (
		<Pane
			rect={rect}
			title={[span(text.title, 'heading')]}
			right={[span(safe`${found.length}`, 'dim')]}
			bottom={moreBelow(found.length - top - room)}
			isFocused
			body={[{line: search.line}, {line: []}, ...rows, ...noteRows(found[index]?.item, width, parts.keys)]}
		/>
	);
}

/** An item's name with its matches highlighted, and its keys or kind at the right. */
function itemLine({item, matches}: Found<PaletteItem>, width: number): Line {
	const isDisabled = item.reason !== undefined;
	const end: Line = [
		span(safe` `),
		span(endWord(item), item.target.kind === 'action' && !isDisabled ? 'strong' : 'dim'),
	];
	const room = Math.max(4, width - lineWidth(end));
	const name = highlightedText(item.name, matches, isDisabled ? {tone: 'dim'} : {});
	return [...padLine(fitLine(name, room), room), ...end];
}

function endWord({target, keys, reason}: PaletteItem): Safe {
	const shown = joinSafe(keys.slice(0, 2).map(keyLabel), safe` `);
	if (target.kind === 'action') return reason === undefined ? shown : text.disabled(shown);
	return shown === '' ? cleanLine(target.kind) : safe`${cleanLine(target.kind)} ${shown}`;
}

/** Why the selected item is disabled, else the palette's keys; below a blank row, unless both are needed. */
function noteRows(item: PaletteItem | undefined, width: number, {label}: Pick<KeyMap, 'label'>): Row[] {
	if (item?.reason === undefined) {
		const keys = text.keys(label('choose'), verbOf(item), label('cancel'));
		return [{line: []}, {line: [span(safe`   ${keys}`, 'dim')]}];
	}
	const reason = wrapStart(strings.help.disabled(cleanLine(item.reason, 300)), width - 3, 2);
	return [...blank(2 - reason.length), ...reason.map(row => ({line: [span(safe`   ${row}`, 'warn')]}))];
}

function verbOf(item: PaletteItem | undefined): Safe {
	return item === undefined || item.target.kind === 'action' ? text.run : text.open;
}

function marker(isChosen: boolean) {
	return isChosen ? span(safe` ▌ `, 'accent') : span(safe`   `);
}

function blank(count: number): Row[] {
	return Array.from({length: Math.max(0, count)}, () => ({line: []}));
}

/** Keys of the palette: typing filters; Enter runs the selected item in the view below. */
function paletteLayer(parts: AppParts, dialog: DialogOf<'palette'>): KeyLayer {
	const found = () => foundItems(parts, parts.view.getState(), listsNow(parts), dialog.query);
	const replace = (change: Partial<typeof dialog>) =>
		setView(parts.view, view => withTop(view, {...dialog, ...change}));
	return listLayer(parts, {
		context: 'palette',
		query: dialog.query,
		index: dialog.index,
		count: () => found().length,
		typed: query => replace({query, index: 0}),
		moved: index => replace({index}),
	});
}

function foundItems(parts: AppParts, view: View, lists: Lists, query: string) {
	const now = parts.input.now(parts, {...view, dialogs: []}, lists);
	const source = {keys: parts.keys, now, filterables: parts.listBuilder.filterables};
	return paletteItems(query, lists, source, view.recent);
}

/** Runs or opens an item. A disabled item shows its reason and the palette stays open. */
function choose(parts: AppParts, item: PaletteItem | undefined): void {
	if (!item) return;
	if (item.reason !== undefined) {
		notify(parts.actions, 'info', `${item.name}: ${item.reason}`);
		return;
	}
	setView(parts.view, view => withRecent(popDialog(view), item.id));
	const {target} = item;
	if (target.kind === 'action') target.binding.run?.(parts, listsNow(parts));
	else if (target.kind === 'view') setView(parts.view, view => withPage(view, target.view));
	else if (target.kind === 'session') openSession(parts, target.id, 'main');
	else
		setView(parts.view, view => ({
			...withCursor(view, {section: 'computers', id: target.id}),
			page: 'work',
			focus: 'main',
		}));
}

const palette = {
	action: 'palette',
	isPaletteHidden: true,
	run: parts => setView(parts.view, view => pushDialog(view, {kind: 'palette', query: '', index: 0})),
} as const satisfies Partial<BindingOf<string>>;

export const paletteBindings = bindingsOf([
	{
		...palette,
		keys: ['ctrl+p', ':'],
		title: 'Commands: run or open anything by name',
		hint: 'commands',
		contexts: inViewsAndWelcome,
	},
	{
		...palette,
		keys: ['ctrl+p'],
		title: 'Commands: run or open anything by name; the draft stays',
		contexts: ['composer'],
	},
	{
		action: 'choose',
		keys: ['enter'],
		title: 'Run or open',
		hint: 'choose',
		contexts: ['palette'],
		isPaletteHidden: true,
		run(parts, lists) {
			const dialog = topDialog(parts.view, 'palette');
			if (dialog)
				choose(parts, foundItems(parts, parts.view.getState(), lists, dialog.query)[dialog.index]?.item);
		},
	},
]);

export const paletteDialog: DialogModule<'palette'> = {
	Component: PaletteDialog,
	layer: paletteLayer,
};

import {notify} from '../../actions/notify.ts';
import {keyLabel} from '../../keys/key-label.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {pushDialog} from '../../state/view/dialogs.ts';
import {withCursor} from '../../state/view/shown-item.ts';
import {setView, withPage, withRecent} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {fitLine, type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {joinSafe, type Safe, safe} from '../../text/cells/safe.ts';
import {wrapStart} from '../../text/cells/wrap.ts';
import {type Found, highlightedText} from '../../text/search/fuzzy.ts';
import {type BindingOf, bindingsOf} from '../keys/binding.ts';
import {inViewsAndWelcome} from '../keys/key-contexts.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {openSession} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';
import {isOf, type PaletteItem, paletteItems} from './palette-items.ts';
import {strings} from './strings.ts';

const maxWidth = 90;
const maxHeight = 24;

/**
 * The command palette: every action, view, session and computer, by name. Enter closes dialogs and runs it in the view,
 * unless it is an action of the dialog that the palette lies over.
 */
export const paletteDialog: ListModule<'palette', Found<PaletteItem>> = listDialog({
	kind: 'palette',
	choose: 'choose',
	isMenu: true,
	queryHint: safe`command, view, session or computer`,
	rows: ({query}, lists, parts) => foundItems(parts, lists, query),
	lines: (_, width) => found => itemLine(found, width),
	title: () => [span(safe`Commands`, 'heading')],
	right: ({rows}) => [span(safe`${rows.length}`, 'dim')],
	rect: layout =>
		dialogRect(layout, Math.min(maxWidth, layout.columns - 4), Math.min(maxHeight, layout.rows - 4)),
	empty: () => [[span(safe`  ${strings.noMatches}`, 'dim')]],
	foot: (found, width, {keys}) => noteLines(found?.item, width, keys),
});

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
	if (target.kind === 'action') return reason === undefined ? shown : safe`disabled ${shown}`;
	return shown === '' ? cleanLine(target.kind) : safe`${cleanLine(target.kind)} ${shown}`;
}

/** Why the selected item is disabled, else the palette's keys; below a blank row, unless both are needed. */
function noteLines(item: PaletteItem | undefined, width: number, {label}: KeyMap): readonly Line[] {
	if (item?.reason === undefined)
		return [[], [span(safe`${label('choose')} ${verbOf(item)}   ${label('cancel')} close`, 'dim')]];
	const reason = wrapStart(strings.disabled(cleanLine(item.reason, 300)), width - 3, 2);
	return [...(reason.length < 2 ? [[]] : []), ...reason.map((row): Line => [span(row, 'warn')])];
}

function verbOf(item: PaletteItem | undefined): Safe {
	return item === undefined || item.target.kind === 'action' ? safe`run` : safe`open`;
}

function foundItems(parts: AppParts, lists: Lists, query: string) {
	const view = parts.view.getState();
	const {contexts} = parts.input.now(parts, {...view, dialogs: []}, lists);
	const below = view.dialogs.slice(0, -1);
	const here = parts.input.now(parts, {...view, dialogs: below}, lists);
	const now = {...here, contexts: [...new Set([...here.contexts, ...contexts])]};
	return paletteItems(query, lists, {keys: parts.keys, now}, view.recent);
}

/** Runs or opens an item. A disabled item shows its reason and the palette stays open. */
function choose(parts: AppParts, item: PaletteItem): void {
	if (item.reason !== undefined) {
		notify(parts.actions, 'info', `${item.name}: ${item.reason}`);
		return;
	}
	const {target} = item;
	setView(parts.view, view => {
		const below = view.dialogs.slice(0, -1);
		const stays = target.kind === 'action' && isOf(target.binding, below.at(-1)?.kind);
		return withRecent({...view, dialogs: stays ? below : []}, item.id);
	});
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
		contexts: [...inViewsAndWelcome, 'diff'],
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
		hint: 'run or open',
		contexts: ['palette'],
		isPaletteHidden: true,
		run: paletteDialog.onRow((parts, {item}) => choose(parts, item)),
	},
]);

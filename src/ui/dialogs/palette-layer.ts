import {notify} from '../../actions/notify.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog, withTop} from '../../state/dialogs.ts';
import type {Lists} from '../../state/lists.ts';
import {withCursor} from '../../state/shown-item.ts';
import {type View, withRecent} from '../../state/view.ts';
import {contextsOf, keyState} from '../contexts.ts';
import {intents} from '../intents.ts';
import {openSession} from '../open-session.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {showView} from '../view-intents.ts';
import {listLayer} from './list-layer.ts';
import {type PaletteItem, paletteItems} from './palette-items.ts';

type Palette = Dialog & {kind: 'palette'};

/** Keys of the palette: typing filters; Enter runs the selected item in the view below. */
export function paletteLayer(parts: AppParts, dialog: Palette, lists: () => Lists): KeyLayer {
	const found = () => foundItems(parts, parts.view.getState(), lists(), dialog.query);
	const replace = (change: Partial<Palette>) =>
		setView(parts.view, view => withTop(view, {...dialog, ...change}));
	return listLayer(parts, {
		context: 'palette',
		query: dialog.query,
		index: dialog.index,
		count: () => found().length,
		typed: query => replace({query, index: 0}),
		moved: index => replace({index}),
		chosen(action) {
			if (action === 'choose') choose(parts, lists, found()[dialog.index]?.item);
		},
	});
}

/** The palette's items for a view. */
export function foundItems(parts: AppParts, view: View, lists: Lists, query: string) {
	const under = {...view, dialogs: []};
	const contexts = contextsOf(under, parts.isConnected);
	const place = {
		keys: parts.keys,
		contexts,
		facts: keyState(parts, under, lists),
		filterables: parts.listBuilder.filterables,
	};
	return paletteItems(query, lists, place, view.recent);
}

/** Runs or opens an item. A disabled item shows its reason and the palette stays open. */
export function choose(parts: AppParts, lists: () => Lists, item: PaletteItem | undefined): void {
	if (!item) return;
	if (item.reason !== undefined) {
		notify(parts.actions, 'info', `${item.name}: ${item.reason}`);
		return;
	}
	setView(parts.view, view => withRecent(popDialog(view), item.id));
	const {target} = item;
	if (target.kind === 'action') intents[target.action]?.(parts, lists());
	else if (target.kind === 'view') showView(parts, target.view);
	else goTo(parts, target);
}

function goTo(
	parts: AppParts,
	{kind, id}: {readonly kind: 'session' | 'computer'; readonly id: string},
): void {
	if (kind === 'session') {
		openSession(parts, id, 'main');
		setView(parts.view, view => ({...view, cursor: {section: 'sessions', id}}));
		return;
	}
	showView(parts, 'work');
	setView(parts.view, view => ({...withCursor(view, {section: 'computers', id}), focus: 'main'}));
}

import {tell} from '../actions/tell.ts';
import {findBinding} from '../keys/bindings.ts';
import {helpEntries} from '../keys/help.ts';
import {singleKeys} from '../keys/key-press.ts';
import {dispatchKey, type KeyLayer} from '../keys/layers.ts';
import type {Lists} from '../state/lists.ts';
import {type Dialog, filterOf, popDialog, withFilter} from '../state/view.ts';
import {act} from './act.ts';
import {composerLayer} from './composer-layer.ts';
import {contextsOf, keyFacts} from './contexts.ts';
import {attachmentsLayer} from './dialogs/attachments-layer.ts';
import {blocksLayer} from './dialogs/blocks-layer.ts';
import {detailsLayer} from './dialogs/details-layer.ts';
import {formLayer} from './dialogs/form-layer.ts';
import {goLayer} from './dialogs/go-layer.ts';
import {historyLayer} from './dialogs/history-layer.ts';
import {searchLayer} from './dialogs/search-layer.ts';
import {confirmed} from './intents.ts';
import {fieldText} from './kit/text-field.tsx';
import {askToQuit} from './quit.ts';
import {setView} from './set-view.ts';
import {findLayer} from './stream/find-layer.ts';
import type {AppParts} from './use-app.ts';

/** Who takes keys now, the top one last. */
export function keyLayers(parts: AppParts, lists: () => Lists): readonly KeyLayer[] {
	const view = parts.view.getState();
	const layers: KeyLayer[] = [panesLayer(parts, lists)];
	if (view.page === 'work' && view.focus === 'composer') layers.push(composerLayer(parts, lists));
	if (view.isFiltering) layers.push(filterLayer(parts));
	const isReading = contextsOf({...view, dialogs: []}, parts.isConnected).includes('find');
	if (isReading && view.find) layers.push(findLayer(parts, view.find));
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'search') layers.push(searchLayer(parts, dialog));
	if (dialog?.kind === 'blocks') layers.push(blocksLayer(parts, dialog));
	if (dialog?.kind === 'form') layers.push(formLayer(parts));
	if (dialog?.kind === 'help') layers.push(helpLayer(parts, dialog, lists));
	if (dialog?.kind === 'details') layers.push(detailsLayer(parts, dialog));
	if (dialog?.kind === 'go') layers.push(goLayer(parts, dialog, lists));
	if (dialog?.kind === 'history') layers.push(historyLayer(parts, dialog, lists));
	if (dialog?.kind === 'attachments') layers.push(attachmentsLayer(parts, lists));
	if (dialog?.kind === 'confirm') layers.push(confirmLayer(parts, dialog));
	layers.push(interruptLayer(parts));
	return layers;
}

/** Is there something over the panes, or in them, that text is typed into? */
function takesText({view}: AppParts): boolean {
	const {dialogs, isFiltering, page, focus} = view.getState();
	return dialogs.length > 0 || isFiltering || (page === 'work' && focus === 'composer');
}

function panesLayer(parts: AppParts, lists: () => Lists): KeyLayer {
	return {
		name: 'panes',
		handle(press) {
			const singles = singleKeys(press);
			for (const [index, single] of singles.entries()) {
				act(parts, lists, single);
				const rest = singles.slice(index + 1).map(({text}) => text);
				// What was typed right after a key that opens something is meant for that.
				if (rest.length === 0 || !takesText(parts)) continue;
				const text = rest.join('');
				return dispatchKey(keyLayers(parts, lists), {name: text === ' ' ? 'space' : text, text}, false);
			}
			return 'consumed';
		},
	};
}

function filterLayer({view}: AppParts): KeyLayer {
	const change = (next: (filter: string) => string) =>
		setView(view, now => withFilter(now, next(filterOf(now))));
	return {
		name: 'filter',
		isModal: true,
		handle(press) {
			const action = findBinding(['filter'], press.name)?.action;
			if (action === 'keep-filter') setView(view, now => ({...now, isFiltering: false}));
			else if (action === 'clear-filter') setView(view, now => withFilter({...now, isFiltering: false}, ''));
			else if (press.name === 'backspace') change(filter => Array.from(filter).slice(0, -1).join(''));
			else if (press.name === 'ctrl+u') change(() => '');
			else if (press.text !== '') change(filter => filter + fieldText(press.text));
			return 'consumed';
		},
		paste(text) {
			change(filter => filter + fieldText(text));
			return 'consumed';
		},
	};
}

function confirmLayer(parts: AppParts, dialog: Dialog & {kind: 'confirm'}): KeyLayer {
	return {
		name: 'confirm',
		isModal: true,
		handle(press) {
			const action = findBinding(['confirm'], press.name)?.action;
			if (action === 'confirm') confirmed(parts, dialog.intent);
			else if (action === 'refuse' || action === 'cancel') setView(parts.view, popDialog);
			return 'consumed';
		},
	};
}

function helpLayer(parts: AppParts, dialog: Dialog & {kind: 'help'}, lists: () => Lists): KeyLayer {
	const replace = (change: Partial<typeof dialog>) =>
		setView(parts.view, view => ({...view, dialogs: [...view.dialogs.slice(0, -1), {...dialog, ...change}]}));
	const scroll = (by: number) => {
		const under = {...parts.view.getState(), dialogs: []};
		const facts = keyFacts(parts, under, lists());
		const count = helpEntries(dialog.query, contextsOf(under, parts.isConnected), facts).length;
		replace({top: Math.max(0, Math.min(count - 1, dialog.top + by))});
	};
	const steps: Readonly<Record<string, number>> = {
		up: -1,
		down: 1,
		pageup: -10,
		pagedown: 10,
		'ctrl+u': -10,
		'ctrl+d': 10,
	};
	return {
		name: 'help',
		isModal: true,
		handle(press) {
			const step = steps[press.name];
			if (findBinding(['help'], press.name)?.action === 'cancel') setView(parts.view, popDialog);
			else if (step !== undefined) scroll(step);
			else if (press.name === 'backspace')
				replace({query: Array.from(dialog.query).slice(0, -1).join(''), top: 0});
			else if (press.text !== '') replace({query: dialog.query + fieldText(press.text), top: 0});
			return 'consumed';
		},
	};
}

/** How long the second Ctrl+C is waited for, ms. */
const twice = 2000;

/** Ctrl+C never does anything by itself: twice, it quits from wherever the focus is. */
function interruptLayer(parts: AppParts): KeyLayer {
	return {
		name: 'interrupt',
		handle(press) {
			if (findBinding(['everywhere'], press.name)?.action !== 'interrupt') return 'ignored';
			const now = parts.actions.clock.now();
			if (now - parts.interruptedAt < twice) askToQuit(parts);
			else tell(parts.actions, 'info', 'Ctrl+C again quits');
			parts.interruptedAt = now;
			return 'consumed';
		},
	};
}

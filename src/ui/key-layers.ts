import {tell} from '../actions/tell.ts';
import {findBinding, isEnabled} from '../keys/bindings.ts';
import {helpEntries} from '../keys/help.ts';
import {type KeyPress, singleKeys} from '../keys/key-press.ts';
import type {KeyAnswer, KeyLayer} from '../keys/layers.ts';
import type {Lists} from '../state/lists.ts';
import {type Dialog, popDialog} from '../state/view.ts';
import {edit, editByKey} from './composer-keys.ts';
import {contextsOf, keyFacts, targets} from './contexts.ts';
import {formLayer} from './dialogs/form-layer.ts';
import {confirmed, intents} from './intents.ts';
import {fieldText} from './kit/text-field.tsx';
import {askToQuit} from './quit.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** Who takes keys now, the top one last. */
export function keyLayers(parts: AppParts, lists: () => Lists): readonly KeyLayer[] {
	const view = parts.view.getState();
	const layers: KeyLayer[] = [panesLayer(parts, lists)];
	if (view.focus === 'composer') layers.push(composerLayer(parts, lists));
	if (view.isFiltering) layers.push(filterLayer(parts));
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'form') layers.push(formLayer(parts));
	if (dialog?.kind === 'help') layers.push(helpLayer(parts, dialog, lists));
	if (dialog?.kind === 'confirm') layers.push(confirmLayer(parts, dialog));
	layers.push(interruptLayer(parts));
	return layers;
}

/** Does what the key is bound to where the focus is, or says why it does nothing now. */
function act(parts: AppParts, lists: () => Lists, press: KeyPress): KeyAnswer {
	const view = parts.view.getState();
	const binding = findBinding(contextsOf(view, parts.isConnected), press.name);
	const intent = binding && intents[binding.action];
	if (!binding || !intent) return 'ignored';
	const enabled = isEnabled(binding, keyFacts(parts, view, lists()));
	if (enabled === true) intent(parts, lists());
	else tell(parts.actions, 'info', enabled);
	return 'consumed';
}

function panesLayer(parts: AppParts, lists: () => Lists): KeyLayer {
	return {
		name: 'panes',
		handle(press) {
			for (const single of singleKeys(press)) act(parts, lists, single);
			return 'consumed';
		},
	};
}

function composerLayer(parts: AppParts, lists: () => Lists): KeyLayer {
	const sessionId = () => targets(parts.view.getState()).sessionId ?? '';
	return {
		name: 'composer',
		isModal: true,
		handle(press) {
			const browses = press.name === 'up';
			if (!browses && act(parts, lists, press) === 'consumed') return 'consumed';
			return editByKey(parts, sessionId(), press);
		},
		paste(text) {
			edit(parts, sessionId(), {type: 'paste', text});
			return 'consumed';
		},
	};
}

function filterLayer({view}: AppParts): KeyLayer {
	const change = (next: (filter: string) => string) =>
		setView(view, now => ({...now, filter: next(now.filter)}));
	return {
		name: 'filter',
		isModal: true,
		handle(press) {
			const action = findBinding(['filter'], press.name)?.action;
			if (action === 'keep-filter') setView(view, now => ({...now, isFiltering: false}));
			else if (action === 'clear-filter') setView(view, now => ({...now, isFiltering: false, filter: ''}));
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

import {notify} from '../actions/notify.ts';
import {singleKeys} from '../keys/key-press.ts';
import {dispatchKey, type KeyLayer} from '../keys/layers.ts';
import {type Dialog, popDialog} from '../state/dialogs.ts';
import type {Lists} from '../state/lists.ts';
import {composerLayer} from './composer/composer-intents.ts';
import {contextsOf} from './contexts.ts';
import {attachmentsLayer} from './dialogs/attachments-dialog.tsx';
import {blocksLayer} from './dialogs/blocks-dialog.tsx';
import {detailsLayer} from './dialogs/details-dialog.tsx';
import {formLayer} from './dialogs/form/form-layer.ts';
import {helpLayer} from './dialogs/help-dialog.tsx';
import {historyLayer} from './dialogs/history-dialog.tsx';
import {inboxLayer} from './dialogs/inbox-dialog.tsx';
import {paletteLayer} from './dialogs/palette-dialog.tsx';
import {profilesLayer} from './dialogs/profiles-dialog.tsx';
import {searchLayer} from './dialogs/search-dialog.tsx';
import {snoozeLayer} from './dialogs/snooze-dialog.tsx';
import {themesLayer} from './dialogs/themes-dialog.tsx';
import {filterLayer} from './filter/filter-layer.ts';
import {handleKey} from './handle-key.ts';
import {confirmed} from './intents.ts';
import {askToQuit} from './quit.ts';
import {setView} from './set-view.ts';
import {findLayer} from './stream/finding.ts';
import type {AppParts} from './use-app.ts';

/** The layers that receive keys now, topmost last. */
export function keyLayers(parts: AppParts, lists: () => Lists): readonly KeyLayer[] {
	const view = parts.view.getState();
	const layers: KeyLayer[] = [panesLayer(parts, lists)];
	if (view.page === 'work' && view.focus === 'composer') layers.push(composerLayer(parts, lists));
	if (view.isFiltering) layers.push(filterLayer(parts, lists));
	const isReading = contextsOf({...view, dialogs: []}, parts.isConnected).includes('find');
	if (isReading && view.find) layers.push(findLayer(parts, view.find));
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'search') layers.push(searchLayer(parts, dialog));
	if (dialog?.kind === 'blocks') layers.push(blocksLayer(parts, dialog));
	if (dialog?.kind === 'form') layers.push(formLayer(parts));
	if (dialog?.kind === 'help') layers.push(helpLayer(parts, dialog));
	if (dialog?.kind === 'details') layers.push(detailsLayer(parts, dialog));
	if (dialog?.kind === 'inbox') layers.push(inboxLayer(parts, dialog, lists));
	if (dialog?.kind === 'snooze') layers.push(snoozeLayer(parts, dialog, lists));
	if (dialog?.kind === 'palette') layers.push(paletteLayer(parts, dialog, lists));
	if (dialog?.kind === 'profiles') layers.push(profilesLayer(parts, dialog));
	if (dialog?.kind === 'themes') layers.push(themesLayer(parts, dialog));
	if (dialog?.kind === 'history') layers.push(historyLayer(parts, dialog, lists));
	if (dialog?.kind === 'attachments') layers.push(attachmentsLayer(parts, lists));
	if (dialog?.kind === 'confirm') layers.push(confirmLayer(parts, dialog));
	layers.push(interruptLayer(parts));
	return layers;
}

/** Whether a dialog, a filter or the composer accepts text. */
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
				handleKey(parts, lists, single);
				const rest = singles.slice(index + 1).map(({text}) => text);
				// Text typed right after a key that opens a text field belongs to that field.
				if (rest.length === 0 || !takesText(parts)) continue;
				const text = rest.join('');
				return dispatchKey(keyLayers(parts, lists), {name: text === ' ' ? 'space' : text, text}, false);
			}
			return 'consumed';
		},
	};
}

function confirmLayer(parts: AppParts, dialog: Dialog & {kind: 'confirm'}): KeyLayer {
	return {
		name: 'confirm',
		isModal: true,
		handle(press) {
			const action = parts.keys.find(['confirm'], press.name)?.action;
			if (action === 'confirm') confirmed(parts, dialog.intent);
			else if (action === 'refuse' || action === 'cancel') setView(parts.view, popDialog);
			return 'consumed';
		},
	};
}

/** How long to wait for the second Ctrl+C, ms. */
const twice = 2000;

/** A single Ctrl+C never acts; pressed twice, it quits from anywhere. */
function interruptLayer(parts: AppParts): KeyLayer {
	return {
		name: 'interrupt',
		handle(press) {
			if (parts.keys.find(['everywhere'], press.name)?.action !== 'interrupt') return 'ignored';
			const now = parts.actions.clock.now();
			if (now - parts.interruptedAt < twice) askToQuit(parts);
			else notify(parts.actions, 'info', `${parts.keys.label('interrupt')} again quits`);
			parts.interruptedAt = now;
			return 'consumed';
		},
	};
}

import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog, withTop} from '../../state/dialogs.ts';
import {openFormDialog} from '../open-form-dialog.ts';
import {askToOpen} from '../quit.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {listLayer} from './list-layer.ts';

/** Keys of the list of profiles. */
export function profilesLayer(parts: AppParts, dialog: Dialog & {kind: 'profiles'}): KeyLayer {
	const {entries, index} = dialog;
	return listLayer(parts, {
		context: 'profiles',
		index,
		count: () => entries.length,
		moved: to => setView(parts.view, view => withTop(view, {...dialog, index: to})),
		chosen(action) {
			if (action === 'connect-another') {
				setView(parts.view, popDialog);
				openFormDialog(parts, {name: 'connect'});
			}
			if (action !== 'open-profile') return;
			setView(parts.view, popDialog);
			const name = entries[index]?.name;
			if (name !== undefined && name !== parts.profile) askToOpen(parts, name);
		},
	});
}

import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, withTop} from '../../state/dialogs.ts';
import {inboxItems} from '../../state/inbox.ts';
import type {Lists} from '../../state/lists.ts';
import {handleKey} from '../handle-key.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {listLayer} from './list-layer.ts';

/** Keys of the inbox: the list keys move the cursor, all others act on its session. */
export function inboxLayer(parts: AppParts, dialog: Dialog & {kind: 'inbox'}, lists: () => Lists): KeyLayer {
	const items = inboxItems(lists().all.sessions);
	const list = listLayer(parts, {
		context: 'inbox',
		index: Math.max(
			0,
			items.findIndex(({id}) => id === dialog.id),
		),
		count: () => items.length,
		moved(to) {
			const id = items[to]?.id;
			if (id !== undefined) setView(parts.view, view => withTop(view, {...dialog, id}));
		},
	});
	return {
		name: 'inbox',
		isModal: true,
		handle(press, isAlone) {
			const action = parts.keys.find(['inbox'], press.name)?.action;
			const isOfList = action === undefined || action === 'cancel' || action.startsWith('list-');
			return isOfList ? list.handle(press, isAlone) : handleKey(parts, lists, press, ['inbox']);
		},
	};
}

import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, withTop} from '../../state/dialogs.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {listLayer} from './list-layer.ts';

/** Keys of the help: typing searches, the list keys scroll. */
export function helpLayer(parts: AppParts, dialog: Dialog & {kind: 'help'}): KeyLayer {
	const {rows, height} = parts.sizes.dialog ?? {rows: 0, height: 0};
	const replace = (change: Partial<typeof dialog>) =>
		setView(parts.view, view => withTop(view, {...dialog, ...change}));
	return listLayer(parts, {
		context: 'help',
		query: dialog.query,
		index: dialog.top,
		page: Math.max(1, height - 1),
		count: () => Math.max(0, rows - height) + 1,
		typed: query => replace({query, top: 0}),
		moved: top => replace({top}),
	});
}

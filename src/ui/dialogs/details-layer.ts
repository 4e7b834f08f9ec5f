import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, withTop} from '../../state/dialogs.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {listLayer} from './list-layer.ts';

/** Keys of the session details dialog: they scroll or close it. */
export function detailsLayer(parts: AppParts, dialog: Dialog & {kind: 'details'}): KeyLayer {
	const {rows, height} = parts.sizes.dialog ?? {rows: 0, height: 0};
	return listLayer(parts, {
		context: 'details',
		index: dialog.top,
		page: Math.max(1, height),
		count: () => Math.max(0, rows - height) + 1,
		moved: top => setView(parts.view, view => withTop(view, {...dialog, top})),
	});
}

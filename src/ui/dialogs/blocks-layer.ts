import {copyText} from '../../actions/copy-text.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog, withTop} from '../../state/dialogs.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {listLayer} from './list-layer.ts';

/** Keys of the message-block list; digits 1 to 9 copy the first nine blocks directly. */
export function blocksLayer(parts: AppParts, dialog: Dialog & {kind: 'blocks'}): KeyLayer {
	const {blocks, index} = dialog;
	const copy = (at: number) => {
		const block = blocks[at];
		if (!block) return;
		setView(parts.view, popDialog);
		void copyText(parts.actions, block.text, `the ${block.label} block`);
	};
	const list = listLayer(parts, {
		context: 'blocks',
		index,
		count: () => blocks.length,
		moved: to => setView(parts.view, view => withTop(view, {...dialog, index: to})),
		chosen(action) {
			if (action === 'copy-chosen') copy(index);
		},
	});
	return {
		...list,
		handle(press, isAlone) {
			if (!/^[1-9]$/.test(press.name)) return list.handle(press, isAlone);
			copy(Number(press.name) - 1);
			return 'consumed';
		},
	};
}

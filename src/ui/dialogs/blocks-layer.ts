import {copyText} from '../../actions/copy-text.ts';
import {findBinding} from '../../keys/bindings.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog} from '../../state/view.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

const steps: Readonly<Record<string, number>> = {up: -1, k: -1, down: 1, j: 1};

/** Keys of the choice among the blocks of a message; the first nine have a number of their own. */
export function blocksLayer(parts: AppParts, dialog: Dialog & {kind: 'blocks'}): KeyLayer {
	const {blocks, index} = dialog;
	const copy = (at: number) => {
		const block = blocks[at];
		if (!block) return;
		setView(parts.view, popDialog);
		void copyText(parts.actions, block.text, `the ${block.label} block`);
	};
	return {
		name: 'blocks',
		isModal: true,
		handle(press) {
			const action = findBinding(['blocks'], press.name)?.action;
			const step = steps[press.name];
			if (action === 'cancel') setView(parts.view, popDialog);
			else if (action === 'copy-chosen') copy(index);
			else if (/^[1-9]$/.test(press.name)) copy(Number(press.name) - 1);
			else if (step !== undefined) {
				const next = Math.max(0, Math.min(blocks.length - 1, index + step));
				setView(parts.view, view => ({
					...view,
					dialogs: [...view.dialogs.slice(0, -1), {...dialog, index: next}],
				}));
			}
			return 'consumed';
		},
	};
}

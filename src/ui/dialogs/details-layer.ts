import {findBinding} from '../../keys/bindings.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog} from '../../state/view.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

/** Rows a key moves by, given those in sight. */
const steps: Readonly<Record<string, (height: number) => number>> = {
	up: () => -1,
	k: () => -1,
	down: () => 1,
	j: () => 1,
	pageup: height => -height,
	pagedown: height => height,
	'ctrl+u': height => -Math.ceil(height / 2),
	'ctrl+d': height => Math.ceil(height / 2),
};

/** Keys of a session's details: they scroll, and leave. */
export function detailsLayer(parts: AppParts, dialog: Dialog & {kind: 'details'}): KeyLayer {
	return {
		name: 'details',
		isModal: true,
		handle(press) {
			const step = steps[press.name];
			const {rows, height} = parts.sizes.dialog ?? {rows: 0, height: 0};
			if (findBinding(['details'], press.name)?.action === 'cancel') setView(parts.view, popDialog);
			else if (step !== undefined) {
				const top = Math.max(0, Math.min(rows - height, dialog.top + step(height)));
				setView(parts.view, view => ({...view, dialogs: [...view.dialogs.slice(0, -1), {...dialog, top}]}));
			}
			return 'consumed';
		},
	};
}

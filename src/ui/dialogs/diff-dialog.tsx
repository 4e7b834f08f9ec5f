import {targets} from '../../state/targets.ts';
import type {Intents} from '../input.ts';
import type {DialogModule} from './dialog-module.ts';

let view: typeof import('./diff/diff-view.tsx') | undefined;

const intents: Intents = {
	'working-diff'(parts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId === undefined) return;
		void import('./diff/diff-view.tsx').then(loaded => {
			view = loaded;
			loaded.openDiff(parts, sessionId);
		});
	},
};

/** What changed in a session's folder. Its code is loaded when it first opens. */
export const diffDialog: DialogModule<'diff'> = {
	Component: props => view && <view.DiffView {...props} />,
	layer: (parts, dialog) =>
		view?.diffLayer(parts, dialog) ?? {name: 'diff', isModal: true, handle: () => 'consumed'},
	intents,
};

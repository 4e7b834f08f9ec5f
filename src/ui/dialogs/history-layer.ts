import type {KeyLayer} from '../../keys/layers.ts';
import {withTop} from '../../state/dialogs.ts';
import type {Lists} from '../../state/lists.ts';
import {handleKey} from '../handle-key.ts';
import {textAfterKey} from '../kit/text-after-key.ts';
import {fieldText} from '../kit/text-field.tsx';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import type {HistoryDialog} from './history-search.ts';

/** Keys of the history search; its own bindings win over typed text. */
export function historyLayer(parts: AppParts, dialog: HistoryDialog, lists: () => Lists): KeyLayer {
	const search = (query: string) =>
		setView(parts.view, view => withTop(view, {...dialog, query, selected: 0}));
	return {
		name: 'history',
		isModal: true,
		handle(press) {
			const action = parts.keys.find(['history'], press.name)?.action;
			const words = textAfterKey(dialog.query, press, action);
			if (words === undefined) handleKey(parts, lists, press);
			else search(words);
			return 'consumed';
		},
		paste(text) {
			search(dialog.query + fieldText(text));
			return 'consumed';
		},
	};
}

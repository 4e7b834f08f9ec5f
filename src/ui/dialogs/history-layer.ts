import type {KeyLayer} from '../../keys/layers.ts';
import type {Lists} from '../../state/lists.ts';
import {act} from '../act.ts';
import {fieldText} from '../kit/text-field.tsx';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {type HistoryDialog, withTop} from './history-search.ts';

/** What is typed is searched for; the keys of the search go first. */
export function historyLayer(parts: AppParts, dialog: HistoryDialog, lists: () => Lists): KeyLayer {
	const search = (query: string) =>
		setView(parts.view, view => withTop(view, {...dialog, query, selected: 0}));
	return {
		name: 'history',
		isModal: true,
		handle(press) {
			if (press.text !== '') search(dialog.query + fieldText(press.text));
			else if (press.name === 'backspace') search(Array.from(dialog.query).slice(0, -1).join(''));
			else if (press.name === 'ctrl+u') search('');
			else act(parts, lists, press);
			return 'consumed';
		},
		paste(text) {
			search(dialog.query + fieldText(text));
			return 'consumed';
		},
	};
}

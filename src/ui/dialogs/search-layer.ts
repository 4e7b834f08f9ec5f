import {findBinding} from '../../keys/bindings.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog} from '../../state/view.ts';
import {fieldText} from '../kit/text-field.tsx';
import {setView} from '../set-view.ts';
import {openAtMessage} from '../stream/finding.ts';
import type {AppParts} from '../use-app.ts';

const hitsAtMost = 200;
const steps: Readonly<Record<string, number>> = {
	up: -1,
	down: 1,
	'ctrl+p': -1,
	'ctrl+n': 1,
	pageup: -10,
	pagedown: 10,
};

/** Keys of the search over all sessions: typing looks again, Enter goes to the message. */
export function searchLayer(parts: AppParts, dialog: Dialog & {kind: 'search'}): KeyLayer {
	const replace = (change: Partial<typeof dialog>) =>
		setView(parts.view, view => ({...view, dialogs: [...view.dialogs.slice(0, -1), {...dialog, ...change}]}));
	const look = (query: string) =>
		replace({query, hits: parts.actions.search.all(query, hitsAtMost), index: 0});
	return {
		name: 'search',
		isModal: true,
		handle(press) {
			const {query, hits, index} = dialog;
			const action = findBinding(['search'], press.name)?.action;
			const step = steps[press.name];
			const hit = hits[index];
			if (action === 'cancel') setView(parts.view, popDialog);
			else if (action === 'search-open') {
				if (!hit) return 'consumed';
				setView(parts.view, popDialog);
				openAtMessage(parts, hit.sessionId, hit.messageId, query);
			} else if (step !== undefined) replace({index: Math.max(0, Math.min(hits.length - 1, index + step))});
			else if (press.name === 'backspace') look(Array.from(query).slice(0, -1).join(''));
			else if (press.name === 'ctrl+u') look('');
			else if (press.text !== '') look(query + fieldText(press.text));
			return 'consumed';
		},
		paste(text) {
			look(dialog.query + fieldText(text));
			return 'consumed';
		},
	};
}

import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog, withTop} from '../../state/view.ts';
import {setView} from '../set-view.ts';
import {openAtMessage} from '../stream/finding.ts';
import type {AppParts} from '../use-app.ts';
import {listLayer} from './list-layer.ts';

const hitsAtMost = 200;

/** Keys of the search over all sessions: typing looks again, Enter goes to the message. */
export function searchLayer(parts: AppParts, dialog: Dialog & {kind: 'search'}): KeyLayer {
	const {query, hits, index} = dialog;
	const replace = (change: Partial<typeof dialog>) =>
		setView(parts.view, view => withTop(view, {...dialog, ...change}));
	return listLayer(parts, {
		context: 'search',
		query,
		index,
		count: () => hits.length,
		typed: words => replace({query: words, hits: parts.actions.search.all(words, hitsAtMost), index: 0}),
		moved: to => replace({index: to}),
		chosen(action) {
			const hit = hits[index];
			if (action !== 'search-open' || !hit) return;
			setView(parts.view, popDialog);
			openAtMessage(parts, hit.sessionId, hit.messageId, query);
		},
	});
}

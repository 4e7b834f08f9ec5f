import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog, withTop} from '../../state/view.ts';
import {setView} from '../set-view.ts';
import {openAtMessage} from '../stream/finding.ts';
import type {AppParts} from '../use-app.ts';
import {listLayer} from './list-layer.ts';

type SearchDialog = Dialog & {kind: 'search'};

const hitsAtMost = 200;

/** The search over all sessions as it opens. */
export const emptySearch: SearchDialog = {
	kind: 'search',
	query: '',
	hits: [],
	count: 0,
	isLooking: false,
	index: 0,
};

/** Keys of the search over all sessions: typing looks again, Enter goes to the message. */
export function searchLayer(parts: AppParts, dialog: SearchDialog): KeyLayer {
	const {query, hits, index} = dialog;
	return listLayer(parts, {
		context: 'search',
		query,
		index,
		count: () => hits.length,
		typed: words => look(parts, words),
		moved: to => setView(parts.view, view => withTop(view, {...dialog, index: to})),
		chosen(action) {
			const hit = hits[index];
			if (action !== 'search-open' || !hit) return;
			setView(parts.view, popDialog);
			openAtMessage(parts, hit.sessionId, hit.messageId, query);
		},
	});
}

/** What was found stays until something else is: the list doesn't flicker under what is typed. */
function look({actions, view}: AppParts, query: string): void {
	const change = (next: Partial<SearchDialog>) => {
		const top = view.getState().dialogs.at(-1);
		if (top?.kind === 'search') setView(view, now => withTop(now, {...top, ...next}));
		else actions.search.endInAll();
	};
	change({query, index: 0, isLooking: true});
	actions.search.inAll(query, hitsAtMost, ({count, found, isOver}) => {
		change({count, isLooking: !isOver, ...((isOver || found.length > 0) && {hits: found})});
	});
}

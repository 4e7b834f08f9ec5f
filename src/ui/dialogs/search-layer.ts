import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog} from '../../state/dialogs.ts';
import {setView} from '../set-view.ts';
import {openAtMessage} from '../stream/finding.ts';
import type {AppParts} from '../use-app.ts';
import {changeDialog} from './change-dialog.ts';
import {listLayer} from './list-layer.ts';

type SearchDialog = Dialog & {kind: 'search'};

const maxHits = 200;
/** Hits loaded ahead of the cursor: more than most screens show. */
const ahead = 40;

/** The initial state of the search across all sessions. */
export const emptySearch: SearchDialog = {
	kind: 'search',
	query: '',
	hits: [],
	count: 0,
	listed: 0,
	isLooking: false,
	index: 0,
};

/** Keys of the search across all sessions: typing searches again, Enter opens the message. */
export function searchLayer(parts: AppParts, dialog: SearchDialog): KeyLayer {
	const {query, hits, index} = dialog;
	return listLayer(parts, {
		context: 'search',
		query,
		index,
		count: () => hits.length,
		typed: words => look(parts, words),
		moved: to => moveInSearch(parts, () => to),
		chosen(action) {
			const hit = hits[index];
			if (action !== 'search-open' || !hit) return;
			setView(parts.view, popDialog);
			openAtMessage(parts, hit.sessionId, hit.messageId, query);
		},
	});
}

/** Moves the cursor and loads more hits when it nears the end of the loaded ones. */
export function moveInSearch(parts: AppParts, next: (from: number) => number): void {
	changeDialog(parts, 'search', now => ({
		...now,
		index: Math.max(0, Math.min(now.hits.length - 1, next(now.index))),
	}));
	const dialog = parts.view.getState().dialogs.at(-1);
	if (dialog?.kind === 'search' && dialog.index + ahead >= dialog.hits.length)
		parts.actions.search.readMore();
}

/**
 * Searches for `query`. The previous hits stay until the new ones arrive, so the list doesn't flicker while
 * typing.
 */
function look(parts: AppParts, query: string): void {
	const {search} = parts.actions;
	changeDialog(parts, 'search', ({soFar: _, ...now}) => ({...now, query, index: 0, isLooking: true}));
	search.inAll(query, maxHits, ({count, listed, found, isOver, isUnread}) => {
		if (parts.view.getState().dialogs.at(-1)?.kind !== 'search') search.endInAll();
		changeDialog(parts, 'search', ({soFar: _, ...now}) =>
			isOver ? {...now, count, listed, hits: found, isLooking: false, isUnread} : {...now, soFar: count},
		);
	});
}

import {acknowledge, clearAttentionMark} from '../actions/acknowledge-and-snooze.ts';
import {notify} from '../actions/notify.ts';
import {pinSession, restoreSession} from '../actions/sessions.ts';
import {isArchived} from '../domain/known.ts';
import {pushDialog} from '../state/dialogs.ts';
import {groupOf, type Lists} from '../state/lists.ts';
import {itemAt} from '../state/needs-items.ts';
import {withNextWaiting} from '../state/next-waiting.ts';
import {densityTitles, nextDensity} from '../state/session-density.ts';
import {groupingTitles, nextGrouping} from '../state/session-groups.ts';
import {nextSort, sortTitles} from '../state/session-sort.ts';
import {targets} from '../state/targets.ts';
import {openFormDialog} from './dialogs/form/open-form-dialog.ts';
import {collapseGroup} from './panes/collapse-group.ts';
import {setView} from './set-view.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';

/** Actions on a whole session: acknowledge (computers, too), change and archive. */
export const sessionIntents = {
	acknowledge(parts: AppParts, lists: Lists) {
		const item = itemAt(lists.all, targets(parts.view.getState()));
		if (item?.mark?.kind === 'acknowledged')
			parts.undos.push(clearAttentionMark(parts.actions, item.mark.subject));
		else if (item?.episode !== undefined) {
			const {kind, id, episode} = item;
			setView(parts.view, view => withNextWaiting(view, lists, item));
			parts.undos.push(acknowledge(parts.actions, {subject: {kind, id}, episode}));
		}
	},
	'edit-session'(parts: AppParts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId !== undefined) openFormDialog(parts, {name: 'edit-session', sessionId});
	},
	'rename-session'(parts: AppParts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId !== undefined) openFormDialog(parts, {name: 'rename-session', sessionId});
	},
	pin(parts: AppParts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId === undefined) return;
		const isPinned = parts.stores.fleet.getState().sessions.get(sessionId)?.pinned === true;
		pinSession(parts.actions, sessionId, !isPinned);
	},
	'sort-sessions'(parts: AppParts) {
		const sort = nextSort(parts.view.getState().sort);
		setView(parts.view, view => ({...view, sort}));
		notify(parts.actions, 'info', strings.sorted(sortTitles[sort]));
	},
	'group-sessions'(parts: AppParts) {
		const grouping = nextGrouping(parts.view.getState().grouping);
		setView(parts.view, view => ({...view, grouping}));
		const {grouped, notGrouped} = strings;
		notify(parts.actions, 'info', grouping === 'none' ? notGrouped : grouped(groupingTitles[grouping]));
	},
	density(parts: AppParts) {
		const density = nextDensity(parts.view.getState().density);
		setView(parts.view, view => ({...view, density}));
		notify(parts.actions, 'info', strings.density(densityTitles[density]));
	},
	'collapse-group'(parts: AppParts, lists: Lists) {
		const group = groupOf(lists, parts.view.getState().cursor?.id ?? '');
		if (group) collapseGroup(parts, group.key, true);
	},
	'expand-group': expandGroup,
	archive(parts: AppParts, lists: Lists) {
		const {sessionId} = targets(parts.view.getState());
		const known = parts.stores.fleet.getState().sessions.get(sessionId ?? '');
		if (!known) return;
		if (isArchived(known)) {
			restoreSession(parts.actions, known.id);
			return;
		}
		const name = lists.all.sessionsById.get(known.id)?.name ?? known.id;
		setView(parts.view, view =>
			pushDialog(view, {
				kind: 'confirm',
				title: strings.archive.title(name),
				text: strings.archive.text(parts.keys.label('show-archived'), parts.keys.label('undo')),
				intent: {name: 'archive-session', id: known.id},
			}),
		);
	},
	'show-archived'(parts: AppParts) {
		setView(parts.view, view => ({...view, showsArchived: !view.showsArchived}));
	},
};

/** Expands the collapsed group whose heading has the cursor. */
export function expandGroup(parts: AppParts): void {
	const {cursor} = parts.view.getState();
	if (cursor?.group !== undefined) collapseGroup(parts, cursor.group, false);
}

import {acknowledge, acknowledgeSessions} from '../actions/acknowledge-and-snooze.ts';
import {interruptAgent} from '../actions/agent-requests.ts';
import {notify} from '../actions/notify.ts';
import {continueHere, goToTerminal} from '../actions/outside-sessions.ts';
import {pinSession, restoreSession} from '../actions/sessions.ts';
import {restoreSessions} from '../actions/several-sessions.ts';
import {isArchived} from '../domain/known.ts';
import {groupOf, type Lists} from '../state/lists/lists.ts';
import {itemAt} from '../state/lists/needs-items.ts';
import {sessionsToActOn, unmarked} from '../state/sessions/marked-sessions.ts';
import {densities, densityTitles} from '../state/sessions/session-density.ts';
import {groupings, groupingTitles} from '../state/sessions/session-groups.ts';
import {isTurnRunning, type SessionItem} from '../state/sessions/session-items.ts';
import {sessionSorts, sortTitles} from '../state/sessions/session-sort.ts';
import {withNextWaiting} from '../state/view/next-waiting.ts';
import {targets} from '../state/view/targets.ts';
import {askToConfirm, setView, type ViewStore} from '../state/view/view.ts';
import {nextOf} from '../state/view/view-states.ts';
import {openFormDialog} from './dialogs/form/open-form-dialog.ts';
import {offerUndo, returnToNeeds} from './offer-undo.ts';
import {showNewSession} from './open-session.ts';
import {collapseGroup} from './panes/collapse-group.ts';
import {strings} from './strings.ts';
import type {AppParts, Parts} from './use-app.ts';
import type {ListParts} from './use-lists.ts';
import {watchInput} from './user-input.ts';

/** An intent for the session that keys act on; does nothing without one. */
function onSession<Outcome>(run: (parts: AppParts, sessionId: string, lists: Lists) => Outcome) {
	return (parts: AppParts, lists: Lists) => {
		const {sessionId} = targets(parts.view.getState());
		return sessionId === undefined ? undefined : run(parts, sessionId, lists);
	};
}

/** Actions on a whole session (acknowledging: on a computer, too), or on those marked in the Sessions view. */
export const sessionIntents = {
	acknowledge(parts: AppParts, lists: Lists) {
		const item = itemAt(lists.all, targets(parts.view.getState()));
		if (item?.mark?.kind === 'acknowledged') returnToNeeds(parts, item.mark.subject);
		else if (item?.episode !== undefined) {
			const {kind, id, episode} = item;
			const subject = {kind, id};
			setView(parts.view, view => withNextWaiting(view, lists, item));
			const state = item.kind === 'session' ? item.state : undefined;
			offerUndo(
				parts,
				{action: 'acknowledge', subjects: [subject]},
				acknowledge(parts.actions, {subject, episode}, state),
			);
		}
	},
	'edit-session': onSession((parts, sessionId) => openFormDialog(parts, {name: 'edit-session', sessionId})),
	'tag-session': onSession((parts, sessionId) =>
		openFormDialog(parts, {name: 'tag-sessions', sessionIds: [sessionId]}),
	),
	'rename-session': onSession((parts, sessionId) =>
		openFormDialog(parts, {name: 'rename-session', sessionId}),
	),
	'go-to-terminal': onSession((parts, sessionId, {all}) => {
		const signal = all.sessionsById.get(sessionId)?.signal;
		if (signal) void goToTerminal(parts.actions, signal);
	}),
	'continue-here': onSession(async (parts, sessionId, {all}) => {
		const signal = all.sessionsById.get(sessionId)?.signal;
		if (!signal || parts.creating.has(signal.sessionId)) return;
		parts.creating.add(signal.sessionId);
		const hasMovedOn = watchInput(parts);
		const result = await continueHere(parts.actions, signal).finally(() => {
			parts.creating.delete(signal.sessionId);
		});
		if (result.isDone) showNewSession(parts, result.value.sessionId, hasMovedOn());
	}),
	'interrupt-agent': onSession((parts, sessionId) => void interruptAgent(parts.actions, sessionId)),
	'remove-worktree': onSession((parts, sessionId, {all}) => {
		const item = all.sessionsById.get(sessionId);
		if (!item) return;
		const {title, text} = strings.removeWorktree;
		const intent = {name: 'remove-worktree', id: item.id, isForced: false} as const;
		askToConfirm(parts.view, {title: title(item.name), text, intent});
	}),
	pin: onSession((parts, sessionId) => {
		const isPinned = parts.stores.fleet.getState().sessions.get(sessionId)?.pinned === true;
		pinSession(parts.actions, sessionId, !isPinned);
	}),
	'sort-sessions'(parts: AppParts) {
		const sort = nextOf(sessionSorts, parts.view.getState().sort);
		setView(parts.view, view => ({...view, sort}));
		notify(parts.actions, 'info', strings.sorted(sortTitles[sort]));
	},
	'group-sessions'(parts: AppParts) {
		const grouping = nextOf(groupings, parts.view.getState().grouping);
		setView(parts.view, view => ({...view, grouping}));
		const {grouped, notGrouped} = strings;
		notify(parts.actions, 'info', grouping === 'none' ? notGrouped : grouped(groupingTitles[grouping]));
	},
	density(parts: AppParts) {
		const density = nextOf(densities, parts.view.getState().density);
		setView(parts.view, view => ({...view, density}));
		notify(parts.actions, 'info', strings.density(densityTitles[density]));
	},
	'collapse-group'(parts: AppParts, lists: Lists) {
		const group = groupOf(lists, parts.view.getState().cursor?.id ?? '');
		if (group) collapseGroup(parts, group.key, true);
	},
	'expand-group': expandGroup,
	archive: onSession((parts, sessionId, {all}) => {
		const known = parts.stores.fleet.getState().sessions.get(sessionId);
		if (!known) return;
		if (isArchived(known)) {
			restoreSession(parts.actions, known.id);
			return;
		}
		const item = all.sessionsById.get(known.id);
		if (!item) return;
		askToConfirm(parts.view, {
			...archiveQuestion(parts, [item]),
			intent: {name: 'archive-session', id: known.id},
		});
	}),
	'archive-sessions'(parts: AppParts, lists: Lists) {
		const {items, leftOut} = targetsAtService(parts.view, lists);
		const archived = items.filter(({known}) => isArchived(known));
		if (archived.length === items.length) {
			const ids = items.map(({id}) => id);
			restoreSessions(parts.actions, ids);
			setView(parts.view, view => unmarked(view, ids));
			return;
		}
		const toArchive = items.filter(({known}) => !isArchived(known));
		askToConfirm(parts.view, {
			...archiveQuestion(parts, toArchive, {leftOut, archived: archived.length}),
			intent: {name: 'archive-sessions', ids: toArchive.map(({id}) => id)},
		});
	},
	'tag-sessions'(parts: AppParts, lists: Lists) {
		const {items} = targetsAtService(parts.view, lists);
		openFormDialog(parts, {name: 'tag-sessions', sessionIds: items.map(({id}) => id)});
	},
	'acknowledge-sessions'(parts: AppParts, lists: Lists) {
		const items = sessionsToActOn(parts.view.getState().sessions, lists.all.sessionsById);
		const {done, isReturn, undo} = acknowledgeSessions(parts.actions, items);
		const subjects = done.map(id => ({kind: 'session', id}) as const);
		offerUndo(parts, {action: isReturn ? 'return' : 'acknowledge', subjects}, undo);
		setView(parts.view, view => unmarked(view, done));
	},
	'show-archived'(parts: AppParts) {
		setView(parts.view, view => ({...view, showsArchived: !view.showsArchived}));
	},
};

/** The question before sessions are archived; `archived`: how many others already are. */
function archiveQuestion(
	{keys}: Parts<'keys'>,
	sessions: readonly SessionItem[],
	{leftOut = [], archived = 0}: {readonly leftOut?: readonly string[]; readonly archived?: number} = {},
) {
	const names = sessions.map(({name}) => name);
	// A session that waits for its computer has no agent yet.
	const running = sessions.filter(item => isTurnRunning(item) && item.state !== 'pending').length;
	const show = keys.label('show-archived');
	const undo = keys.label('undo');
	return {
		title: strings.archive.title(names),
		text: strings.archive.text({names, running, leftOut, archived, show, undo}),
	};
}

/** Expands the collapsed group whose heading has the cursor. */
export function expandGroup(parts: ListParts): void {
	const {cursor} = parts.view.getState();
	if (cursor?.group !== undefined) collapseGroup(parts, cursor.group, false);
}

/** The sessions an action of the Sessions view is for; `leftOut` names those that the service doesn't have. */
function targetsAtService(view: ViewStore, {all}: Lists) {
	const items = sessionsToActOn(view.getState().sessions, all.sessionsById);
	return {
		items: items.filter(({client}) => client === undefined),
		leftOut: items.filter(({client}) => client !== undefined).map(({name}) => name),
	};
}

import {forgetComputer} from '../actions/computers.ts';
import {forgetMachine, forgottenWith} from '../actions/machines.ts';
import {notify} from '../actions/notify.ts';
import {forgetSession} from '../actions/sessions.ts';
import type {Lists} from '../state/lists/lists.ts';
import {rowPositionOf} from '../state/view/cursor.ts';
import {withoutShown} from '../state/view/shown-item.ts';
import {targets} from '../state/view/targets.ts';
import {askToConfirm, filterOf, setView, type View, withFiltering} from '../state/view/view.ts';
import {viewInfo} from '../state/view/view-states.ts';
import {addForm} from './dialogs/form/add-form.ts';
import {newComputerForm} from './dialogs/form/computer-forms.ts';
import {openForm} from './dialogs/form/open-form.ts';
import {renameSessionForm} from './dialogs/form/session-forms.ts';
import {bindingsIn, bindingsOf, type Enabled, type Now} from './keys/binding.ts';
import {hasService, hasSession, unlessEmpty} from './keys/reasons.ts';
import {offerUndo} from './offer-undo.ts';
import {openItem} from './open-session.ts';
import {expandGroup} from './session-list-bindings.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';

const hasTarget = ({view}: Now): Enabled => {
	const {sessionId, computerId} = targets(view);
	return (sessionId ?? computerId) !== undefined || 'Nothing is selected';
};

const areListsEmpty = ({view, lists}: Now): boolean => {
	const {needs, sessions, groups, computers, hidden} = lists;
	const count = needs.length + sessions.length + groups.length + computers.length;
	return filterOf(view) === '' && count + hidden.sessions + hidden.computers === 0;
};

function addedRows({page, cursor}: View): 'computer' | 'session' {
	return viewInfo(page).rows ?? (cursor?.section === 'computers' ? 'computer' : 'session');
}

export const listBindings = bindingsOf([
	...bindingsIn({contexts: ['lists', 'session-table']}, [
		{
			action: 'open',
			keys: ['enter'],
			title: 'Open the selected item',
			hint: 'open',
			hintNow: now => (hasTarget(now) === true ? undefined : ''),
			run(parts, lists) {
				const {sessionId, computerId} = targets(parts.view.getState());
				if (sessionId !== undefined) openAtCursor(parts, lists, sessionId);
				else if (computerId !== undefined) openItem(parts, {kind: 'computer', id: computerId});
				else if (parts.view.getState().cursor?.group !== undefined) expandGroup(parts);
				else if (lists.computers.length === 0) openForm(parts, newComputerForm);
				else notify(parts.actions, 'info', 'Nothing is selected');
			},
		},
	]),
	{
		action: 'show-archived',
		keys: ['A'],
		title: 'Show or hide archived and ended sessions',
		// The lists are beside the stream.
		contexts: ['lists', 'session-table', 'stream'],
		run: parts => setView(parts.view, view => ({...view, showsArchived: !view.showsArchived})),
	},
	...bindingsIn({contexts: ['lists']}, [
		{
			action: 'needs-only',
			keys: ['w'],
			title: 'Show only what needs you, or all',
			run: parts => setView(parts.view, view => ({...view, needsOnly: !view.needsOnly})),
		},
		{
			action: 'filter',
			keys: ['/'],
			title: 'Filter the lists: words, s:asks, c:gpu-1, #tag, !not',
			hint: 'filter',
			...unlessEmpty(areListsEmpty),
			run: parts => setView(parts.view, withFiltering),
		},
	]),
	{
		action: 'add',
		command: 'sessions add',
		keys: ['a'],
		title: 'Add a computer or session by its id',
		hint: 'add by id',
		hintNow: ({view}) => `add ${addedRows(view)} by id`,
		isEnabled: hasService,
		contexts: ['lists', 'session-table', 'computer-table'],
		run(parts) {
			openForm(parts, addForm(addedRows(parts.view.getState())));
		},
	},
	{
		action: 'forget',
		command: 'sessions forget',
		keys: ['D'],
		title: 'Forget it here: nothing is deleted where it runs',
		findBy: 'remove delete',
		isEnabled: hasTarget,
		contexts: ['lists', 'session-table', 'computer', 'computer-table'],
		run(parts, lists) {
			const {sessionId, computerId} = targets(parts.view.getState());
			const id = sessionId ?? computerId;
			if (id === undefined) return;
			const {sessionsById, computers} = lists.all;
			const item = sessionId === undefined ? computers.find(one => one.id === id) : sessionsById.get(id);
			const name = item?.name ?? id;
			const isMachine = item?.kind === 'computer' && item.known.computer?.host !== undefined;
			const goesWith = forgottenWith(parts, id);
			askToConfirm(parts.view, {
				title: `Forget ${name}?`,
				text: isMachine
					? `${strings.forget.machine(/^[\w.-]+$/.test(item.name) ? item.name : id)}${goesWith.words}`
					: `It is removed from the lists on this machine only; ${parts.keys.label('undo')} brings it back.`,
				yes() {
					if (isMachine) {
						void forgetMachine(parts.actions, id);
						setView(parts.view, view => [id, ...goesWith.sessionIds].reduce(withoutShown, view));
						return;
					}
					const [kind, forget] =
						sessionId === undefined
							? (['computer', forgetComputer] as const)
							: (['session', forgetSession] as const);
					const undo = forget(parts.actions, id);
					setView(parts.view, view => withoutShown(view, id));
					offerUndo(parts, {action: 'forget', subjects: [{kind, id}]}, undo);
				},
			});
		},
	},
	{
		action: 'rename-session',
		keys: ['e'],
		title: 'Rename the session on this machine',
		hint: 'rename',
		isEnabled: hasSession,
		contexts: ['sessions', 'session-table'],
		run(parts) {
			const {sessionId} = targets(parts.view.getState());
			if (sessionId !== undefined) openForm(parts, renameSessionForm(sessionId));
		},
	},
]);

/** Opens a session, with the cursor of the lists on it, also from the Sessions view. */
function openAtCursor(parts: AppParts, lists: Lists, id: string): void {
	openItem(parts, {kind: 'session', id});
	const section = rowPositionOf(lists, {section: 'sessions', id})?.section ?? 'sessions';
	setView(parts.view, view => ({...view, cursor: {section, id}}));
}

import {acknowledgeSessions} from '../../actions/acknowledge-and-snooze.ts';
import {restoreSessions} from '../../actions/several-sessions.ts';
import {strings} from '../../actions/strings.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {sessionsToActOn, unmarked, withAllMarks, withMark} from '../../state/sessions/marked-sessions.ts';
import {sessionsTable} from '../../state/sessions/session-columns.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {
	filterOf,
	setView,
	type View,
	type ViewStore,
	withFiltering,
	withSessions,
} from '../../state/view/view.ts';
import type {SessionsViewState} from '../../state/view/view-states.ts';
import {choosesColumns, openColumns} from '../dialogs/columns-dialog.tsx';
import {exportForm} from '../dialogs/form/export-form.ts';
import {openForm} from '../dialogs/form/open-form.ts';
import {tagForm} from '../dialogs/form/session-forms.ts';
import {bindingsIn, type Enabled, type Now} from '../keys/binding.ts';
import {allOf, hasService, hasSession, unlessEmpty} from '../keys/reasons.ts';
import {offerUndo} from '../offer-undo.ts';
import {prepareComposer} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {archive, areAllArchived} from './archive.ts';
import {scrollSessions, sessionRowsNow} from './sessions-now.ts';

const targetsOf = (view: View, {all}: Lists) => sessionsToActOn(view, all.sessionsById);

const isAtService = ({client}: SessionItem) => client === undefined;

/** Why each session that the service can't change is left out. */
const outsideOf = (items: readonly SessionItem[]): readonly string[] =>
	items.filter(item => !isAtService(item)).map(() => strings.several.why.outside);

const hasTarget = ({view, lists}: Now): Enabled => {
	if (targetsOf(view, lists).length > 0) return true;
	return view.sessions.marked.size > 0
		? 'None of the marked sessions exists any more: {back} clears the marks'
		: 'No session is selected';
};

const someAsk = ({view, lists}: Now): Enabled =>
	targetsOf(view, lists).some(({episode}) => episode !== undefined) || 'None of these sessions needs you now';

const someAtService = ({view, lists}: Now): Enabled =>
	targetsOf(view, lists).some(isAtService) ||
	"These sessions run in other terminals: the service can't change them or write to them";

const unlessNone = unlessEmpty(
	({parts, view, lists}) => filterOf(view) === '' && sessionRowsNow(parts, view, lists).length === 0,
);

/** Under this id, which no session has, a message to several sessions is written and its draft stored. */
const severalSessions = 'several sessions';

/** Keys of the Sessions view. An action applies to the marked sessions, or else to the one at the cursor. */
export const sessionTableBindings = bindingsIn({contexts: ['session-table']}, [
	{
		action: 'reply',
		keys: ['space'],
		title: 'Write one message to the marked sessions',
		hint: 'message',
		isEnabled: allOf(hasTarget, hasService, someAtService),
		run(parts, lists) {
			const items = targetsOf(parts.view.getState(), lists);
			const recipients = items.filter(isAtService).map(({id}) => id);
			const leftOut = items.filter(item => !isAtService(item)).map(({id}) => id);
			const [first, ...others] = recipients;
			if (first === undefined) return;
			// A message to one session is that session's own draft.
			const composerId = others.length === 0 ? first : severalSessions;
			prepareComposer(parts, composerId);
			setView(parts.view, view => withSessions(view, {writing: {composerId, recipients, leftOut}}));
		},
	},
	{
		action: 'mark-session',
		keys: ['v'],
		title: 'Mark the session, or unmark it, and go to the next',
		hint: 'mark',
		hintNow({parts, view, lists}) {
			const cursor = view.tableCursors.sessions ?? '';
			const isLast = sessionRowsNow(parts, view, lists).at(-1)?.item.id === cursor;
			return `${view.sessions.marked.has(cursor) ? 'unmark' : 'mark'}${isLast ? '' : ', next'}`;
		},
		isEnabled: hasSession,
		run(parts, lists) {
			const {sessions: cursor} = parts.view.getState().tableCursors;
			if (cursor === undefined) return;
			change(parts.view, ({marked}) => ({marked: withMark(marked, cursor)}));
			scrollSessions(parts, lists, {kind: 'step', by: 1});
		},
	},
	{
		action: 'mark-all-sessions',
		keys: ['V'],
		title: 'Mark all sessions shown, or none of them',
		isEnabled: hasSession,
		run(parts, lists) {
			const rows = sessionRowsNow(parts, parts.view.getState(), lists);
			change(parts.view, ({marked}) => ({marked: withAllMarks(marked, rows)}));
		},
	},
	{
		action: 'tag',
		command: 'sessions update',
		keys: ['t'],
		title: 'Tag the marked sessions: add and remove tags',
		isEnabled: allOf(hasTarget, hasService, someAtService),
		run(parts, lists) {
			const all = targetsOf(parts.view.getState(), lists);
			const ids = all.filter(isAtService).map(({id}) => id);
			openForm(parts, tagForm(ids, outsideOf(all)));
		},
	},
	{
		action: 'acknowledge',
		keys: ['m'],
		title: 'Acknowledge the marked sessions, or undo it',
		isEnabled: allOf(hasTarget, someAsk),
		run(parts, lists) {
			const items = targetsOf(parts.view.getState(), lists);
			const {done, isReturn, undo} = acknowledgeSessions(parts.actions, items);
			const subjects = done.map(id => ({kind: 'session', id}) as const);
			offerUndo(parts, {action: isReturn ? 'return' : 'acknowledge', subjects}, undo);
			setView(parts.view, view => unmarked(view, done));
		},
	},
	{
		action: 'archive',
		keys: ['X'],
		title: 'Archive the marked sessions, or show them here again',
		hintNow: ({view, lists}) => (areAllArchived(targetsOf(view, lists)) ? 'list again' : undefined),
		isEnabled: allOf(hasTarget, hasService, someAtService),
		run: archiveOrRestore,
	},
	{
		...choosesColumns,
		keys: ['o'],
		...unlessNone,
		run: parts => openColumns(parts, 'sessions'),
	},
	{
		action: 'export',
		keys: ['w'],
		title: 'Export the sessions shown, as CSV or JSON',
		findBy: 'file clipboard',
		isEnabled: ({parts, view, lists}) =>
			sessionRowsNow(parts, view, lists).length > 0 || 'No sessions are shown',
		run(parts, lists) {
			const view = parts.view.getState();
			const {order, isReversed} = view.sessions;
			const table = sessionsTable(sessionRowsNow(parts, view, lists));
			const selection = {view: 'sessions', filter: filterOf(view), order, isReversed};
			openForm(parts, exportForm({name: 'sessions', selection, tables: [table]}));
		},
	},
	{
		action: 'filter',
		keys: ['/'],
		title: 'Filter sessions: words, s:asks, c:gpu-1, #tag, !not',
		hint: 'filter',
		...unlessNone,
		run: parts => setView(parts.view, withFiltering),
	},
]);

/** Shows archived sessions again if all are archived; else archives the others. */
function archiveOrRestore(parts: AppParts, lists: Lists): void {
	const targets = targetsOf(parts.view.getState(), lists);
	if (areAllArchived(targets)) {
		const ids = targets.filter(isAtService).map(({id}) => id);
		void restoreSessions(parts.actions, ids, outsideOf(targets));
		setView(parts.view, view => unmarked(view, ids));
		return;
	}
	void archive(parts, targets);
}

function change(view: ViewStore, next: (viewState: SessionsViewState) => Partial<SessionsViewState>): void {
	setView(view, now => withSessions(now, next(now.sessions)));
}

import {clearAttentionMark} from '../actions/acknowledge-and-snooze.ts';
import {notify} from '../actions/notify.ts';
import {pinSession} from '../actions/sessions.ts';
import {restoreSessions} from '../actions/several-sessions.ts';
import {isArchived} from '../domain/known.ts';
import {awaitsComputer} from '../state/connection.ts';
import type {Lists} from '../state/lists/lists.ts';
import {pushDialog} from '../state/view/dialogs.ts';
import {withoutShown} from '../state/view/shown-item.ts';
import {targets} from '../state/view/targets.ts';
import {setView, type View, withPage, withSessions, withTableCursor} from '../state/view/view.ts';
import {firstComputerForm} from './dialogs/form/computer-forms.ts';
import {openForm} from './dialogs/form/open-form.ts';
import {editSessionForm, tagForm} from './dialogs/form/session-forms.ts';
import {openNewSessionDialog} from './dialogs/new-session/new-session-state.ts';
import {exportMessages} from './export-messages.ts';
import {type BindingOf, bindingsOf, type Enabled, type Now} from './keys/binding.ts';
import {allOf, canCreate, hasService, hasSession, isAtService, sessionOf} from './keys/reasons.ts';
import {askToRemoveWorktree} from './remove-worktree.ts';
import {archive} from './sessions/archive.ts';
import type {AppParts} from './use-app.ts';

/** The contexts of a session: in the lists, in its stream and in the Sessions view. */
export const inSessions = ['sessions', 'stream', 'session-table'] as const;

/** What a key does for the session that keys act on; it does nothing without one. */
export function onSession<Outcome>(run: (parts: AppParts, sessionId: string, lists: Lists) => Outcome) {
	return (parts: AppParts, lists: Lists) => {
		const {sessionId} = targets(parts.view.getState());
		return sessionId === undefined ? undefined : run(parts, sessionId, lists);
	};
}

const canMarkUnread = (now: Now): Enabled => {
	const {answer, unread = 0} = sessionOf(now)?.activity ?? {};
	if (answer === undefined) return 'Its agent has not answered your last message';
	return unread === 0 || 'Its answer is unread already';
};

const hasWorktree = (now: Now): Enabled =>
	sessionOf(now)?.known?.session?.workFolder?.isWorktree === true ||
	'This session has no worktree of its own';

const openStream = ({stores}: AppParts, view: View) =>
	stores.streams.getState().open.get(targets(view).sessionId ?? '');

const editsSession = {
	action: 'edit-session',
	command: 'sessions update',
	title: 'Edit the session: local name, models, tags, tools',
	isEnabled: allOf(hasSession, hasService, isAtService),
	run: onSession((parts, sessionId) => openForm(parts, editSessionForm(sessionId))),
} as const satisfies Partial<BindingOf<string>>;

const newSession = {
	action: 'new-session',
	command: 'sessions create',
	keys: ['n'],
	title: 'New session: what it should do, where it runs, and how',
	hint: 'new session',
	findBy: 'agent folder worktree mode model tags tools',
	isEnabled: canCreate,
	run(parts) {
		const hasComputer = parts.stores.fleet.getState().computers.size > 0;
		if (hasComputer || awaitsComputer(parts)) openNewSessionDialog(parts);
		else openForm(parts, firstComputerForm);
	},
} as const satisfies Partial<BindingOf<string>>;

/** Keys for a session in any list and in its stream, besides those for its agent. */
export const sessionBindings = bindingsOf([
	{
		action: 'pin',
		keys: ['p'],
		title: 'Pin the session (◆) to the top of its group, or unpin it',
		isEnabled: hasSession,
		contexts: inSessions,
		run: onSession((parts, sessionId) => {
			const isPinned = parts.stores.fleet.getState().sessions.get(sessionId)?.pinned === true;
			pinSession(parts.actions, sessionId, !isPinned);
		}),
	},
	{...newSession, contexts: inSessions},
	{...newSession, contexts: ['computers', 'computer']},
	{
		action: 'remove-worktree',
		command: 'sessions remove-worktree',
		keys: [],
		title: 'Remove the worktree of the session, once it is merged',
		contexts: inSessions,
		isEnabled: allOf(hasSession, hasWorktree),
		run: onSession((parts, sessionId, {all}) => {
			const item = all.sessionsById.get(sessionId);
			if (item) askToRemoveWorktree(parts, item);
		}),
	},
	{
		action: 'export-messages',
		keys: ['w'],
		title: 'Export the messages, as Markdown or JSON',
		findBy: 'save download file clipboard',
		isEnabled: ({parts, view}) =>
			openStream(parts, view)?.entries.some(({kind}) => kind === 'message') || 'No messages here yet',
		contexts: ['stream'],
		run(parts, lists) {
			const stream = openStream(parts, parts.view.getState());
			if (!stream) return;
			const name = lists.all.sessionsById.get(stream.sessionId)?.name ?? stream.sessionId;
			exportMessages(parts, stream, name);
		},
	},
	{
		action: 'details',
		keys: ['i'],
		title: 'Session details: settings, tokens, sources and ages',
		isEnabled: hasSession,
		contexts: inSessions,
		run: onSession((parts, sessionId) =>
			setView(parts.view, view => pushDialog(view, {kind: 'details', sessionId, top: 0})),
		),
	},
	{...editsSession, keys: ['E', 'ctrl+e'], contexts: ['sessions', 'session-table']},
	{...editsSession, keys: ['ctrl+e'], contexts: ['stream']},
	{
		action: 'tag',
		command: 'sessions update',
		keys: ['t'],
		title: 'Tag the session: add and remove tags',
		isEnabled: allOf(hasSession, hasService, isAtService),
		contexts: ['sessions', 'stream'],
		run: onSession((parts, sessionId) => openForm(parts, tagForm([sessionId]))),
	},
	{
		action: 'mark-session',
		keys: ['v'],
		title: 'Mark it in the Sessions view, to act on several at once',
		isEnabled: hasSession,
		contexts: ['sessions'],
		run: onSession(({view}, sessionId) =>
			setView(view, now => {
				const {marked} = now.sessions;
				const there = withTableCursor(withPage(now, 'sessions'), 'sessions', sessionId);
				return withSessions(there, {marked: new Set([...marked, sessionId])});
			}),
		),
	},
	{
		action: 'mark-unread',
		keys: ['U'],
		title: 'Mark unread: puts the session back in Needs you',
		isEnabled: allOf(hasSession, canMarkUnread),
		contexts: ['sessions', 'stream', 'inbox', 'session-table'],
		run: onSession((parts, sessionId, {all}) => {
			const mark = all.sessionsById.get(sessionId)?.mark;
			// An open stream would be read at once.
			setView(parts.view, view => withoutShown(view, sessionId));
			if (mark) clearAttentionMark(parts.actions, mark.subject);
			parts.actions.engine.sessions.activity.markUnread(sessionId);
			notify(parts.actions, 'info', 'Marked unread until you open the session');
		}),
	},
	{
		action: 'archive',
		keys: ['X'],
		title: 'Archive the session, or show it here again',
		hintNow: now => (isArchived(sessionOf(now)?.known) ? 'list again' : undefined),
		isEnabled: allOf(hasSession, hasService, isAtService),
		contexts: ['sessions', 'stream'],
		run: onSession((parts, sessionId, {all}) => {
			const known = parts.stores.fleet.getState().sessions.get(sessionId);
			if (!known) return;
			if (isArchived(known)) {
				void restoreSessions(parts.actions, [known.id]);
				return;
			}
			const item = all.sessionsById.get(known.id);
			if (item) void archive(parts, [item]);
		}),
	},
]);

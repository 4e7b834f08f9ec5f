import {retryInstall} from '../actions/computers.ts';
import {refresh} from '../actions/context.ts';
import {resendMessage} from '../actions/messages.ts';
import {notify} from '../actions/notify.ts';
import {goToTerminal} from '../actions/outside-sessions.ts';
import type {OutboxItem} from '../domain/messages/delivery.ts';
import {awaitsComputer} from '../state/connection.ts';
import type {Lists} from '../state/lists/lists.ts';
import {isOutside} from '../state/sessions/is-outside.ts';
import {cursorOn, positionOf} from '../state/view/cursor.ts';
import {withCursor, withLeft} from '../state/view/shown-item.ts';
import {targets} from '../state/view/targets.ts';
import {askToConfirm, setView, type ViewStore, withExpanded} from '../state/view/view.ts';
import {composerIntents} from './composer/composer-intents.ts';
import {quickReply} from './composer/quick-reply.ts';
import {strings as composerStrings} from './composer/strings.ts';
import {takeBack} from './composer/take-back.ts';
import {startTypeAhead, stopTypeAhead} from './composer/type-ahead.ts';
import {computersIntents, leaveComputers, switchPane} from './computers/computers-intents.ts';
import {keyState} from './contexts.ts';
import {dialogIntents} from './dialogs/dialogs.tsx';
import {openFormDialog} from './dialogs/form/open-form-dialog.ts';
import {openNewSessionDialog} from './dialogs/new-session/new-session-state.ts';
import {eventIntents, leaveEvents} from './events/event-intents.ts';
import {nextEventsPane} from './events/scroll-events.ts';
import type {Intents} from './input.ts';
import {openItem, openNewSession, openSession} from './open-session.ts';
import {leavePage, organizationIntents} from './organization-intents.ts';
import {askToQuit} from './quit.ts';
import {scroll, scrollMessages} from './scroll.ts';
import {expandGroup, sessionIntents} from './session-intents.ts';
import {leaveSessions, sendToRecipients, sessionsIntents, stopWriting} from './sessions/sessions-intents.ts';
import {outgoingTo} from './sessions/sessions-now.ts';
import {movePane, splitIntents} from './split-intents.ts';
import {streamIntents} from './stream/stream-intents.ts';
import {messageIds} from './stream/stream-items.ts';
import {selectedItem} from './stream/stream-now.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';
import {profileIntents, viewIntents} from './view-intents.ts';

/** What the actions that keys are bound to do. */
export const intents: Intents = {
	...composerIntents,
	...sessionIntents,
	...dialogIntents,
	...splitIntents,
	...streamIntents,
	...viewIntents,
	...sessionsIntents,
	...computersIntents,
	...eventIntents,
	...organizationIntents,
	open(parts, lists) {
		const {sessionId, computerId} = targets(parts.view.getState());
		if (sessionId !== undefined) openAtCursor(parts, lists, sessionId);
		else if (computerId !== undefined) openItem(parts, {kind: 'computer', id: computerId});
		else if (parts.view.getState().cursor?.group !== undefined) expandGroup(parts);
		else if (lists.computers.length === 0) openFormDialog(parts, {name: 'new-computer'});
		else notify(parts.actions, 'info', strings.nothingSelected);
	},
	reply(parts, lists) {
		const {focus, dialogs} = parts.view.getState();
		if (focus === 'lists' || dialogs.length > 0) quickReply(parts, lists);
		else compose(parts, lists);
	},
	compose,
	'write-in-editor'(parts, lists) {
		compose(parts, lists);
		composerIntents.editor?.(parts, lists);
	},
	send(parts, lists) {
		if (parts.view.getState().page === 'sessions') sendToRecipients(parts);
		else composerIntents.send?.(parts, lists);
	},
	leave(parts, lists) {
		if (parts.view.getState().page === 'sessions') stopWriting(parts.view);
		else composerIntents.leave?.(parts, lists);
	},
	'new-computer': parts => openFormDialog(parts, {name: 'new-computer'}),
	'new-session'(parts) {
		if (awaitsComputer(parts) || hasComputer(parts)) openNewSessionDialog(parts);
	},
	'open-session'(parts) {
		const {computerId} = targets(parts.view.getState());
		if (computerId === undefined) return;
		if (parts.creating.has(computerId)) notify(parts.actions, 'info', strings.typeAhead.isCreating);
		else
			startTypeAhead(parts, openNewSession(parts, computerId), {
				why: strings.creatingSession(parts.keys.label('back')),
			});
	},
	'session-form'(parts) {
		if (!hasComputer(parts)) return;
		const {sessionId, computerId} = targets(parts.view.getState());
		const ofSession = parts.stores.fleet.getState().sessions.get(sessionId ?? '')?.computerId;
		const id = computerId ?? ofSession;
		openFormDialog(parts, {name: 'new-session', ...(id !== undefined && {computerId: id})});
	},
	'edit-computer'(parts) {
		const {computerId} = targets(parts.view.getState());
		if (computerId !== undefined) openFormDialog(parts, {name: 'edit-computer', computerId});
	},
	add(parts) {
		const {page, cursor} = parts.view.getState();
		const isComputer = page === 'computers' || (page === 'work' && cursor?.section === 'computers');
		openFormDialog(parts, {name: 'add', what: isComputer ? 'computer' : 'session'});
	},
	'retry-install'(parts) {
		const {computerId} = targets(parts.view.getState());
		if (computerId !== undefined) void retryInstall(parts.actions, computerId);
	},
	'install-session'(parts, lists) {
		const {installSessionId, computerId} = keyState(parts, parts.view.getState(), lists);
		if (installSessionId === undefined) return;
		parts.actions.engine.sessions.add(
			installSessionId,
			'install-step',
			computerId === undefined ? {} : {computerId},
		);
		openSession(parts, installSessionId, 'main');
		setView(parts.view, view => ({...view, cursor: {section: 'sessions', id: installSessionId}}));
	},
	refresh(parts) {
		const {state} = parts.stores.connection.getState();
		const {name, keyFrom} = parts.profile;
		// Read a rejected key again from its source.
		if (state === 'unauthorized' && (keyFrom === 'file' || keyFrom === 'command')) {
			parts.program.profiles.switchTo(name);
			return;
		}
		const {sessionId, computerId} = targets(parts.view.getState());
		refresh(parts.actions, sessionId ?? computerId);
	},
	forget(parts, lists) {
		const {sessionId, computerId} = targets(parts.view.getState());
		const id = sessionId ?? computerId;
		if (id === undefined) return;
		const {sessionsById, computers} = lists.all;
		const item = sessionId === undefined ? computers.find(one => one.id === id) : sessionsById.get(id);
		const name = item?.name ?? id;
		askToConfirm(parts.view, {
			title: strings.forget.title(name),
			text: strings.forget.text(parts.keys.label('undo')),
			intent: {name: sessionId === undefined ? 'forget-computer' : 'forget-session', id},
		});
	},
	undo({undos}) {
		undos.pop()?.();
	},
	expand(parts) {
		const item = selectedItem(parts);
		if (item) setView(parts.view, view => withExpanded(view, messageIds(item)));
	},
	resend(parts) {
		const item = selectedOutgoing(parts);
		if (item) resendMessage(parts.actions, item);
	},
	discard(parts) {
		const item = selectedOutgoing(parts);
		if (item) takeBack(parts, item.id);
	},
	down: (parts, lists) => scroll(parts, lists, {kind: 'step', by: 1}),
	up: (parts, lists) => scroll(parts, lists, {kind: 'step', by: -1}),
	top: (parts, lists) => scroll(parts, lists, {kind: 'edge', by: -1}),
	bottom: (parts, lists) => scroll(parts, lists, {kind: 'edge', by: 1}),
	'page-down': (parts, lists) => scroll(parts, lists, {kind: 'page', by: 1}),
	'page-up': (parts, lists) => scroll(parts, lists, {kind: 'page', by: -1}),
	'messages-up': parts => scrollMessages(parts, {kind: 'page', by: -1}),
	'messages-down': parts => scrollMessages(parts, {kind: 'page', by: 1}),
	'next-needs': (parts, lists) => jump(parts, lists, 1),
	'previous-needs': (parts, lists) => jump(parts, lists, -1),
	'needs-only': parts => setView(parts.view, view => ({...view, needsOnly: !view.needsOnly})),
	filter: parts =>
		setView(parts.view, view => ({...view, isFiltering: true, filterChoice: 0, focus: 'lists'})),
	back(parts, lists) {
		const view = parts.view.getState();
		if (view.page === 'sessions') leaveSessions(parts.view);
		else if (view.page === 'computers') leaveComputers(parts.view);
		else if (view.page === 'events') leaveEvents(parts.view);
		else if (view.page !== 'work') leavePage(parts.view);
		else if (view.focus !== 'lists') setView(parts.view, withLeft);
		else if (view.filter !== '' || view.needsOnly)
			setView(parts.view, now => ({...now, filter: '', needsOnly: false}));
		else if (view.shown?.kind === 'session') returnToOpen(parts.view, lists, view.shown.id);
	},
	'next-pane': (parts, lists) => nextPane(parts, lists, 1),
	'previous-pane': (parts, lists) => nextPane(parts, lists, -1),
	quit(parts) {
		stopTypeAhead(parts);
		void askToQuit(parts);
	},
	...profileIntents,
};

/** Whether there is a computer for a session; if not, the form for the first one opens. */
function hasComputer(parts: AppParts): boolean {
	if (parts.stores.fleet.getState().computers.size > 0) return true;
	openFormDialog(parts, {name: 'new-computer', isForSession: true});
	return false;
}

/** From the Sessions view, the cursor of the lists goes along. */
function openAtCursor(parts: AppParts, lists: Lists, id: string): void {
	const {page} = parts.view.getState();
	openItem(parts, {kind: 'session', id});
	const section = lists.positions.sessions.get(id)?.section ?? 'sessions';
	if (page === 'sessions') setView(parts.view, view => ({...view, cursor: {section, id}}));
}

/** The outgoing message that keys act on. */
function selectedOutgoing(parts: AppParts): OutboxItem | undefined {
	const view = parts.view.getState();
	return view.page === 'sessions'
		? outgoingTo(parts.stores, view, targets(view).sessionId)
		: selectedItem(parts)?.outbox;
}

function compose(parts: AppParts, lists: Lists): void {
	const {sessionId} = targets(parts.view.getState());
	if (sessionId === undefined) return;
	const item = lists.all.sessions.find(({id}) => id === sessionId);
	const stream = parts.stores.streams.getState().open.get(sessionId);
	if (!isOutside(item, stream)) {
		openSession(parts, sessionId, 'composer');
		return;
	}
	openSession(parts, sessionId, 'main');
	if (item?.signal?.process) void goToTerminal(parts.actions, item.signal);
	else notify(parts.actions, 'info', composerStrings.outside);
}

/** Ends browsing: the cursor returns to the open session's row or, if it has none, the focus to its stream. */
function returnToOpen(view: ViewStore, lists: Lists, id: string): void {
	const position = positionOf(lists, {section: 'sessions', id});
	setView(view, now =>
		position ? {...now, cursor: {section: position.section, id}} : {...now, focus: 'main'},
	);
}

/** Opens the next session or computer that needs the user, wrapping around. If a filter hides it, that is cleared. */
function jump(parts: AppParts, lists: Lists, by: 1 | -1): void {
	const {needs} = lists.all;
	const {cursor, page, focus, shown} = parts.view.getState();
	const position = positionOf(lists, cursor);
	const current = position?.section === 'needs' ? lists.needs[position.index] : undefined;
	const from = current ? needs.indexOf(current) : by > 0 ? -1 : 0;
	const next = needs[(from + by + needs.length) % needs.length];
	if (!next) return;
	const isOpen = page === 'work' && focus === 'main' && shown?.id === next.id && shown.kind === next.kind;
	// With more than one, the cursor was on another.
	if (isOpen && needs.length === 1) notify(parts.actions, 'info', strings.nothingElseNeedsYou);
	const isHidden = !lists.needs.includes(next);
	setView(parts.view, view => withCursor(isHidden ? {...view, filter: ''} : view, cursorOn('needs', next)));
	openItem(parts, next);
}

function nextPane(parts: AppParts, lists: Lists, by: 1 | -1): void {
	const {page} = parts.view.getState();
	if (page === 'sessions') stopWriting(parts.view);
	else if (page === 'computers') switchPane(parts.view);
	else if (page === 'events') nextEventsPane(parts, by);
	else movePane(parts, lists, by);
}

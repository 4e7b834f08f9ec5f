import {notify} from '../../actions/notify.ts';
import {done, type Result} from '../../actions/result.ts';
import {sendToSessions} from '../../actions/several-sessions.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {sessionsToActOn, unmarked, withAllMarks, withMark} from '../../state/sessions/marked-sessions.ts';
import {setView, type ViewStore, withSessions} from '../../state/view/view.ts';
import {nextOf, type SessionsViewState, sessionTableOrders} from '../../state/view/view-states.ts';
import {sendComposer} from '../composer/composer-intents.ts';
import {prepareComposer} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {scrollSessions, sessionRowsNow} from './sessions-now.ts';
import {strings} from './strings.ts';

/** Intents of the keys that work only in the Sessions view, except those of dialogs. */
export const sessionsIntents = {
	'mark-session'(parts: AppParts, lists: Lists) {
		const {cursor} = parts.view.getState().sessions;
		if (cursor === undefined) return;
		change(parts.view, ({marked}) => ({marked: withMark(marked, cursor)}));
		scrollSessions(parts, lists, {kind: 'step', by: 1});
	},
	'mark-all-sessions'(parts: AppParts, lists: Lists) {
		const rows = sessionRowsNow(parts, parts.view.getState(), lists);
		change(parts.view, ({marked}) => ({marked: withAllMarks(marked, rows)}));
	},
	'order-sessions': (parts: AppParts) =>
		change(parts.view, ({order}) => ({order: nextOf(sessionTableOrders, order), isReversed: false})),
	'reverse-sessions': (parts: AppParts) => change(parts.view, ({isReversed}) => ({isReversed: !isReversed})),
	'filter-sessions': (parts: AppParts) =>
		setView(parts.view, view => ({...view, isFiltering: true, filterChoice: 0})),
	'message-sessions'(parts: AppParts, lists: Lists) {
		const items = sessionsToActOn(parts.view.getState().sessions, lists.all.sessionsById);
		const recipients = items.filter(({client}) => client === undefined).map(({id}) => id);
		const leftOut = items.filter(({client}) => client !== undefined).map(({id}) => id);
		const [first, ...others] = recipients;
		if (first === undefined) return;
		// A message to one session is that session's own draft.
		const composerId = others.length === 0 ? first : severalSessions;
		prepareComposer(parts, composerId);
		setView(parts.view, view => withSessions(view, {writing: {composerId, recipients, leftOut}}));
	},
};

/** Under this id, which no session has, a message to several sessions is written and its draft stored. */
const severalSessions = 'several sessions';

/** Sends the text to each recipient. Messages that can't be saved return to the composer. */
export function sendToRecipients(parts: AppParts): void {
	const {writing} = parts.view.getState().sessions;
	const composer = parts.composers.getState().bySession.get(writing?.composerId ?? '');
	if (!writing || !composer) return;
	void sendComposer(parts, writing.composerId, composer, async (draft): Promise<Result<unknown>> => {
		setView(parts.view, view => withSessions(view, {writing: undefined}));
		const {queued, failed} = await sendToSessions(parts.actions, writing.recipients, draft);
		setView(parts.view, view => {
			const deliveries = new Map([...view.sessions.deliveries, ...queued]);
			return withSessions(unmarked(view, queued.keys()), {
				deliveries,
				...(failed.length > 0 && {writing: {...writing, recipients: failed}}),
			});
		});
		if (failed.length > 0) return {isDone: false, what: ''};
		const isSending = () => {
			const {bySession} = parts.stores.outbox.getState();
			const states = [...queued].map(([to, id]) => bySession.get(to)?.find(item => item.id === id)?.state);
			return states.some(state => state === undefined || state === 'queued' || state === 'sending');
		};
		notify(parts.actions, 'info', strings.queued(queued.size), {isCurrent: isSending});
		return done(undefined);
	});
}

/** Closes the composer; the draft stays. */
export function stopWriting(view: ViewStore): void {
	setView(view, now => withSessions(now, {writing: undefined}));
}

/** Goes back one step: takes the marks off, dismisses the deliveries, clears the filter, returns to Work. */
export function leaveSessions(view: ViewStore): void {
	setView(view, now => {
		const {marked, deliveries, words} = now.sessions;
		if (marked.size > 0) return withSessions(now, {marked: new Set()});
		if (deliveries.size > 0) return withSessions(now, {deliveries: new Map()});
		return words === '' ? {...now, page: 'work'} : withSessions(now, {words: ''});
	});
}

function change(view: ViewStore, next: (viewState: SessionsViewState) => Partial<SessionsViewState>): void {
	setView(view, now => withSessions(now, next(now.sessions)));
}

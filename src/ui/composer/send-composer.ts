import type {Draft} from '../../actions/context.ts';
import {sendMessage} from '../../actions/messages.ts';
import {notify} from '../../actions/notify.ts';
import {writeToTerminal} from '../../actions/outside-sessions.ts';
import {sendToSessions} from '../../actions/several-sessions.ts';
import {isDelivered, type OutboxItem} from '../../domain/messages/delivery.ts';
import type {Signal} from '../../domain/sessions/signal.ts';
import {isDown} from '../../state/connection.ts';
import {unmarked} from '../../state/sessions/marked-sessions.ts';
import {runsOutside} from '../../state/sessions/runs-outside.ts';
import {newSessionDraft} from '../../state/view/dialogs.ts';
import {withNextWaiting} from '../../state/view/next-waiting.ts';
import {targets} from '../../state/view/targets.ts';
import {setView, tableMessage, withSessions} from '../../state/view/view.ts';
import type {AppParts} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import {closeCompletion} from './completions.ts';
import {afterSending, composerAt, draftOf, isBlank, setComposer} from './composers.ts';
import {withoutReply} from './quick-reply.ts';
import {strings} from './strings.ts';

/**
 * Sends the text on the screen: to its session, or to each recipient in the Sessions view. Returns what the outbox has
 * of a message to one session.
 */
export function sendComposer(parts: AppParts): OutboxItem | undefined {
	const {composers, drafts, view} = parts;
	const {sessionId = ''} = targets(view.getState());
	if (sessionId === newSessionDraft) {
		parts.input.perform(parts, 'start-session');
		return undefined;
	}
	const typed = composerAt(composers, sessionId);
	if (!typed || isBlank(typed)) return undefined;
	// Another program may have sent this draft in the meantime.
	if (!drafts.saveAndRefresh(sessionId)) {
		notify(parts.actions, 'bad', strings.changedElsewhere);
		return undefined;
	}
	// Saving may have added what it replaced to the history.
	const composer = composerAt(composers, sessionId) ?? typed;
	const draft = draftOf(composer);
	const item = listsNow(parts).all.sessionsById.get(sessionId);
	if (item?.signal && runsOutside(item, parts.stores.streams.getState().open.get(sessionId))) {
		void typeIntoTerminal(parts, item.signal, draft);
		return undefined;
	}
	const isToSeveral = tableMessage(view.getState()) !== undefined;
	const sent = isToSeveral ? undefined : sendToSession(parts, sessionId, draft);
	if (isToSeveral ? !sendToRecipients(parts, draft) : !sent) return undefined;
	withoutDraft(parts, sessionId, draft);
	setView(view, now => {
		const scrollStates = new Map(now.scrollStates);
		scrollStates.delete(sessionId);
		// What the user has replied to isn't new any more.
		const newLines = new Map(now.newLines);
		newLines.delete(sessionId);
		return {...now, scrollStates, newLines};
	});
	return sent;
}

/** The composer keeps the text until it is in the terminal. */
async function typeIntoTerminal(parts: AppParts, signal: Signal, draft: Draft): Promise<void> {
	const {sessionId} = signal;
	if (parts.creating.has(sessionId)) return;
	const lists = listsNow(parts);
	parts.creating.add(sessionId);
	const isTyped = await writeToTerminal(parts.actions, signal, draft).finally(() => {
		parts.creating.delete(sessionId);
	});
	const composer = composerAt(parts.composers, sessionId);
	if (!isTyped || !composer || draftOf(composer).text !== draft.text) return;
	withoutDraft(parts, sessionId, draft);
	if (parts.view.getState().replyTo === sessionId)
		setView(parts.view, now => withNextWaiting(withoutReply(now), lists, {kind: 'session', id: sessionId}));
}

/** Empties the composer: its text has been sent. */
function withoutDraft({composers, drafts, view}: AppParts, sessionId: string, {text}: Draft): void {
	const composer = composerAt(composers, sessionId);
	if (composer) setComposer(composers, sessionId, afterSending(composer, text));
	drafts.changed(sessionId);
	drafts.flush();
	closeCompletion(view);
}

/**
 * A reply over the lists closes, and the cursor goes on to the next session that needs the user; a notice says what
 * becomes of the reply. Returns undefined if it can't be saved.
 */
function sendToSession(parts: AppParts, sessionId: string, draft: Draft): OutboxItem | undefined {
	const {actions, stores, view} = parts;
	const lists = listsNow(parts);
	const sent = sendMessage(actions, sessionId, draft);
	if (!sent || view.getState().replyTo !== sessionId) return sent;
	setView(view, now => withNextWaiting(withoutReply(now), lists, {kind: 'session', id: sessionId}));
	const isOver = () => {
		const rows = stores.outbox.getState().bySession.get(sessionId) ?? [];
		return rows.some(row => row.id === sent.id && (isDelivered(row) || row.state === 'failed'));
	};
	const canSend = () => !isDown(stores.connection.getState());
	if (!canSend()) notify(actions, 'info', strings.replyQueued);
	else notify(actions, 'info', strings.sending, {isCurrent: () => canSend() && !isOver()});
	return sent;
}

/** Returns false if it can't be saved for all recipients: the others stay, with the text. */
function sendToRecipients({actions, stores, view}: AppParts, draft: Draft): boolean {
	const {writing} = view.getState().sessions;
	if (!writing) return false;
	const {queued, failed} = sendToSessions(actions, writing.recipients, draft);
	setView(view, now =>
		withSessions(unmarked(now, queued.keys()), {
			deliveries: new Map([...now.sessions.deliveries, ...queued]),
			writing: failed.length > 0 ? {...writing, recipients: failed} : undefined,
		}),
	);
	if (failed.length > 0) return false;
	const isSending = () => {
		const {bySession} = stores.outbox.getState();
		const states = [...queued].map(([to, id]) => bySession.get(to)?.find(item => item.id === id)?.state);
		return states.some(state => state === undefined || state === 'queued' || state === 'sending');
	};
	notify(actions, 'info', strings.sendingTo(queued.size), {isCurrent: isSending});
	return true;
}

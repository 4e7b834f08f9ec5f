import type {Draft} from '../../actions/context.ts';
import {sendMessage} from '../../actions/messages.ts';
import {notify} from '../../actions/notify.ts';
import {done, type Result} from '../../actions/result.ts';
import {sendToSessions} from '../../actions/several-sessions.ts';
import {isDelivered, type OutboxItem} from '../../domain/messages/delivery.ts';
import {isDown} from '../../state/connection.ts';
import {unmarked} from '../../state/sessions/marked-sessions.ts';
import {setView, type ViewStore, withSessions} from '../../state/view/view.ts';
import {editorText} from '../../text/editor/editor.ts';
import type {AppParts} from '../use-app.ts';
import {closeCompletion} from './completions.ts';
import {
	afterSending,
	type Composer,
	composerAt,
	composerOf,
	draftOf,
	joinedDrafts,
	setComposer,
} from './composers.ts';
import {withoutReply} from './quick-reply.ts';
import {strings} from './strings.ts';

/** Sends the text, by default to the composer's session. Empties the composer at once; restores it on failure. */
export async function sendComposer(
	parts: AppParts,
	sessionId: string,
	composer: Composer,
	send = (draft: Draft): Promise<Result<unknown>> => sendMessage(parts.actions, sessionId, draft),
): Promise<void> {
	const draft = draftOf(composer);
	if (draft.text.trim() === '' && draft.images.length + draft.files.length === 0) return;
	// Another program may have sent this draft in the meantime.
	if (!parts.drafts.saveAndRefresh(sessionId)) {
		notify(parts.actions, 'bad', strings.changedElsewhere);
		return;
	}
	const {sending = []} = composer;
	setComposer(parts.composers, sessionId, {
		...afterSending(composer, draft.text),
		sending: [...sending, draft],
	});
	closeCompletion(parts.view);
	setView(parts.view, view => {
		const scrollStates = new Map(view.scrollStates);
		scrollStates.delete(sessionId);
		// What the user has replied to isn't new any more.
		const newLines = new Map(view.newLines);
		newLines.delete(sessionId);
		return {...view, scrollStates, newLines};
	});
	const {isDone} = await send(draft);
	// The text typed since is the draft of the next message.
	const current = composerAt(parts.composers, sessionId) ?? composerOf(undefined, []);
	const restored = composerOf(joinedDrafts([draft, draftOf(current)]), composer.editor.history);
	setComposer(parts.composers, sessionId, {
		...current,
		...(isDone ? {} : restored),
		sending: (current.sending ?? []).filter(one => one !== draft),
	});
	parts.drafts.changed(sessionId);
	parts.drafts.flush();
}

/** Sends to the composer's session. A reply over the lists closes; a notice says what becomes of it. */
export function sendToSession(parts: AppParts, sessionId: string, composer: Composer): void {
	const outbox = () => parts.stores.outbox.getState().bySession.get(sessionId) ?? [];
	const before = outbox().map(({id}) => id);
	void sendComposer(parts, sessionId, composer);
	if (parts.view.getState().replyTo !== sessionId || isEmpty(composer)) return;
	setView(parts.view, withoutReply);
	const isSent = (item: OutboxItem) =>
		!before.includes(item.id) && (isDelivered(item) || item.state === 'failed');
	const canSend = () => !isDown(parts.stores.connection.getState());
	if (!canSend()) notify(parts.actions, 'info', strings.replyQueued);
	else
		notify(parts.actions, 'info', strings.sending, {
			isCurrent: () => canSend() && !outbox().some(isSent),
		});
}

function isEmpty({editor, images, files}: Composer): boolean {
	return editorText(editor).trim() === '' && images.length + files.length === 0;
}

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
		notify(parts.actions, 'info', strings.sendingTo(queued.size), {isCurrent: isSending});
		return done(undefined);
	});
}

/** Closes the composer; the draft stays. */
export function stopWriting(view: ViewStore): void {
	setView(view, now => withSessions(now, {writing: undefined}));
}

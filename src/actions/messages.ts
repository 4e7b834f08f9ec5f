import {isStorageError, unlessStorageFails} from '../db/file/storage-error.ts';
import {routeOf} from '../domain/known.ts';
import {canDiscard, isDelivered, type OutboxItem} from '../domain/messages/delivery.ts';
import type {OutboxSender} from '../sync/outbox/outbox-sender.ts';
import type {ActionContext, Draft} from './context.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

const {messages: text} = strings;

/**
 * Adds a message to the outbox, to be sent in order by the session's computer and no earlier than `notBefore` (Unix ms),
 * and names an untitled session after it. Undefined if it can't be saved, of which the user is told. Its draft is the
 * caller's to remove afterwards, so that a crash in between loses nothing.
 */
export function sendMessage(
	context: ActionContext,
	sessionId: string,
	{text: words, images, files}: Draft,
	notBefore?: number,
): OutboxItem | undefined {
	const {outbox, registry} = context.engine;
	try {
		const known = registry.session(sessionId) ?? registry.addSession(sessionId, 'added');
		const draft = {text: words, images, files, notBefore, computerId: routeOf(known)};
		const item = outbox.enqueue(sessionId, draft);
		registry.setSubject(sessionId, words);
		if (words.trim() !== '') remember(context, sessionId, words);
		return item;
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		notify(context, 'bad', text.notSaved(why));
		return undefined;
	}
}

/** Whether any of these messages waits to be sent or is being sent. */
export function isSending(
	{stores}: ActionContext,
	sent: readonly Pick<OutboxItem, 'sessionId' | 'id'>[],
): boolean {
	const {bySession} = stores.outbox.getState();
	return sent.some(({sessionId, id}) => {
		const state = bySession.get(sessionId)?.find(row => row.id === id)?.state;
		return state === undefined || state === 'queued' || state === 'sending';
	});
}

/** Adds the text to the history. The message is sent even if the disk can't store this second copy. */
export function remember({history}: ActionContext, sessionId: string, text: string): void {
	unlessStorageFails(() => history.add(sessionId, text));
}

export function resendMessage(context: ActionContext, item: OutboxItem): void {
	const refusal = resend(context.engine.outbox, item);
	const done =
		{unconfirmed: text.resentUnconfirmed, queued: text.trying}[item.state as string] ?? text.resent;
	notify(context, 'info', refusal ? text[refusal] : done);
}

/**
 * Removes a message from the outbox and returns it, so that its text can go back to the composer. Returns
 * undefined while it is being sent, or if it is delivered or gone.
 */
export function discardMessage(context: ActionContext, outboxId: string): OutboxItem | undefined {
	const items = [...context.stores.outbox.getState().bySession.values()].flat();
	const result = discard(
		context.engine.outbox,
		items.find(({id}) => id === outboxId),
	);
	const isDiscarded = typeof result !== 'string';
	notify(context, 'info', isDiscarded ? text.discarded : text[result]);
	return isDiscarded ? result : undefined;
}

/** The stored draft's revision, if one is stored. `displaced`: a text that another program had stored meanwhile. */
type SavedDraft = {readonly revision?: string; readonly displaced?: string};

/**
 * Saves a draft based on revision `known`; removes it if empty. On a storage failure it notifies the user,
 * returns undefined and leaves the text in the composer.
 */
export function saveDraft(
	context: ActionContext,
	sessionId: string,
	draft: Draft,
	known: string | undefined,
	notifies = true,
): SavedDraft | undefined {
	const isEmpty = draft.text === '' && draft.images.length + draft.files.length === 0;
	try {
		if (!isEmpty) return context.drafts.put(sessionId, {...draft, updatedAt: context.clock.now()}, known);
		// A draft that another program stored meanwhile stays, and appears at the composer's next refresh.
		context.drafts.remove(sessionId, known);
		return {};
	} catch (error) {
		const why = isStorageError(error) ? error.advice : String(error);
		if (notifies) notify(context, 'bad', text.draftNotSaved(why));
		return undefined;
	}
}

/** Returns the result of `run`, or undefined if storage fails, which the connection's state reports. */
export function withStorage<T>(run: () => T): T | undefined {
	return unlessStorageFails(run);
}

/** The outbox to change: the screen passes its engine; a command, the rows on disk. */
export type Outbox = Pick<OutboxSender, 'discard' | 'resend'>;

export type OutboxRefusal = 'gone' | 'delivered' | 'sending';

/** Queues a failed, waiting or unconfirmed message again, which may then arrive twice. Returns why it can't. */
export function resend(outbox: Outbox, item: OutboxItem | undefined): OutboxRefusal | undefined {
	const refusal = refusalOf(item);
	if (item && !refusal) outbox.resend(item.id);
	return refusal;
}

/** Removes a message that isn't on the wire and returns it, or why it can't. */
export function discard(outbox: Outbox, item: OutboxItem | undefined): OutboxItem | OutboxRefusal {
	const refusal = refusalOf(item);
	if (!item || refusal) return refusal ?? 'gone';
	return outbox.discard(item.id) ?? 'sending';
}

function refusalOf(item: OutboxItem | undefined): OutboxRefusal | undefined {
	if (!item) return 'gone';
	if (isDelivered(item)) return 'delivered';
	return canDiscard(item) ? undefined : 'sending';
}

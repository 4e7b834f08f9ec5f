import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Draft} from '../../actions/context.ts';
import {isSending, sendMessage} from '../../actions/messages.ts';
import {notify} from '../../actions/notify.ts';
import {writeToTerminal} from '../../actions/outside-sessions.ts';
import {sendToSessions} from '../../actions/several-sessions.ts';
import type {OutboxItem} from '../../domain/messages/delivery.ts';
import type {Signal} from '../../domain/sessions/signal.ts';
import {isDown} from '../../state/connection.ts';
import {unmarked} from '../../state/sessions/marked-sessions.ts';
import {runsOutside} from '../../state/sessions/session-items.ts';
import {newSessionDraft} from '../../state/view/dialogs.ts';
import {withNextWaiting} from '../../state/view/shown-item.ts';
import {targets} from '../../state/view/targets.ts';
import {setView, tableMessage, withSessions} from '../../state/view/view.ts';
import {editorFolds, editorText} from '../../text/editor/editor.ts';
import {createEditor, type EditorState} from '../../text/editor/editor-state.ts';
import type {AppParts} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import {closeCompletion} from './completions.ts';
import {withoutReply} from './quick-reply.ts';
import {strings} from './strings.ts';

export type Composer = {
	readonly editor: EditorState;
	readonly images: Draft['images'];
	readonly files: Draft['files'];
	/** Texts that wait for their session to be created; they stay in the stored draft until then. */
	readonly sending?: readonly Draft[];
};
type Composers = {
	readonly bySession: ReadonlyMap<string, Composer>;
	/** Ids of unsent drafts, also of composers that haven't been opened; a new set only if they change. */
	readonly drafts: ReadonlySet<string>;
	/** The sessions that they belong to. */
	readonly drafted: ReadonlySet<string>;
};
export type ComposerStore = StoreApi<Composers>;

export function createComposerStore(): ComposerStore {
	return createStore<Composers>(() => ({bySession: new Map(), drafts: new Set(), drafted: new Set()}));
}

export function composerAt(store: ComposerStore, sessionId: string): Composer | undefined {
	return store.getState().bySession.get(sessionId);
}

export function setComposer(store: ComposerStore, sessionId: string, composer: Composer): void {
	store.setState(({bySession, ...before}) => ({
		bySession: new Map(bySession).set(sessionId, composer),
		...withDrafts(
			before,
			hasDraft(composer) ? withId(before.drafts, sessionId) : without(before.drafts, sessionId),
		),
	}));
}

/** Adds the sessions that have a draft on disk; a composer that is open tells itself whether there is one. */
export function setStoredDrafts(store: ComposerStore, stored: readonly string[]): void {
	store.setState(({bySession, ...before}) => {
		const all = new Set(stored.filter(id => !bySession.has(id)));
		for (const [id, composer] of bySession) if (hasDraft(composer)) all.add(id);
		const isSame = all.size === before.drafts.size && [...all].every(id => before.drafts.has(id));
		return isSame ? before : withDrafts(before, all);
	});
}

type Drafts = Pick<Composers, 'drafts' | 'drafted'>;

function withDrafts(before: Drafts, drafts: Drafts['drafts']): Drafts {
	return drafts === before.drafts ? before : {drafts, drafted: new Set([...drafts].map(sessionOf))};
}

const commentKind = 'comment';

/** The id of the draft of a comment on a session's changes; `place` is what it is on, and survives in it. */
export function commentId(sessionId: string, place: object): string {
	return JSON.stringify([commentKind, sessionId, place]);
}

export function commentsIn(
	store: ComposerStore,
	sessionId: string,
): readonly {readonly id: string; readonly place: object}[] {
	return [...store.getState().drafts].flatMap(id => {
		const comment = commentOf(id);
		return comment?.sessionId === sessionId ? {id, place: comment.place} : [];
	});
}

function sessionOf(draftId: string): string {
	return commentOf(draftId)?.sessionId ?? draftId;
}

/** Whose comment the draft with this id is, and what it is on. A service may give a session an id that only begins like one. */
function commentOf(draftId: string): {readonly sessionId: string; readonly place: object} | undefined {
	if (!draftId.startsWith(`["${commentKind}",`)) return undefined;
	try {
		const [, sessionId, place] = JSON.parse(draftId);
		return commentId(sessionId, place) === draftId && typeof place?.path === 'string'
			? {sessionId, place}
			: undefined;
	} catch {
		return undefined;
	}
}

function withId(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
	return ids.has(id) ? ids : new Set(ids).add(id);
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
	return ids.has(id) ? new Set([...ids].filter(other => other !== id)) : ids;
}

function hasDraft({editor, images, files}: Composer): boolean {
	return !isEmptyDraft({text: editor.text, images, files});
}

/** A composer with a saved draft and the sent messages as its history. */
export function composerOf(draft: Draft | undefined, history: readonly string[]): Composer {
	return {
		editor: createEditor(draft?.text ?? '', history, draft?.folds),
		images: draft?.images ?? [],
		files: draft?.files ?? [],
	};
}

/** The empty composer after sending: the text moves to the history; deleted text can still be restored. */
export function afterSending({editor, ...rest}: Composer, text: string): Composer {
	const {history, kills} = editor;
	const sent = text.trim() === '' ? history : [...history.filter(one => one !== text), text];
	return {...rest, editor: {...createEditor('', sent), kills}, images: [], files: []};
}

export function isEmptyDraft({text, images, files}: Draft): boolean {
	return text === '' && images.length + files.length === 0;
}

export function draftOf({editor, images, files}: Composer): Draft {
	const folds = editorFolds(editor);
	return {text: editorText(editor), images, files, folds: folds.length > 0 ? folds : undefined};
}

export function isBlank({editor, images, files}: Composer): boolean {
	return editorText(editor).trim() === '' && images.length + files.length === 0;
}

export function joinedDrafts(drafts: readonly Draft[]): Draft {
	return {
		...drafts[0],
		text: drafts.flatMap(({text}) => text || []).join('\n'),
		images: drafts.flatMap(({images}) => images),
		files: drafts.flatMap(({files}) => files),
	};
}

/** Whether the session's composer has no text but blanks. */
export function isComposerEmpty(composers: ComposerStore, sessionId = ''): boolean {
	const composer = composers.getState().bySession.get(sessionId);
	return composer === undefined || editorText(composer.editor).trim() === '';
}

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
	const canSend = () => !isDown(stores.connection.getState());
	if (!canSend()) notify(actions, 'info', 'The reply is queued');
	else
		notify(actions, 'info', 'Sending the reply', {isCurrent: () => canSend() && isSending(actions, [sent])});
	return sent;
}

/** Returns false if it can't be saved for all recipients: the others stay, with the text. */
function sendToRecipients({actions, view}: AppParts, draft: Draft): boolean {
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
	const sent = [...queued].map(([to, id]) => ({sessionId: to, id}));
	notify(
		actions,
		'info',
		`Sending the message to ${queued.size === 1 ? '1 session' : `${queued.size} sessions`}`,
		{isCurrent: () => isSending(actions, sent)},
	);
	return true;
}

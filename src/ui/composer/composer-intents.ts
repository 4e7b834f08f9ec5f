import type {Draft} from '../../actions/context.ts';
import {editText} from '../../actions/hand-over-file.ts';
import {sendMessage} from '../../actions/messages.ts';
import {notify} from '../../actions/notify.ts';
import type {Result} from '../../actions/result.ts';
import {takesArguments, withArguments} from '../../actions/saved-prompts.ts';
import {isDelivered, type OutboxItem} from '../../domain/messages/delivery.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {moveSelection} from '../../state/completion.ts';
import {targets} from '../../state/targets.ts';
import type {ViewStore} from '../../state/view.ts';
import {editorFolds, editorText} from '../../text/editor/editor.ts';
import type {EditorAction} from '../../text/editor/editor-state.ts';
import type {Intents} from '../input.ts';
import {setView} from '../set-view.ts';
import type {AppParts, Parts} from '../use-app.ts';
import {closeCompletion, promptsFor} from './completions.ts';
import {offerImage, removeAttachment, takeSuggestion} from './composer-attachments.ts';
import {edit, editorActions, moveRow} from './composer-edit.ts';
import {afterSending, type Composer, composerOf, draftOf, setComposer} from './composers.ts';
import {withoutReply} from './quick-reply.ts';
import {strings} from './strings.ts';
import {newestQueued, takeBack} from './take-back.ts';

/** Empties the composer immediately; restores its text if `send`, by default to its session, fails. */
export async function sendComposer(
	parts: AppParts,
	sessionId: string,
	composer: Composer,
	send = (draft: Draft): Promise<Result<unknown>> => sendMessage(parts.actions, sessionId, draft),
): Promise<void> {
	const draft = draftOf(composer);
	if (draft.text.trim() === '' && draft.images.length + draft.files.length === 0) return;
	// Don't send again what another program has sent in the meantime.
	if (!parts.drafts.settle(sessionId)) {
		notify(parts.actions, 'bad', strings.changedElsewhere);
		return;
	}
	setComposer(parts.composers, sessionId, afterSending(composer, draft.text));
	closeCompletion(parts.view);
	setView(parts.view, view => {
		const readings = new Map(view.readings);
		readings.delete(sessionId);
		return {...view, readings};
	});
	const result = await send(draft);
	if (result.isDone) {
		// Text typed since belongs to the next message: keep its draft; the sent one is gone.
		parts.drafts.changed(sessionId);
		return;
	}
	const now = parts.composers.getState().bySession.get(sessionId);
	const since = now ? draftOf(now) : {text: '', images: [], files: []};
	const back = {
		...draft,
		text: [draft.text, since.text].filter(Boolean).join('\n'),
		images: [...draft.images, ...since.images],
		files: [...draft.files, ...since.files],
	};
	setComposer(parts.composers, sessionId, {...now, ...composerOf(back, composer.editor.history)});
	parts.drafts.changed(sessionId);
}

/** Actions of the composer and its suggestions. Callers have checked that the action is possible. */
export const composerIntents: Intents = {
	send(parts) {
		inComposer(parts, ({sessionId, composer}) => {
			const outbox = () => parts.stores.outbox.getState().bySession.get(sessionId) ?? [];
			const before = outbox().map(({id}) => id);
			void sendComposer(parts, sessionId, composer);
			if (parts.view.getState().replyTo !== sessionId || isEmpty(composer)) return;
			setView(parts.view, withoutReply);
			const isSent = (item: OutboxItem) =>
				!before.includes(item.id) && (isDelivered(item) || item.state === 'failed');
			notify(parts.actions, 'good', strings.sending, {holds: () => !outbox().some(isSent)});
		});
	},
	newline: editing({type: 'insert', text: '\n'}),
	leave: parts =>
		setView(parts.view, view => (view.replyTo === undefined ? {...view, focus: 'main'} : withoutReply(view))),
	editor: parts => inComposer(parts, now => void writeElsewhere(parts, now)),
	'take-back'(parts) {
		const {sessionId} = targets(parts.view.getState());
		const id = sessionId === undefined ? undefined : newestQueued(parts.stores, sessionId);
		if (id !== undefined) takeBack(parts, id);
	},
	'other-draft': parts => inComposer(parts, ({sessionId}) => parts.drafts.swap(sessionId)),
	unfold: parts => inComposer(parts, now => unfold(parts, now)),
	'row-up': parts => inComposer(parts, ({sessionId}) => moveRow(parts, sessionId, 'up')),
	'row-down': parts => inComposer(parts, ({sessionId}) => moveRow(parts, sessionId, 'down')),
	...mapped(editorActions, editing),
	'delete-back'(parts) {
		inComposer(parts, ({sessionId, composer: {editor, images, files}}) => {
			if (editor.text === '') removeAttachment(parts, sessionId, images.length + files.length - 1);
			else edit(parts, sessionId, {type: 'delete-back'});
		});
	},
	'suggestion-attach': parts => takeSuggestion(parts, true),
	'suggestion-path': parts => takeSuggestion(parts, false),
	'use-prompt': takePrompt,
	'suggestion-up': parts => moveSuggestion(parts.view, -1),
	'suggestion-down': parts => moveSuggestion(parts.view, 1),
	'suggestion-close'(parts) {
		const {completion} = parts.view.getState();
		if (completion) setView(parts.view, view => ({...view, completion: {...completion, isClosed: true}}));
	},
};

function isEmpty({editor, images, files}: Composer): boolean {
	return editorText(editor).trim() === '' && images.length + files.length === 0;
}

type Current = {readonly sessionId: string; readonly composer: Composer};

/** The composer on screen. */
function current({view, composers}: Parts<'view' | 'composers'>): Current | undefined {
	const {sessionId} = targets(view.getState());
	const composer = composers.getState().bySession.get(sessionId ?? '');
	return sessionId === undefined || !composer ? undefined : {sessionId, composer};
}

function inComposer(parts: Parts<'composers' | 'view'>, run: (current: Current) => void): void {
	const now = current(parts);
	if (now) run(now);
}

function mapped<Name extends string>(
	actions: Readonly<Record<Name, EditorAction>>,
	make: (action: EditorAction) => (parts: AppParts) => void,
): Record<Name, (parts: AppParts) => void> {
	const entries = Object.entries<EditorAction>(actions).map(([name, action]) => [name, make(action)]);
	return Object.fromEntries(entries) as Record<Name, (parts: AppParts) => void>;
}

function editing(action: EditorAction): (parts: AppParts) => void {
	return parts => inComposer(parts, ({sessionId}) => edit(parts, sessionId, action));
}

function moveSuggestion(view: ViewStore, by: 1 | -1): void {
	const {completion} = view.getState();
	if (completion) setView(view, now => ({...now, completion: moveSelection(completion, by)}));
}

/**
 * Puts the selected prompt into the composer. One that takes arguments is first completed by its name, so that they
 * can be typed behind it.
 */
function takePrompt(parts: AppParts): void {
	const {completion} = parts.view.getState();
	const name = completion?.items[completion.selected]?.path;
	if (!completion || name === undefined) return;
	const {sessionId} = completion;
	const editor = parts.composers.getState().bySession.get(sessionId)?.editor;
	const found = promptsFor(parts, sessionId, editor?.text ?? '');
	const prompt = found?.prompts.find(one => one.name === name);
	if (!prompt) return;
	const isCall = found?.given === undefined && takesArguments(prompt);
	if (!isCall) closeCompletion(parts.view);
	edit(parts, sessionId, {
		type: 'set',
		text: isCall ? `/${name} ` : withArguments(prompt, found?.given ?? ''),
	});
	if (!isCall) closeCompletion(parts.view);
}

/** Replaces the text with the version saved in the external editor. */
async function writeElsewhere(parts: AppParts, {sessionId, composer}: Current): Promise<void> {
	const written = await editText(parts.actions, editorText(composer.editor));
	if (written !== undefined) edit(parts, sessionId, {type: 'set', text: written});
}

/** Expands a fold; if it is too long for the composer, says where to read it. */
function unfold(parts: AppParts, {sessionId, composer}: Current): void {
	edit(parts, sessionId, {type: 'unfold'});
	const now = parts.composers.getState().bySession.get(sessionId);
	if (now?.editor.text !== composer.editor.text) return;
	const isFolded = editorFolds(composer.editor).length > 0;
	const text = isFolded ? strings.tooLong(parts.keys.label('editor')) : strings.nothingCollapsed;
	notify(parts.actions, 'info', text);
}

/**
 * Typed input is text even if it looks like a key name: an input method or a fast typist may send "up" in one
 * chunk. Suggestions, if any, get keys first.
 */
export function composerLayer(parts: AppParts): KeyLayer {
	const sessionId = () => targets(parts.view.getState()).sessionId ?? '';
	return {
		name: 'composer',
		isModal: true,
		handle(press) {
			if (press.text !== '') edit(parts, sessionId(), {type: 'insert', text: press.text});
			else if (parts.input.handleKey(parts, press) === 'ignored')
				return parts.input.handleKey(parts, press, ['composer']);
			return 'consumed';
		},
		paste(text) {
			const id = sessionId();
			const start = parts.composers.getState().bySession.get(id)?.editor.cursor ?? 0;
			edit(parts, id, {type: 'paste', text});
			void offerImage(parts, id, text, start);
			return 'consumed';
		},
	};
}

import type {Draft} from '../../actions/context.ts';
import {editText} from '../../actions/hand-over-file.ts';
import {sendMessage} from '../../actions/messages.ts';
import {notify} from '../../actions/notify.ts';
import type {Result} from '../../actions/result.ts';
import {takesArguments, withArguments} from '../../actions/saved-prompts.ts';
import {isDelivered, type OutboxItem} from '../../domain/messages/delivery.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {isDown} from '../../state/connection.ts';
import {moveSelection} from '../../state/view/completion.ts';
import {targets} from '../../state/view/targets.ts';
import {setView, type ViewStore} from '../../state/view/view.ts';
import {editorFolds, editorText} from '../../text/editor/editor.ts';
import type {EditorAction} from '../../text/editor/editor-state.ts';
import type {Intents} from '../input.ts';
import type {AppParts, Parts} from '../use-app.ts';
import {closeCompletion, promptsFor} from './completions.ts';
import {acceptSuggestion, offerImages, removeAttachment} from './composer-attachments.ts';
import {edit, editorActions, moveRow} from './composer-edit.ts';
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
import {newestQueued, takeBack} from './take-back.ts';

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
	if (!parts.drafts.settle(sessionId)) {
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
			const canSend = () => !isDown(parts.stores.connection.getState());
			if (!canSend()) notify(parts.actions, 'info', strings.replyQueued);
			else
				notify(parts.actions, 'info', strings.sending, {
					isCurrent: () => canSend() && !outbox().some(isSent),
				});
		});
	},
	newline: editing({type: 'insert', text: '\n'}),
	leave: parts =>
		setView(parts.view, view => (view.replyTo === undefined ? {...view, focus: 'main'} : withoutReply(view))),
	editor: parts => inComposer(parts, current => void writeInEditor(parts, current)),
	'take-back'(parts) {
		const {sessionId} = targets(parts.view.getState());
		const id = sessionId === undefined ? undefined : newestQueued(parts.stores, sessionId);
		if (id !== undefined) takeBack(parts, id);
	},
	'other-draft': parts => inComposer(parts, ({sessionId}) => parts.drafts.swap(sessionId)),
	unfold: parts => inComposer(parts, current => unfold(parts, current)),
	'row-up': parts => inComposer(parts, ({sessionId}) => moveRow(parts, sessionId, 'up')),
	'row-down': parts => inComposer(parts, ({sessionId}) => moveRow(parts, sessionId, 'down')),
	...Object.fromEntries(Object.entries(editorActions).map(([name, action]) => [name, editing(action)])),
	'delete-back'(parts) {
		inComposer(parts, ({sessionId, composer: {editor, images, files}}) => {
			if (editor.text === '') removeAttachment(parts, sessionId, images.length + files.length - 1);
			else edit(parts, sessionId, {type: 'delete-back'});
		});
	},
	'suggestion-attach': parts => acceptSuggestion(parts, true),
	'suggestion-path': parts => acceptSuggestion(parts, false),
	'use-prompt': usePrompt,
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

/** Runs something on the composer on screen, if there is one. */
function inComposer({composers, view}: Parts<'composers' | 'view'>, run: (current: Current) => void): void {
	const {sessionId} = targets(view.getState());
	const composer = sessionId === undefined ? undefined : composerAt(composers, sessionId);
	if (sessionId !== undefined && composer) run({sessionId, composer});
}

function editing(action: EditorAction): (parts: AppParts) => void {
	return parts => inComposer(parts, ({sessionId}) => edit(parts, sessionId, action));
}

function moveSuggestion(view: ViewStore, by: 1 | -1): void {
	const {completion} = view.getState();
	if (completion) setView(view, now => ({...now, completion: moveSelection(completion, by)}));
}

/** Puts the selected prompt into the composer; if it takes arguments, only its name until they are typed. */
function usePrompt(parts: AppParts): void {
	const {completion} = parts.view.getState();
	const name = completion?.items[completion.selected]?.path;
	if (!completion || name === undefined) return;
	const {sessionId} = completion;
	const editor = composerAt(parts.composers, sessionId)?.editor;
	const found = promptsFor(parts, sessionId, editor?.text ?? '');
	const prompt = found?.prompts.find(one => one.name === name);
	if (!prompt) return;
	const needsArguments = found?.args === undefined && takesArguments(prompt);
	const text = needsArguments ? `/${name} ` : withArguments(prompt, found?.args ?? '');
	edit(parts, sessionId, {type: 'set', text});
	if (!needsArguments) closeCompletion(parts.view);
}

/** Replaces the text with what the user writes in their own editor. */
async function writeInEditor(parts: AppParts, {sessionId, composer}: Current): Promise<void> {
	const written = await editText(parts.actions, editorText(composer.editor));
	if (written !== undefined) edit(parts, sessionId, {type: 'set', text: written});
}

/** Expands a collapsed paste; if it is too long for the composer, says where to read it. */
function unfold(parts: AppParts, {sessionId, composer}: Current): void {
	edit(parts, sessionId, {type: 'unfold'});
	if (composerAt(parts.composers, sessionId)?.editor.text !== composer.editor.text) return;
	const isFolded = editorFolds(composer.editor).length > 0;
	const reason = isFolded ? strings.tooLong(parts.keys.label('editor')) : strings.nothingCollapsed;
	notify(parts.actions, 'info', reason);
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
			const start = composerAt(parts.composers, id)?.editor.cursor ?? 0;
			edit(parts, id, {type: 'paste', text});
			void offerImages(parts, id, text, start);
			return 'consumed';
		},
	};
}

import {interruptAgent as askToInterrupt} from '../../actions/agent-requests.ts';
import {notify} from '../../actions/notify.ts';
import {takesArguments, withArguments} from '../../actions/saved-prompts.ts';
import {editText} from '../../actions/user-programs.ts';
import {isTurnRunning as isRunning} from '../../state/sessions/session-items.ts';
import {isOpen, moveSelection} from '../../state/view/completion.ts';
import {pushDialog} from '../../state/view/dialogs.ts';
import {targets} from '../../state/view/targets.ts';
import {
	replyingTo,
	setView,
	tableMessage,
	type View,
	type ViewStore,
	withSessions,
} from '../../state/view/view.ts';
import {editorFolds, editorText} from '../../text/editor/editor.ts';
import {type BindingOf, bindingsIn, bindingsOf, type Enabled, type Now} from '../keys/binding.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import {allOf, hasSession, isEmbedded, isOutside, sessionOf} from '../keys/reasons.ts';
import type {AppParts} from '../use-app.ts';
import {closeCompletion, promptsFor} from './completions.ts';
import {acceptSuggestion} from './composer-attachments.ts';
import {type CurrentComposer, edit, inComposer, moveRow} from './composer-edit.ts';
import {composerAt, isComposerEmpty, sendComposer} from './composers.ts';
import {editingBindings} from './editing-bindings.ts';
import {withoutReply} from './quick-reply.ts';
import {newestQueued, takeBack} from './take-back.ts';

const composerOf = ({parts, view}: Now) =>
	parts.composers.getState().bySession.get(targets(view).sessionId ?? '');

const hasAttachments = (now: Now): Enabled => {
	const composer = composerOf(now);
	const count = composer ? composer.images.length + composer.files.length : 0;
	return count > 0 || "Nothing is attached: type @ and a file name, or paste an image's path";
};

const hasQueued = ({parts, view}: Now): Enabled => {
	const isQueued = newestQueued(parts.stores, targets(view).sessionId ?? '') !== undefined;
	return isQueued || "No message is queued here; what was sent can't be taken back";
};

const canInterrupt = (now: Now): Enabled =>
	isEmbedded(now) || "This service can't interrupt an agent: only the embedded service can";

/** Whether the agent is at work or waits for an answer. Not in a reply over the lists: no key interrupts from there. */
export const isTurnRunning = (now: Now): boolean => {
	const session = sessionOf(now);
	return session !== undefined && replyingTo(now.view) === undefined && isRunning(session);
};

const isInterruptible = (now: Now): Enabled =>
	isOutside(now)
		? 'This session runs in another terminal: interrupt it there'
		: allOf(canInterrupt, one => isTurnRunning(one) || 'No agent is at work here')(now);

/** The key contexts while the user writes: the suggestions over the composer, or the composer. */
export function writingContexts(view: View): readonly KeyContext[] {
	if (!isOpen(view.completion, targets(view).sessionId)) return ['composer'];
	const kind = view.completion?.kind;
	return [kind === 'prompts' || kind === 'folders' ? kind : 'suggestions'];
}

/** Interrupts the session's agent. The key arrives as `interrupt`, which does this first and quits when pressed again. */
export const interruptAgent = {
	action: 'interrupt-agent',
	command: 'sessions interrupt',
	keys: ['ctrl+c'],
	title: 'Interrupt the agent at work; twice quits',
	isEnabled: allOf(hasSession, isInterruptible),
	isOffered: canInterrupt,
	run(parts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId !== undefined) void askToInterrupt(parts.actions, sessionId);
	},
} as const satisfies Partial<BindingOf<string>>;

/**
 * Keys of the composer and the popups over it. Completions come first, so that their keys take precedence
 * while they are shown.
 */
export const composerBindings = bindingsOf([
	...bindingsIn({contexts: ['suggestions'], isPaletteHidden: true}, [
		{
			action: 'suggestion-attach',
			keys: ['enter'],
			title: 'Attach the file; its path stays in the text',
			hint: 'attach',
			run: parts => acceptSuggestion(parts, true),
		},
		{
			action: 'suggestion-path',
			keys: ['tab'],
			title: 'Insert only the path of the file',
			hint: 'path only',
			run: parts => acceptSuggestion(parts, false),
		},
	]),
	{
		action: 'use-prompt',
		keys: ['enter', 'tab'],
		title: 'Insert the prompt or command; if it has arguments, type them first',
		hint: 'insert',
		contexts: ['prompts'],
		isPaletteHidden: true,
		run: usePrompt,
	},
	...bindingsIn({contexts: ['suggestions', 'prompts', 'folders'], isPaletteHidden: true}, [
		{
			action: 'suggestion-up',
			keys: ['up', 'ctrl+p'],
			title: 'Previous suggestion',
			run: parts => moveSuggestion(parts.view, -1),
		},
		{
			action: 'suggestion-down',
			keys: ['down', 'ctrl+n'],
			title: 'Next suggestion',
			run: parts => moveSuggestion(parts.view, 1),
		},
		{
			action: 'suggestion-close',
			keys: ['escape'],
			title: 'Close the suggestions; the text stays',
			hint: 'close',
			isWayOut: true,
			run(parts) {
				const {completion} = parts.view.getState();
				if (completion) setView(parts.view, view => ({...view, completion: {...completion, isClosed: true}}));
			},
		},
	]),
	...bindingsIn({contexts: ['composer']}, [
		{
			action: 'send',
			command: 'send',
			keys: ['enter'],
			title: 'Send',
			hint: 'send',
			run: sendComposer,
		},
		// Early, because a narrow footer keeps the first hints only.
		{
			action: 'leave',
			keys: ['escape'],
			title: 'Leave the composer; the draft stays',
			hint: 'leave',
			isWayOut: true,
			run(parts) {
				setView(parts.view, view =>
					tableMessage(view)
						? withSessions(view, {writing: undefined})
						: view.replyTo === undefined
							? {...view, focus: 'main'}
							: withoutReply(view),
				);
			},
		},
	]),
	{
		...interruptAgent,
		title: 'Interrupt the agent if no text is typed; twice quits',
		hintNow: now =>
			isTurnRunning(now) && isComposerEmpty(now.parts.composers, targets(now.view).sessionId)
				? 'interrupt'
				: undefined,
		contexts: ['composer'],
	},
	{
		action: 'newline',
		keys: ['ctrl+j', 'shift+enter', 'alt+enter'],
		title: 'New line',
		hint: 'new line',
		contexts: ['composer', 'new-session', 'comment'],
		isPaletteHidden: true,
		isEnabled({view}) {
			const dialog = view.dialogs.at(-1);
			const isText = dialog?.kind !== 'new-session' || dialog.part === 'words';
			return isText || 'Only the text can have several lines';
		},
		run: parts => inComposer(parts, ({sessionId}) => edit(parts, sessionId, {type: 'insert', text: '\n'})),
	},
	...bindingsIn({contexts: ['composer']}, [
		{
			action: 'mention',
			keys: ['@'],
			title: 'Find a file to attach, or its path: @name, @~/name, @/name',
			hint: 'file',
			isFixed: true,
			isPaletteHidden: true,
		},
		{
			action: 'prompt',
			keys: ['/'],
			title: 'Saved prompts and commands of the agent, at the start of a message: /name and arguments',
			isFixed: true,
			isPaletteHidden: true,
		},
		{
			action: 'editor',
			keys: ['ctrl+g'],
			title: 'Write in $VISUAL or $EDITOR',
			hint: 'editor',
			run: writeInEditor,
		},
		{
			action: 'attachments',
			keys: ['ctrl+x'],
			title: 'Attachments: view or remove',
			hint: 'attachments',
			isEnabled: hasAttachments,
			run(parts) {
				const {sessionId} = targets(parts.view.getState());
				if (sessionId !== undefined)
					setView(parts.view, view => pushDialog(view, {kind: 'attachments', sessionId, index: 0}));
			},
		},
	]),
]);

/** Keys of the composer that come after those of the dialogs it opens. */
export const draftBindings = bindingsOf([
	{
		action: 'take-back',
		keys: ['alt+up'],
		title: 'Take back your newest queued message',
		isEnabled: hasQueued,
		contexts: ['composer', 'stream', 'sessions', 'session-table'],
		run(parts) {
			const {sessionId} = targets(parts.view.getState());
			const id = sessionId === undefined ? undefined : newestQueued(parts.stores, sessionId);
			if (id !== undefined) takeBack(parts, id);
		},
	},
	...bindingsIn({contexts: ['composer']}, [
		{
			action: 'unfold',
			keys: ['ctrl+o'],
			title: 'Show a collapsed paste',
			run: parts => inComposer(parts, current => unfold(parts, current)),
		},
		{
			action: 'row-up',
			keys: ['up'],
			title: 'Row up; in an empty composer: earlier sent messages',
			isPaletteHidden: true,
			run: parts => inComposer(parts, ({sessionId}) => moveRow(parts, sessionId, 'up')),
		},
		{
			action: 'row-down',
			keys: ['down'],
			title: 'Row down; after Up: later sent messages',
			isPaletteHidden: true,
			run: parts => inComposer(parts, ({sessionId}) => moveRow(parts, sessionId, 'down')),
		},
	]),
	...editingBindings,
]);

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

/** Expands a collapsed paste; if it is too long for the composer, says where to read it. */
function unfold(parts: AppParts, {sessionId, composer}: CurrentComposer): void {
	edit(parts, sessionId, {type: 'unfold'});
	if (composerAt(parts.composers, sessionId)?.editor.text !== composer.editor.text) return;
	const isFolded = editorFolds(composer.editor).length > 0;
	const reason = isFolded
		? `No collapsed paste at the cursor, or it is too long to show here: ${parts.keys.label('editor')} opens everything in your editor`
		: 'Nothing is collapsed here';
	notify(parts.actions, 'info', reason);
}

/** Replaces the text with what the user writes in their own editor. */
export function writeInEditor(parts: AppParts): void {
	inComposer(parts, async ({sessionId, composer}) => {
		const written = await editText(parts.actions, editorText(composer.editor));
		if (written !== undefined) edit(parts, sessionId, {type: 'set', text: written});
	});
}

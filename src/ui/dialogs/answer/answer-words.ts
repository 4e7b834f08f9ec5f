import {copyText} from '../../../actions/copy-text.ts';
import {notify} from '../../../actions/notify.ts';
import type {AgentRequest} from '../../../domain/sessions/agent-request.ts';
import {runsOutside} from '../../../state/sessions/session-items.ts';
import {editorText} from '../../../text/editor/editor.ts';
import {createEditor} from '../../../text/editor/editor-state.ts';
import {appendToDraft} from '../../composer/composer-edit.ts';
import {composerAt, setComposer} from '../../composer/composers.ts';
import type {AppParts} from '../../use-app.ts';
import {listsNow} from '../../use-lists.ts';

/** Words that became drafts, by app and id of their request. */
const keptWords = new WeakMap<AppParts, Map<string, string>>();

/**
 * Keeps words that no agent received as the draft of their session, or in the clipboard if that session takes no
 * messages.
 */
export function keepWords(parts: AppParts, {id, sessionId}: AgentRequest, words: string): void {
	if (words.trim() === '') return;
	const item = listsNow(parts).all.sessionsById.get(sessionId);
	if (runsOutside(item, parts.stores.streams.getState().open.get(sessionId))) {
		void copyText(parts.actions, words, 'your words');
		return;
	}
	appendToDraft(parts, sessionId, words);
	keptWords.set(parts, new Map(keptWords.get(parts)).set(id, words));
	notify(parts.actions, 'info', `Not sent: your words are a draft in ${item?.name ?? sessionId}`);
}

/** Keeps the words in an open dialog when the program ends. Those that are being sent are the agent's. */
export function keepOpenWords(parts: AppParts): void {
	const dialog = parts.view.getState().dialogs.find(({kind}) => kind === 'answer');
	if (dialog?.kind !== 'answer' || !dialog.request || dialog.isBusy) return;
	keepWords(parts, dialog.request, dialog.editor.text);
}

/** The words that were kept for a request, if they are still the whole draft of their session: they leave it again. */
export function takeKeptWords(parts: AppParts, {id, sessionId}: AgentRequest): string {
	const words = keptWords.get(parts)?.get(id);
	const composer = composerAt(parts.composers, sessionId);
	if (words === undefined || !composer || editorText(composer.editor) !== words) return '';
	const editor = createEditor('', composer.editor.history);
	setComposer(parts.composers, sessionId, {...composer, editor: {...editor, kills: composer.editor.kills}});
	parts.drafts.changed(sessionId);
	return words;
}

import {copyText} from '../../../actions/copy-text.ts';
import {notify} from '../../../actions/notify.ts';
import type {AgentRequest} from '../../../domain/sessions/agent-request.ts';
import {runsOutside} from '../../../state/sessions/session-items.ts';
import {appendToDraft} from '../../composer/composer-edit.ts';
import type {AppParts} from '../../use-app.ts';
import {listsNow} from '../../use-lists.ts';

/**
 * Keeps words that no agent received as the draft of their session, or in the clipboard if that session takes no
 * messages.
 */
export function keepWords(parts: AppParts, {sessionId}: AgentRequest, words: string): void {
	if (words.trim() === '') return;
	const item = listsNow(parts).all.sessionsById.get(sessionId);
	if (runsOutside(item, parts.stores.streams.getState().open.get(sessionId))) {
		void copyText(parts.actions, words, 'your words');
		return;
	}
	appendToDraft(parts, sessionId, words);
	notify(parts.actions, 'info', `Not sent: your words are a draft in ${item?.name ?? sessionId}`);
}

/** Keeps the words in an open dialog when the program ends. Those that are being sent are the agent's. */
export function keepOpenWords(parts: AppParts): void {
	const dialog = parts.view.getState().dialogs.find(({kind}) => kind === 'answer');
	if (dialog?.kind !== 'answer' || !dialog.request || dialog.isBusy) return;
	keepWords(parts, dialog.request, dialog.editor.text);
}

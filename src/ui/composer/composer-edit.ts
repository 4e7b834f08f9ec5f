import {editorReduce} from '../../text/editor.ts';
import type {EditorAction} from '../../text/editor-action.ts';
import {cursorEdge} from '../../text/editor-view.ts';
import type {AppParts} from '../use-app.ts';
import {suggest} from './completions.ts';
import {setComposer} from './composers.ts';

/** Applies an edit to a session's composer, saves the draft and looks for completions. */
export function edit(parts: AppParts, sessionId: string, action: EditorAction): void {
	const composer = parts.composers.getState().bySession.get(sessionId);
	if (!composer) return;
	const editor = editorReduce(composer.editor, action);
	if (editor === composer.editor) return;
	setComposer(parts.composers, sessionId, {...composer, editor});
	if (editor.text !== composer.editor.text) parts.drafts.changed(sessionId);
	suggest(parts, sessionId);
}

/** Moves the cursor up or down a row; beyond the ends of an unedited text, browses the sent messages. */
export function moveRow(parts: AppParts, sessionId: string, to: 'up' | 'down'): void {
	const editor = parts.composers.getState().bySession.get(sessionId)?.editor;
	if (!editor) return;
	const width = parts.sizes.composer;
	const {isFirstRow, isLastRow} = cursorEdge(editor, width);
	const isBrowsing = editor.text === '' || editor.browsing !== undefined;
	if (isBrowsing && to === 'up' && isFirstRow) edit(parts, sessionId, {type: 'history-previous'});
	else if (isBrowsing && to === 'down' && isLastRow) edit(parts, sessionId, {type: 'history-next'});
	else edit(parts, sessionId, {type: to, width});
}

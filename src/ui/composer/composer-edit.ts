import {targets} from '../../state/view/targets.ts';
import {editorReduce} from '../../text/editor/editor.ts';
import {cursorEdge} from '../../text/editor/editor-layout.ts';
import type {EditorAction} from '../../text/editor/editor-state.ts';
import {writingColumns} from '../layout-now.ts';
import {prepareComposer} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {suggest} from './completions.ts';
import {type Composer, composerAt, setComposer} from './composers.ts';

export type CurrentComposer = {readonly sessionId: string; readonly composer: Composer};

/** Runs something on the composer on screen, if there is one. */
export function inComposer({composers, view}: AppParts, run: (current: CurrentComposer) => void): void {
	const {sessionId} = targets(view.getState());
	const composer = sessionId === undefined ? undefined : composerAt(composers, sessionId);
	if (sessionId !== undefined && composer) run({sessionId, composer});
}

/** Applies an edit to a session's composer, saves the draft and looks for completions. */
export function edit(parts: AppParts, sessionId: string, action: EditorAction): void {
	const composer = composerAt(parts.composers, sessionId);
	if (!composer) return;
	const editor = editorReduce(composer.editor, action);
	if (editor === composer.editor) return;
	setComposer(parts.composers, sessionId, {...composer, editor});
	if (editor.text !== composer.editor.text) parts.drafts.changed(sessionId);
	suggest(parts, sessionId);
}

/** Adds text at the end of a session's draft, on a line of its own. A long one is folded unless it is inserted. */
export function appendToDraft(
	parts: AppParts,
	sessionId: string,
	text: string,
	type: 'paste' | 'insert' = 'paste',
): void {
	prepareComposer(parts, sessionId);
	const composer = composerAt(parts.composers, sessionId);
	if (!composer) return;
	const end = editorReduce(composer.editor, {type: 'text-end'});
	const editor = editorReduce(end, {type, text: end.text === '' ? text : `\n${text}`});
	setComposer(parts.composers, sessionId, {...composer, editor});
	parts.drafts.changed(sessionId);
}

/** Moves the cursor up or down a row; beyond the ends of an unedited text, browses the sent messages. */
export function moveRow(parts: AppParts, sessionId: string, to: 'up' | 'down'): void {
	const editor = composerAt(parts.composers, sessionId)?.editor;
	if (!editor) return;
	const width = writingColumns(parts);
	const {isFirstRow, isLastRow} = cursorEdge(editor, width);
	const isBrowsing = editor.text === '' || editor.browsing !== undefined;
	if (isBrowsing && to === 'up' && isFirstRow) edit(parts, sessionId, {type: 'history-previous'});
	else if (isBrowsing && to === 'down' && isLastRow) edit(parts, sessionId, {type: 'history-next'});
	else edit(parts, sessionId, {type: to, width});
}

import type {ActionName} from '../../keys/bindings/bindings.ts';
import {editorReduce} from '../../text/editor/editor.ts';
import {cursorEdge} from '../../text/editor/editor-layout.ts';
import type {EditorAction} from '../../text/editor/editor-state.ts';
import {writingColumns} from '../layout-now.ts';
import {prepareComposer} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {suggest} from './completions.ts';
import {composerAt, setComposer} from './composers.ts';

/** Edits that keys make to text, in the composer and in form fields. */
export const editorActions = {
	left: {type: 'left'},
	right: {type: 'right'},
	'word-left': {type: 'word-left'},
	'word-right': {type: 'word-right'},
	'line-start': {type: 'line-start'},
	'line-end': {type: 'line-end'},
	'text-start': {type: 'text-start'},
	'text-end': {type: 'text-end'},
	'delete-back': {type: 'delete-back'},
	'delete-forward': {type: 'delete-forward'},
	'delete-blank-back': {type: 'delete-blank-back'},
	'delete-word-back': {type: 'delete-word-back'},
	'delete-word-forward': {type: 'delete-word-forward'},
	'delete-to-line-start': {type: 'delete-to-line-start'},
	'delete-to-line-end': {type: 'delete-to-line-end'},
	yank: {type: 'yank'},
	'yank-pop': {type: 'yank-pop'},
	transpose: {type: 'transpose'},
	'undo-edit': {type: 'undo'},
	'redo-edit': {type: 'redo'},
} as const satisfies Partial<Record<ActionName, EditorAction>>;

/** The edit that an action makes, if it is one. */
export function editorActionOf(action: ActionName | undefined): EditorAction | undefined {
	return (editorActions as Partial<Record<ActionName, EditorAction>>)[action as ActionName];
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

/** Adds text at the end of a session's draft, on a line of its own. */
export function appendToDraft(parts: AppParts, sessionId: string, text: string): void {
	prepareComposer(parts, sessionId);
	const composer = composerAt(parts.composers, sessionId);
	if (!composer) return;
	const end = editorReduce(composer.editor, {type: 'text-end'});
	const editor = editorReduce(end, {type: 'paste', text: end.text === '' ? text : `\n${text}`});
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
